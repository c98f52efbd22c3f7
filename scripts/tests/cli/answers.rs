//! `ask answer` and `ask list`: reading, without waiting.

use serde_json::json;

use crate::command::{INCARNATION, against, answer, beside_the_record, record, run};
use crate::server::{Reply, Server, none_yet, problem, reply};

#[test]
fn every_outcome_has_its_code_and_is_printed_as_it_was_received() {
    let check = |outcome: &'static str, code: i32| {
        let ended = against(move || reply(200, &answer(outcome)), &["answer", "rel-42"]);
        assert_eq!(ended.code, code, "{ended:?}");
        assert_eq!(ended.json(), answer(outcome));
        assert_eq!(ended.output.lines().count(), 1);
    };
    check("chosen", 0);
    check("own_words", 0);
    check("declined", 4);
    check("cancelled", 4);
    check("expired", 4);
    check("defaulted", 6);
}

#[test]
fn an_outcome_that_is_not_known_is_no_answer() {
    let ended = against(|| reply(200, &answer("half_approved")), &["answer", "rel-42"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""));
}

#[test]
fn without_an_answer_the_state_is_printed() {
    let check = |state: &'static str, code: i32| {
        let server = Server::start(move |request| match request.is("GET /v1/questions/rel-42/answer") {
            true => none_yet(),
            false => reply(200, &record(state)),
        });
        let ended = run(&server, &["answer", "rel-42"]);
        assert_eq!((ended.code, ended.json()), (code, json!({"id": "rel-42", "state": state})), "{ended:?}");
    };
    check("open", 3);
    check("answering", 3);
    check("cancelled", 4);
}

#[test]
fn a_withdrawn_question_is_five_and_an_unknown_one_eight() {
    let ended = against(|| problem(410, "withdrawn"), &["answer", "rel-42"]);
    assert_eq!((ended.code, ended.json()), (5, json!({"id": "rel-42", "state": "withdrawn"})));
    let ended = against(|| problem(404, "not_found"), &["answer", "rel-42"]);
    assert_eq!((ended.code, ended.output.as_str()), (8, ""));
}

#[test]
fn an_answer_that_was_too_old_is_named_with_by_how_much() {
    let ignored = || Reply::Send(204, vec![("Pager-Ignored-At", "2026-11-30T13:20:00.000Z".to_owned())], String::new());
    let server = Server::start(move |request| match request.is("GET /v1/questions/rel-42/answer") {
        true => ignored(),
        false => reply(200, &record("answered")),
    });
    let ended = run(&server, &["answer", "rel-42", "--since", "2026-11-30T13:22:15Z"]);
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(ended.words.contains("2026-11-30T13:20:00.000Z") && ended.words.contains("1m15s too old"), "{ended:?}");
    assert_eq!(server.next().line, "GET /v1/questions/rel-42/answer?since=2026-11-30T13%3A22%3A15.000Z");
}

#[test]
fn the_incarnation_decides_alone() {
    let server = beside_the_record(|_| reply(200, &answer("chosen")));
    assert_eq!(run(&server, &["answer", "rel-42", "--since", "9999999999", "--incarnation", INCARNATION]).code, 0);
    assert_eq!(server.next().line, format!("GET /v1/questions/rel-42/answer?incarnation={INCARNATION}"));
    let other = run(&server, &["answer", "rel-42", "--incarnation", "0000000000000000"]);
    assert_eq!((other.code, other.output.as_str()), (1, ""));
}

#[test]
fn list_prints_the_page_as_it_was_received() {
    let server = Server::start(|_| reply(200, &json!({"items": [{"id": "rel-42", "of_later": 1}], "next": "abc"})));
    let ended = run(&server, &["list", "--state", "open", "--limit", "3", "--cursor", "a&b"]);
    assert_eq!((ended.code, ended.json()), (0, json!({"items": [{"id": "rel-42", "of_later": 1}], "next": "abc"})));
    assert_eq!(server.next().line, "GET /v1/questions?limit=3&state=open&cursor=a%26b");
}

#[test]
fn for_a_model_the_text_of_the_service_is_printed_with_the_code_of_the_outcome() {
    let check = |outcome: &'static str, code: i32| {
        let server = beside_the_record(move |request| match request.is("GET /v1/questions/rel-42/answer") {
            true => reply(200, &answer(outcome)),
            false => {
                assert!(request.is("GET /v1/questions/rel-42/resume"));
                Reply::Send(
                    200,
                    vec![("Content-Type", "text/plain".to_owned())],
                    "rel-42 ANSWERED\n<task-data>\nYes\n</task-data>\n".to_owned(),
                )
            }
        });
        let ended = run(&server, &["answer", "rel-42", "--resume"]);
        assert_eq!((ended.code, ended.output.as_str()), (code, "rel-42 ANSWERED\n<task-data>\nYes\n</task-data>\n"), "{ended:?}");
    };
    check("chosen", 0);
    check("declined", 4);
    let none =
        Server::start(
            |request| if request.is("GET /v1/questions/rel-42/answer") { none_yet() } else { reply(200, &record("open")) },
        );
    let ended = run(&none, &["answer", "rel-42", "--resume"]);
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": "open"})));
}
