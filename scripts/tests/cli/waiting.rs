//! `ask wait`: patience, reconnecting, signals.

use std::sync::Mutex;
use std::sync::mpsc::channel;

use rustix::process::Signal;
use serde_json::json;

use crate::command::{RECORD, answer, beside_the_record, record, run, start};
use crate::server::{Reply, Server, none_yet, problem, reply};

#[test]
fn wait_holds_one_request_until_the_answer_comes() {
    let (answered, gate) = channel();
    let gate = Mutex::new(gate);
    let server = beside_the_record(move |_| {
        gate.lock().unwrap().recv().unwrap();
        reply(200, &answer("chosen"))
    });
    let running = start(&server, &["wait", "rel-42", "--timeout", "0"]);
    answered.send(()).unwrap();
    let ended = running.end();
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
    assert_eq!(ended.words, "");
    assert_eq!(server.next().line, RECORD);
    let request = server.next();
    assert!(request.headers.contains(&"prefer: wait=55".to_owned()), "{request:?}");
    assert!(server.rest().is_empty());
}

#[test]
fn wait_survives_a_server_that_goes_away() {
    let first = beside_the_record(|_| Reply::Hold);
    let address = first.address();
    let running = start(&first, &["wait", "rel-42"]);
    first.next();
    first.next();
    drop(first);
    let tries = Mutex::new(0);
    let second = Server::start_at(address, move |request| {
        if request.line == RECORD {
            return reply(200, &record("answered"));
        }
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        match *tries {
            1 => Reply::Close,
            2 => Reply::Send(502, Vec::new(), "<html>a proxy".to_owned()),
            3 => none_yet(),
            _ => reply(200, &answer("own_words")),
        }
    });
    let ended = running.end();
    assert_eq!((ended.code, ended.json()), (0, answer("own_words")), "{ended:?}");
    assert!(ended.words.contains("trying again"), "{ended:?}");
    let reads = second.rest().into_iter().filter(|request| request.is("GET /v1/questions/rel-42/answer"));
    assert_eq!(reads.count(), 4);
}

#[test]
fn out_of_patience_it_says_that_the_question_is_open_and_how_to_withdraw() {
    let server = Server::start(|request| match request.line.as_str() {
        "GET /v1/questions/rel-42" => reply(200, &record("open")),
        _ if request.headers.iter().any(|header| header.starts_with("prefer:")) => Reply::Hold,
        _ => none_yet(),
    });
    let ended = run(&server, &["wait", "rel-42", "--timeout", "1s"]);
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": "open"})), "{ended:?}");
    assert!(ended.words.contains("within 1s") && ended.words.contains("ask withdraw rel-42"), "{ended:?}");
}

#[test]
fn an_answer_of_the_last_moment_is_not_missed() {
    let server = beside_the_record(|request| match request.headers.iter().any(|header| header.starts_with("prefer:")) {
        true => Reply::Hold,
        false => reply(200, &answer("chosen")),
    });
    let ended = run(&server, &["wait", "rel-42", "--timeout", "1s"]);
    assert_eq!((ended.code, ended.json()), (0, answer("chosen")), "{ended:?}");
}

#[test]
fn interrupted_it_ends_at_once_and_the_question_stays() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let server = Server::start(|_| Reply::Hold);
        let running = start(&server, &["wait", "rel-42"]);
        server.next();
        running.signal(signal);
        let ended = running.end();
        assert_eq!((ended.code, ended.output.as_str()), (code, ""), "{ended:?}");
        assert!(ended.words.contains("still open"), "{ended:?}");
        assert!(server.rest().is_empty());
    }
}

#[test]
fn an_ignored_answer_is_named_once_and_the_wait_goes_on() {
    let tries = Mutex::new(0);
    let server = beside_the_record(move |_| {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        match *tries {
            1 | 2 => Reply::Send(204, vec![("Pager-Ignored-At", "2026-11-30T13:20:00.000Z".to_owned())], String::new()),
            _ => reply(200, &answer("chosen")),
        }
    });
    let ended = run(&server, &["wait", "rel-42", "--since", "2026-11-30T13:22:15Z"]);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.words.matches("too old").count(), 1, "{ended:?}");
}

#[test]
fn what_no_waiting_would_mend_ends_the_wait() {
    let check = |status: u16, code: &'static str, exit: i32| {
        let server = Server::start(move |_| problem(status, code));
        assert_eq!(run(&server, &["wait", "rel-42"]).code, exit, "{code}");
    };
    check(401, "unauthenticated", 1);
    check(403, "forbidden", 1);
    check(404, "not_found", 8);
    check(410, "withdrawn", 5);
    check(500, "broken", 1);
}

#[test]
fn a_question_that_ended_without_an_answer_ends_the_wait() {
    let server = Server::start(|request| match request.line.as_str() {
        "GET /v1/questions/rel-42" => reply(200, &record("cancelled")),
        _ => none_yet(),
    });
    let ended = run(&server, &["wait", "rel-42", "--timeout", "0"]);
    assert_eq!((ended.code, ended.json()), (4, json!({"id": "rel-42", "state": "cancelled"})), "{ended:?}");
}

#[test]
fn with_a_time_it_looks_once_before_it_is_held() {
    let server = beside_the_record(|request| match request.headers.iter().any(|header| header.starts_with("prefer:")) {
        true => reply(200, &answer("chosen")),
        false => none_yet(),
    });
    assert_eq!(run(&server, &["wait", "rel-42", "--since", "1"]).code, 0);
    assert_eq!(server.rest().len(), 3, "the record, a look, and what is held");
}

#[test]
fn out_of_patience_with_an_answer_that_is_too_old_it_does_not_say_that_the_question_is_open() {
    let server = Server::start(|request| match request.line.as_str() {
        "GET /v1/questions/rel-42" => reply(200, &record("answered")),
        _ => Reply::Send(204, vec![("Pager-Ignored-At", "2026-11-30T13:20:00.000Z".to_owned())], String::new()),
    });
    let ended = run(&server, &["wait", "rel-42", "--since", "2026-11-30T13:22:15Z", "--timeout", "1s"]);
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": "answered"})), "{ended:?}");
    assert!(ended.words.contains("does not count") && !ended.words.contains("still open"), "{ended:?}");
}
