//! What must never be taken for an answer, and what must never be shown. That no token is shown is checked for every run
//! of every test, all of them with RUST_LOG=trace.

use pager_questions::SigningKey;
use serde_json::{Value, json};

use crate::command::{Ended, TOKEN, against, answer, beside_the_record, signed, start_with};
use crate::server::{Reply, Server, problem, reply};

fn verified(body: Value, keys: &str, arguments: &[&str]) -> Ended {
    let server = beside_the_record(move |_| match body.get("code") {
        Some(_) => reply(409, &body),
        None => reply(200, &body),
    });
    start_with(&format!("http://{}", server.address()), &[("ASK_VERIFY_KEY", keys)], "", arguments).end()
}

#[test]
fn an_answer_counts_when_one_of_the_trusted_keys_signed_it() {
    let (key, other) = (SigningKey::from_seed([1; 32]), SigningKey::from_seed([2; 32]));
    let keys = format!("{}, {}", other.verifying(), key.verifying());
    for verb in ["answer", "wait"] {
        let ended = verified(signed(&key), &keys, &[verb, "rel-42"]);
        assert_eq!((ended.code, ended.json()), (0, signed(&key)), "{ended:?}");
        let ended = verified(signed(&SigningKey::from_seed([3; 32])), &keys, &[verb, "rel-42"]);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        assert!(ended.words.contains("ASK_VERIFY_KEY"), "{ended:?}");
    }
}

#[test]
fn a_tampered_answer_is_an_error_and_is_not_printed() {
    let key = SigningKey::from_seed([1; 32]);
    let keys = key.verifying().to_string();
    let mut changed = signed(&key);
    changed["answer"] = "No".into();
    let mut added = signed(&key);
    added["of_later"]["kept"] = false.into();
    let tampered = [changed, added, answer("chosen")];
    for body in tampered {
        let ended = verified(body.clone(), &keys, &["answer", "rel-42"]);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        let late = json!({"status": 409, "code": "already_answered", "detail": "", "answer": body});
        let ended = verified(late, &keys, &["withdraw", "rel-42"]);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    }
}

#[test]
fn an_answer_with_a_key_twice_is_none() {
    let twice = || Reply::Send(200, Vec::new(), r#"{"id":"rel-42","outcome":"declined","outcome":"chosen"}"#.to_owned());
    let ended = against(twice, &["answer", "rel-42"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
}

#[test]
fn the_answer_of_another_question_is_none() {
    let ended = against(|| reply(200, &answer("chosen")), &["answer", "another"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
}

#[test]
fn a_page_of_something_else_is_no_answer() {
    for status in [200, 302, 404, 405] {
        let page = move || Reply::Send(status, vec![("Location", "http://127.0.0.1:1/".to_owned())], "<html>Log in".to_owned());
        let ended = against(page, &["answer", "rel-42"]);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{status}: {ended:?}");
        assert!(ended.words.contains("ASK_URL"), "{ended:?}");
    }
}

#[test]
fn without_a_connection_the_message_says_what_to_do_and_shows_no_token() {
    let gone = Server::start(|_| Reply::Close).address();
    for variables in [&[][..], &[("ALL_PROXY", "http://127.0.0.1:1")][..]] {
        let ended = start_with(&format!("http://{gone}"), variables, "", &["list"]).end();
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        assert!(ended.words.contains(&gone.to_string()) && ended.words.contains("ASK_URL"), "{ended:?}");
    }
}

#[test]
fn words_of_the_service_cannot_steer_a_terminal() {
    let hostile = || reply(403, &json!({"code": "forbidden", "detail": "\u{1b}[2Jgone\u{202e}"}));
    let ended = against(hostile, &["list"]);
    assert!(!ended.words.contains('\u{1b}') && !ended.words.contains('\u{202e}'), "{ended:?}");
}

#[test]
fn a_token_that_cannot_be_one_is_refused_by_its_name_before_anything_is_sent() {
    let server = Server::start(|_| problem(401, "unauthenticated"));
    let url = format!("http://{}", server.address());
    let broken = format!("{TOKEN} {TOKEN}");
    let ended = start_with(&url, &[("ASK_TOKEN", &broken)], "", &["list"]).end();
    assert_eq!(ended.code, 1);
    assert!(ended.words.contains("ASK_TOKEN"), "{ended:?}");
    assert!(server.rest().is_empty());
}
