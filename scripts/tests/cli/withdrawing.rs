//! `ask withdraw`.

use std::sync::Mutex;

use serde_json::json;

use crate::command::{against, answer, record, run};
use crate::server::{Reply, Server, problem, reply};

const WITHDRAW: [&str; 4] = ["withdraw", "rel-42", "--reason", "the tests settled it"];

#[test]
fn withdrawn_it_prints_the_record() {
    let tries = Mutex::new(0);
    let server = Server::start(move |_| {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        if *tries == 1 { Reply::Close } else { reply(200, &record("withdrawn")) }
    });
    let ended = run(&server, &WITHDRAW);
    assert_eq!((ended.code, ended.json()), (0, record("withdrawn")), "{ended:?}");
    let request = server.next();
    assert_eq!(request.line, "POST /v1/questions/rel-42/withdraw");
    assert_eq!(request.body, json!({"reason": "the tests settled it"}));
}

#[test]
fn answered_after_all_is_nine_with_that_answer() {
    for outcome in ["chosen", "declined"] {
        let too_late =
            move || reply(409, &json!({"status": 409, "code": "already_answered", "detail": "", "answer": answer(outcome)}));
        let ended = against(too_late, &WITHDRAW);
        assert_eq!((ended.code, ended.json()), (9, answer(outcome)), "{ended:?}");
    }
}

#[test]
fn every_other_end_has_its_code() {
    let ended = against(|| problem(409, "answering"), &WITHDRAW);
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": "answering"})));
    assert_eq!(against(|| problem(409, "incarnation_mismatch"), &WITHDRAW).code, 7);
    assert_eq!(against(|| problem(404, "not_found"), &WITHDRAW).code, 8);
    assert_eq!(against(|| problem(401, "unauthenticated"), &WITHDRAW).code, 1);
    assert_eq!(against(|| problem(422, "invalid"), &WITHDRAW).code, 2);
}

#[test]
fn an_end_without_an_answer_is_told_by_its_state() {
    let ended = || reply(409, &json!({"status": 409, "code": "already_answered", "detail": "", "state": "cancelled"}));
    let ended = against(ended, &WITHDRAW);
    assert_eq!((ended.code, ended.json()), (4, json!({"id": "rel-42", "state": "cancelled"})), "{ended:?}");
}
