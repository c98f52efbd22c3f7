//! The owner's verbs.

use std::sync::Mutex;

use serde_json::{Value, json};

use crate::command::{INCARNATION, TOKEN, against, answer, beside_the_record, record, run, start_with};
use crate::server::{Reply, Request, Server, problem, reply};

fn server(settled: impl Fn() -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request| if request.is("POST") { settled() } else { reply(200, &record("open")) })
}

fn posted(server: &Server) -> Vec<Request> {
    server.rest().into_iter().filter(|request| request.is("POST")).collect()
}

#[test]
fn decide_names_the_option_and_the_very_record() {
    let server = server(|| reply(200, &answer("chosen")));
    let ended = run(&server, &["decide", "rel-42", "--option", "no"]);
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
    let posted = &posted(&server)[0];
    assert_eq!(posted.line, "POST /v1/questions/rel-42/answer");
    assert_eq!(posted.body, json!({"option": "no", "answer": "No", "incarnation": INCARNATION}));
}

#[test]
fn own_words_are_sent_as_they_are_and_never_as_an_option() {
    let server = server(|| reply(200, &answer("own_words")));
    assert_eq!(run(&server, &["decide", "rel-42", "--words", "yes"]).code, 0);
    assert_eq!(posted(&server)[0].body, json!({"answer": "yes", "incarnation": INCARNATION}));
    let url = format!("http://{}", server.address());
    assert_eq!(start_with(&url, &[], "Two\nlines\n", &["decide", "rel-42", "--words", "-"]).end().code, 0);
    assert_eq!(posted(&server)[0].body["answer"], "Two\nlines");
}

#[test]
fn an_option_that_there_is_not_is_refused_with_those_there_are() {
    let server = server(|| panic!("nothing is decided"));
    let ended = run(&server, &["decide", "rel-42", "--option", "maybe"]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""));
    assert!(ended.words.contains("choose one of yes, no"), "{ended:?}");
}

#[test]
fn decline_and_cancel_are_done_and_a_decline_takes_no_body() {
    let very_record = json!({"incarnation": INCARNATION});
    for (verb, outcome, body) in [("decline", "declined", Value::Null), ("cancel", "cancelled", very_record)] {
        let server = server(move || reply(200, &answer(outcome)));
        let ended = run(&server, &[verb, "rel-42"]);
        assert_eq!((ended.code, ended.json()), (0, answer(outcome)), "{ended:?}");
        let posted = &posted(&server)[0];
        assert_eq!((posted.line.clone(), &posted.body), (format!("POST /v1/questions/rel-42/{verb}"), &body));
    }
}

#[test]
fn what_is_sent_again_is_sent_under_one_key() {
    let tries = Mutex::new(0);
    let server = server(move || {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        if *tries == 1 { Reply::Close } else { reply(200, &answer("declined")) }
    });
    assert_eq!(run(&server, &["decline", "rel-42"]).code, 0);
    let key = |request: &Request| request.headers.iter().find(|header| header.starts_with("idempotency-key: ask-")).cloned();
    let keys: Vec<_> = posted(&server).iter().map(key).collect();
    assert_eq!(keys.len(), 2);
    assert!(keys[0].is_some() && keys[0] == keys[1], "{keys:?}");
}

#[test]
fn an_end_that_came_first_is_seven_and_is_printed() {
    let check = |code: &'static str, printed: Value| {
        let answered = move || match code {
            "already_answered" => reply(409, &json!({"status": 409, "code": code, "detail": "", "answer": answer("chosen")})),
            _ => problem(409, code),
        };
        let server = server(answered);
        let ended = run(&server, &["decide", "rel-42", "--option", "yes"]);
        assert_eq!((ended.code, ended.json()), (7, printed), "{ended:?}");
    };
    check("already_answered", answer("chosen"));
    check("withdrawn", json!({"id": "rel-42", "state": "withdrawn"}));
    check("answering", json!({"id": "rel-42", "state": "answering"}));
}

#[test]
fn an_answer_that_is_being_saved_is_three_with_the_record() {
    let ended = against(|| reply(202, &record("answering")), &["decline", "rel-42"]);
    assert_eq!((ended.code, ended.json()), (3, record("answering")), "{ended:?}");
}

#[test]
fn on_the_machine_of_the_service_each_role_has_its_own_token() {
    let server = beside_the_record(|request| match request.is("POST") {
        true => reply(200, &answer("declined")),
        false => reply(200, &json!({"items": [], "next": null})),
    });
    let url = format!("http://{}", server.address());
    let data = tempfile::tempdir().unwrap();
    let local = json!({"url": url, "agent_token": "of-the-agent", "owner_token": "of-the-owner"});
    std::fs::write(data.path().join("local.json"), local.to_string()).unwrap();
    let run = |arguments: &[&str]| {
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_ask"))
            .env_clear()
            .env("PAGER_DATA_DIR", data.path())
            .args(arguments)
            .output()
            .unwrap();
        assert!(status.status.success(), "{status:?}");
        let request = server.rest().pop().unwrap();
        request.headers.into_iter().find(|header| header.starts_with("authorization")).unwrap()
    };
    assert_eq!(run(&["list"]), "authorization: bearer of-the-agent");
    assert_eq!(run(&["decline", "rel-42"]), "authorization: bearer of-the-owner");
    assert_ne!(TOKEN, "of-the-owner");
}

#[test]
fn an_answer_that_was_refused_is_not_sent_again() {
    let server = server(|| problem(502, "save_refused"));
    let ended = run(&server, &["decline", "rel-42"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("because save_refused"), "{ended:?}");
    assert_eq!(posted(&server).len(), 1);
}
