//! Private answers: handed over beside what is signed, and confirmed once they were printed.

use pager_questions::SigningKey;
use serde_json::{Value, json};

use crate::command::{INCARNATION, answer, asked, beside_the_record, run, start_with};
use crate::server::{Reply, Request, Server, none_yet, problem, reply};

const CONFIRM: &str = "POST /v1/questions/rel-42/private/confirm";

fn private(key: &SigningKey) -> Value {
    let mut answer = answer("own_words");
    (answer["choice"], answer["answer"], answer["private"]) = (Value::Null, Value::Null, true.into());
    answer["signature"] = key.sign(&serde_jcs::to_vec(&answer).unwrap()).into();
    answer["private_answer"] = "hunter2".into();
    answer
}

fn server(answer: Value, confirmed: impl Fn() -> Reply + Send + Sync + 'static) -> Server {
    beside_the_record(move |request| match request.line.as_str() {
        "POST /v1/questions" => asked(),
        CONFIRM => confirmed(),
        _ => reply(200, &answer),
    })
}

fn confirmations(server: &Server) -> Vec<Request> {
    server.rest().into_iter().filter(|request| request.line == CONFIRM).collect()
}

#[test]
fn private_words_are_printed_with_the_answer_and_confirmed() {
    let key = SigningKey::from_seed([1; 32]);
    let trusted = key.verifying().to_string();
    let new = ["new", "Token?", "-o", "A", "-o", "B", "--secret", "--wait", "1h"];
    for arguments in [&["wait", "rel-42"][..], &["answer", "rel-42"], &new] {
        let server = server(private(&key), none_yet);
        let url = format!("http://{}", server.address());
        let ended = start_with(&url, &[("ASK_VERIFY_KEY", &trusted)], "", arguments).end();
        assert_eq!((ended.code, ended.json()), (0, private(&key)), "{ended:?}");
        let confirmed = confirmations(&server);
        assert_eq!((confirmed.len(), &confirmed[0].body), (1, &json!({"incarnation": INCARNATION})), "{arguments:?}");
    }
}

#[test]
fn a_confirmation_that_fails_is_told_and_changes_nothing() {
    let key = SigningKey::from_seed([1; 32]);
    let server = server(private(&key), || problem(404, "not_found"));
    let ended = run(&server, &["wait", "rel-42"]);
    assert_eq!((ended.code, ended.json()), (0, private(&key)), "{ended:?}");
    assert!(ended.words.contains("because not_found") && !ended.words.contains("hunter2"), "{ended:?}");
}

#[test]
fn an_answer_that_nobody_could_read_is_not_confirmed() {
    let server = server(private(&SigningKey::from_seed([1; 32])), none_yet);
    let status = std::process::Command::new("sh")
        .args(["-c", "exec \"$0\" answer rel-42 > /dev/full", env!("CARGO_BIN_EXE_ask")])
        .env_clear()
        .envs([("ASK_URL", format!("http://{}", server.address())), ("ASK_TOKEN", "t".to_owned())])
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(confirmations(&server).is_empty());
}

#[test]
fn words_that_were_handed_over_before_are_said_to_be_gone() {
    let mut gone = private(&SigningKey::from_seed([1; 32]));
    gone.as_object_mut().unwrap().remove("private_answer");
    let server = server(gone.clone(), || panic!("there is nothing to confirm"));
    let ended = run(&server, &["answer", "rel-42"]);
    assert_eq!((ended.code, ended.json()), (0, gone), "{ended:?}");
    assert!(ended.words.contains("handed over before"), "{ended:?}");
}

#[test]
fn words_beside_an_answer_that_is_not_private_are_none() {
    let key = SigningKey::from_seed([1; 32]);
    for value in [Value::Null, false.into(), "true".into()] {
        let mut smuggled = private(&key);
        smuggled["private"] = value;
        let ended = run(&server(smuggled, none_yet), &["answer", "rel-42"]);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    }
}
