//! `ask new --wait`: nobody waits for a question that is left behind.

use std::sync::Mutex;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::command::{INCARNATION, answer, asked, record, run, start};
use crate::server::{Reply, Request, Server, none_yet, problem, reply};

const NEW: [&str; 8] = ["new", "R?", "-o", "A", "-o", "B", "--wait", "1h"];

/// Asks, holds every wait, and answers a withdrawal as told.
fn server(withdrawn: impl Fn() -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request| match request.line.as_str() {
        "POST /v1/questions" => asked(),
        "POST /v1/questions/rel-42/withdraw" => withdrawn(),
        _ => Reply::Hold,
    })
}

fn already(answer: &Value) -> Reply {
    reply(409, &json!({"status": 409, "code": "already_answered", "detail": "answered", "answer": answer}))
}

fn withdrawals(server: &Server) -> Vec<Request> {
    server.rest().into_iter().filter(|request| request.line.ends_with("/withdraw")).collect()
}

#[test]
fn asked_and_answered_the_output_is_the_answer_alone() {
    let server = Server::start(|request| match request.is("POST") {
        true => asked(),
        false => reply(200, &answer("chosen")),
    });
    let ended = run(&server, &NEW);
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
    assert_eq!(ended.words, "ask: asked rel-42\n");
    server.next();
    assert_eq!(server.next().line, format!("GET /v1/questions/rel-42/answer?incarnation={INCARNATION}"));
}

#[test]
fn on_a_signal_it_withdraws() {
    for signal in [Signal::INT, Signal::TERM] {
        let server = server(|| reply(200, &record("withdrawn")));
        let running = start(&server, &NEW);
        server.next();
        server.next();
        running.signal(signal);
        let ended = running.end();
        assert_eq!((ended.code, ended.json()), (5, json!({"id": "rel-42", "state": "withdrawn"})), "{ended:?}");
        let body = &withdrawals(&server)[0].body;
        assert_eq!(*body, json!({"reason": "the agent gave up waiting", "incarnation": INCARNATION}));
    }
}

#[test]
fn out_of_patience_it_withdraws() {
    let server = server(|| reply(200, &record("withdrawn")));
    let ended = run(&server, &["new", "R?", "-o", "A", "-o", "B", "--wait", "1s"]);
    assert_eq!((ended.code, ended.json()), (5, json!({"id": "rel-42", "state": "withdrawn"})), "{ended:?}");
    assert_eq!(withdrawals(&server).len(), 1);
}

#[test]
fn answered_in_the_moment_of_giving_up_it_prints_the_answer() {
    let tries = Mutex::new(0);
    let server = server(move || {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        match *tries {
            1 => Reply::Close,
            2 => problem(409, "answering"),
            _ => already(&answer("chosen")),
        }
    });
    let running = start(&server, &NEW);
    server.next();
    server.next();
    running.signal(Signal::TERM);
    let ended = running.end();
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
}

#[test]
fn declined_in_the_moment_of_giving_up_it_is_declined() {
    let server = server(|| already(&answer("declined")));
    let ended = run(&server, &["new", "R?", "-o", "A", "-o", "B", "--wait", "1s"]);
    assert_eq!((ended.code, ended.json()), (4, answer("declined")), "{ended:?}");
}

#[test]
fn with_keep_the_question_stays() {
    let server = server(|| panic!("nothing is withdrawn"));
    let running = start(&server, &[&NEW[..], &["--keep"]].concat());
    server.next();
    server.next();
    running.signal(Signal::TERM);
    let ended = running.end();
    assert_eq!((ended.code, ended.output.as_str()), (143, ""), "{ended:?}");
    assert!(withdrawals(&server).is_empty());
}

#[test]
fn with_keep_and_out_of_patience_it_is_still_open() {
    let server = Server::start(|request| match request.line.as_str() {
        "POST /v1/questions" => asked(),
        "GET /v1/questions/rel-42" => reply(200, &record("open")),
        _ => none_yet(),
    });
    let ended = run(&server, &["new", "R?", "-o", "A", "-o", "B", "--wait", "1s", "--keep"]);
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": "open"})), "{ended:?}");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let server = server(|| Reply::Hold);
    let running = start(&server, &NEW);
    server.next();
    server.next();
    running.signal(Signal::TERM);
    assert!(server.next().line.ends_with("/withdraw"));
    running.signal(Signal::INT);
    assert_eq!(running.end().code, 130);
}

#[test]
fn a_question_that_cannot_be_withdrawn_is_said_to_be_open() {
    let server = server(|| problem(500, "broken"));
    let ended = run(&server, &["new", "R?", "-o", "A", "-o", "B", "--wait", "1s"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("still be open") && ended.words.contains("ask withdraw rel-42"), "{ended:?}");
}

#[test]
fn a_wait_that_goes_wrong_leaves_no_question_behind() {
    let server = Server::start(|request| match request.line.as_str() {
        "POST /v1/questions" => asked(),
        "POST /v1/questions/rel-42/withdraw" => reply(200, &record("withdrawn")),
        _ => problem(500, "broken"),
    });
    let ended = run(&server, &NEW);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("it was withdrawn"), "{ended:?}");
    assert_eq!(withdrawals(&server).len(), 1);
}

#[test]
fn interrupted_while_the_service_cannot_be_reached_it_says_how_to_ask_again() {
    let server = Server::start(|_| Reply::Close);
    let running = start(&server, &[&NEW[..], &["--publication-id", "pub-1"]].concat());
    server.next();
    running.signal(Signal::TERM);
    let ended = running.end();
    assert_eq!((ended.code, ended.output.as_str()), (143, ""), "{ended:?}");
    assert!(ended.words.contains("--publication-id pub-1"), "{ended:?}");
}
