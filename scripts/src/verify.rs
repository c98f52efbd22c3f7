//! An answer is one only when it is an answer to this question and, where keys are configured, signed with one of them.

use pager_questions::VerifyingKey;

use crate::failure::Failure;
use crate::json::Json;

/// The words that only whoever waits gets, beside the signed answer.
pub const PRIVATE_ANSWER: &str = "private_answer";

/// Does an answer say that its words are private?
pub fn is_private(answer: &Json) -> bool {
    answer.get("private") == Some(&Json::Bool(true))
}

/// Checks an answer as it was received, members that are not known here included. What was private is signed as private,
/// and its words stand beside.
///
/// # Errors
/// Code 1. What does not verify is never printed as an answer.
pub fn check(answer: &Json, id: &str, incarnation: Option<&str>, keys: &[VerifyingKey]) -> Result<(), Failure> {
    let wrong = |why: &str| {
        Failure::failed(format!(
            "what came as the answer of {id} is not taken for one: {why}; compare ASK_VERIFY_KEY with `pagerd key`, and look who changed it"
        ))
    };
    if answer.text("id") != Some(id) {
        return Err(wrong("it names another question"));
    }
    if incarnation.is_some_and(|incarnation| answer.text("incarnation") != Some(incarnation)) {
        return Err(wrong("it names another incarnation of the question"));
    }
    if answer.get(PRIVATE_ANSWER).is_some() && !is_private(answer) {
        return Err(wrong("it has private words, and does not say that they are private"));
    }
    if keys.is_empty() {
        return Ok(());
    }
    let signature = answer.text("signature").ok_or_else(|| wrong("it is not signed"))?;
    let bytes =
        serde_jcs::to_vec(&answer.without("signature").without(PRIVATE_ANSWER)).map_err(|_| wrong("it has no canonical form"))?;
    if keys.iter().any(|key| key.verify(&bytes, signature).is_ok()) {
        Ok(())
    } else {
        Err(wrong("its signature is not of a key that is trusted here"))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use pager_questions::SigningKey;

    use super::*;

    fn signed(text: &str, key: &SigningKey) -> Json {
        let Json::Object(mut members) = Json::parse(text).unwrap() else { panic!("an object") };
        let bytes = serde_jcs::to_vec(&Json::Object(members.clone())).unwrap();
        members.push(("signature".to_owned(), key.sign(&bytes).as_str().into()));
        Json::Object(members)
    }

    const ANSWER: &str = r#"{"id":"a","incarnation":"0123456789abcdef","answer":"Yes","of_later":{"z":1,"a":[2.5]}}"#;

    #[test]
    fn members_that_are_not_known_are_covered_by_the_signature() {
        let (key, other) = (SigningKey::from_seed([1; 32]), SigningKey::from_seed([2; 32]));
        let answer = signed(ANSWER, &key);
        assert!(check(&answer, "a", Some("0123456789abcdef"), &[other.verifying(), key.verifying()]).is_ok());
        assert!(check(&answer, "a", None, &[other.verifying()]).is_err());
        let tampered = Json::parse(&answer.to_string().replace("2.5", "2.6")).unwrap();
        assert!(check(&tampered, "a", None, &[key.verifying()]).is_err());
        assert!(check(&answer.without("signature"), "a", None, &[key.verifying()]).is_err());
    }

    #[test]
    fn private_words_stand_beside_what_is_signed() {
        let key = SigningKey::from_seed([1; 32]);
        let with_words = |text: &str| {
            let Json::Object(mut members) = signed(text, &key) else { panic!("an object") };
            members.push((PRIVATE_ANSWER.to_owned(), "hunter2".into()));
            Json::Object(members)
        };
        assert!(check(&with_words(r#"{"id":"a","answer":null,"private":true}"#), "a", None, &[key.verifying()]).is_ok());
        for smuggled in [r#"{"id":"a","answer":"Yes"}"#, r#"{"id":"a","answer":"Yes","private":false}"#] {
            assert!(check(&with_words(smuggled), "a", None, &[key.verifying()]).is_err());
            assert!(check(&with_words(smuggled), "a", None, &[]).is_err());
        }
    }

    #[test]
    fn an_answer_to_another_question_is_none_even_without_keys() {
        let answer = Json::parse(ANSWER).unwrap();
        assert!(check(&answer, "a", None, &[]).is_ok());
        assert!(check(&answer, "b", None, &[]).is_err());
        assert!(check(&answer, "a", Some("0000000000000000"), &[]).is_err());
    }
}
