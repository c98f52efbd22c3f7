//! Who can vouch for an answer, and that nothing in it can be changed unnoticed.

use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::signature::BadSignature;
use pager_questions::{Answer, SigningKey, VerifyingKey};
use serde_json::{Value, json};

use crate::samples::{self, ended, key};

fn answer(resolution: Resolution) -> Answer {
    ended(resolution).answer().unwrap().clone()
}

fn chosen() -> Answer {
    answer(Resolution::Chosen(vec![samples::option_id("1")]))
}

#[test]
fn the_services_own_signature_verifies_whatever_the_outcome() {
    let words = "ü \u{202e}\"\\\n\u{7f}\u{10ffff} 1e400 <script>".to_owned();
    for resolution in [
        Resolution::Chosen(vec![samples::option_id("2")]),
        Resolution::OwnWords(words),
        Resolution::Declined,
        Resolution::Cancelled(CancelReason::OwnerCancelled),
    ] {
        let answer = answer(resolution);
        assert_eq!(answer.verify(&[key().verifying()]), Ok(()));
        let read: Answer = serde_json::from_slice(&answer.file()).unwrap();
        assert_eq!(read.verify(&[key().verifying()]), Ok(()), "as read from the file");
    }
}

/// Every place in the object where a value stands, and another value of the same kind.
fn changed(value: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(inner) => {
            for (name, value) in inner {
                changed(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(inner) => {
            for (index, value) in inner.iter().enumerate() {
                changed(value, &format!("{path}/{index}"), found);
            }
        }
        _ => found.push((path.to_owned(), other(path))),
    }
}

fn other(path: &str) -> Value {
    match path {
        "/outcome" => json!("own_words"),
        "/incarnation" => json!("0000000000000000"),
        "/at" | "/asked_at" => json!("2026-11-30T13:25:03.121Z"),
        "/by/kind" => json!("device"),
        "/by/via" => json!("web"),
        "/id" | "/choice" | "/options/0/id" | "/options/1/id" => json!("other"),
        _ => json!("something else"),
    }
}

#[test]
fn changing_any_single_value_of_the_file_breaks_the_signature() {
    for answer in [chosen(), answer(Resolution::Declined), answer(Resolution::Cancelled(CancelReason::OwnerCancelled))] {
        let whole: Value = serde_json::from_slice(&answer.file()).unwrap();
        let mut changes = Vec::new();
        changed(&whole, "", &mut changes);
        assert!(changes.len() >= 17, "{changes:?}");
        for (path, value) in changes.into_iter().filter(|(path, _)| path != "/signature") {
            let mut tampered = whole.clone();
            *tampered.pointer_mut(&path).unwrap() = value;
            assert_ne!(tampered, whole, "{path}");
            let tampered: Answer = serde_json::from_value(tampered).unwrap();
            assert_eq!(tampered.verify(&[key().verifying()]), Err(BadSignature::Wrong), "{path}");
        }
    }
}

#[test]
fn an_option_taken_away_or_a_note_put_in_breaks_the_signature() {
    let mut fewer = chosen();
    fewer.options.pop();
    let noted = Answer { note: Some("and hurry".to_owned()), ..chosen() };
    let reasoned = Answer { reason: Some("owner_cancelled".to_owned()), ..chosen() };
    let silent = Answer { answer: None, ..chosen() };
    for tampered in [fewer, noted, reasoned, silent] {
        assert_eq!(tampered.verify(&[key().verifying()]), Err(BadSignature::Wrong));
    }
}

#[test]
fn any_of_several_trusted_keys_will_do_and_none_is_none() {
    let stranger = SigningKey::from_seed([8; 32]).verifying();
    let answer = chosen();
    assert_eq!(answer.verify(&[stranger.clone(), key().verifying()]), Ok(()));
    assert_eq!(answer.verify(&[stranger]), Err(BadSignature::Wrong));
    assert_eq!(answer.verify(&[]), Err(BadSignature::Wrong));
    let unsigned = Answer { signature: None, ..answer };
    assert_eq!(unsigned.verify(&[key().verifying()]), Err(BadSignature::Missing));
}

#[test]
fn a_signature_of_another_shape_is_wrong() {
    let signature = chosen().signature.unwrap();
    let bare = signature.strip_prefix("ed25519:").unwrap();
    for bad in [String::new(), bare.to_owned(), "ed25519:".to_owned(), signature[..40].to_owned(), format!("{signature}AAAA")] {
        let answer = Answer { signature: Some(bad), ..chosen() };
        assert_eq!(answer.verify(&[key().verifying()]), Err(BadSignature::Wrong));
    }
}

#[test]
fn a_key_is_read_back_as_it_was_printed_and_nothing_else_is_a_key() {
    let printed = key().verifying().to_string();
    assert_eq!(printed.len(), "ed25519:".len() + 44, "padded base64 of 32 bytes");
    assert_eq!(VerifyingKey::parse(&printed), Ok(key().verifying()));
    let bare = printed.strip_prefix("ed25519:").unwrap();
    for bad in
        ["", bare, "ed25519:", "ed25519:AAAA", "ed25519:not base64!", &printed[..printed.len() - 1], &format!("rsa:{bare}")]
    {
        assert_eq!(VerifyingKey::parse(bad), Err(BadSignature::Malformed), "{bad:?}");
    }
}

#[test]
fn the_secret_half_is_never_printed() {
    assert_eq!(format!("{:?}", SigningKey::from_seed([65; 32])), "SigningKey(…)");
}
