//! Offering a part of what is asked for, and picking.

use std::sync::Mutex;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::command::{INCARNATION, against, run, start, start_with};
use crate::hub::{ASKED_AT, Hub};
use crate::pagerd::{AT, pagerd, pagerd_with, picked, record};
use crate::server::{Reply, none_yet, problem, reply};

const OFFER: [&str; 8] = [
    "offer",
    "r-17",
    "--deliverable",
    "untested code",
    "--missing",
    "a build and a test run",
    "--why",
    "no compiler in this run",
];

#[test]
fn an_offer_is_made_with_everything_that_was_said_and_printed_as_a_question_is() {
    let server = pagerd();
    let more = ["--or", "not now", "--deadline", "2026-11-30T18:00:00Z", "--default", "out", "--id", "r-17-offer"];
    let ended = run(&server, &[&OFFER[..], &more, &["--wake", "helper", "--publication-id", "pub-1"]].concat());
    let printed = format!(
        "{{\"id\":\"r-17-offer\",\"incarnation\":\"{INCARNATION}\",\"asked_at\":\"{AT}\",\"state\":\"open\",\"link\":null}}\n"
    );
    assert_eq!((ended.code, ended.output, ended.words.as_str()), (0, printed, ""));
    let request = server.next();
    assert_eq!(request.line, "POST /v1/requests/r-17/offers");
    assert_eq!(
        request.body,
        json!({
            "deliverable": "untested code", "missing": "a build and a test run", "why": "no compiler in this run", "or": "not now",
            "deadline": "2026-11-30T18:00:00.000Z", "default": "out", "id": "r-17-offer", "wake": "helper", "publication_id": "pub-1",
        })
    );
    assert_eq!(run(&server, &OFFER).code, 0);
    let names: Vec<String> = server.next().body.as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["deliverable", "missing", "publication_id", "why"], "what was not said is not sent");
}

#[test]
fn a_wait_for_the_pick_ends_as_one_for_an_answer() {
    let check = |answered: fn() -> Reply, code: i32, printed: Value| {
        let server = pagerd_with(move |request| request.is("GET /v1/questions/r-17-offer/answer").then(answered));
        let ended = run(&server, &[&OFFER[..], &["--wait", "1h"]].concat());
        assert_eq!((ended.code, ended.json()), (code, printed), "{ended:?}");
        assert_eq!(ended.words, "ask: asked r-17-offer\n");
    };
    let ended = |state: &str| json!({"id": "r-17-offer", "state": state});
    check(|| reply(200, &picked("r-17-offer", "chosen")), 0, picked("r-17-offer", "chosen"));
    check(|| reply(200, &picked("r-17-offer", "own_words")), 0, picked("r-17-offer", "own_words"));
    check(|| reply(200, &picked("r-17-offer", "defaulted")), 6, picked("r-17-offer", "defaulted"));
    check(|| reply(200, &picked("r-17-offer", "declined")), 4, picked("r-17-offer", "declined"));
    check(|| reply(410, &json!({"status": 410, "code": "withdrawn", "detail": ""})), 5, ended("withdrawn"));
}

#[test]
fn whoever_gives_up_waiting_takes_the_offer_back_unless_it_is_kept() {
    let scripted = || {
        pagerd_with(|request| match request.line.as_str() {
            "POST /v1/questions/r-17-offer/withdraw" => Some(reply(200, &record("r-17-offer", "withdrawn"))),
            "GET /v1/questions/r-17-offer" => Some(reply(200, &record("r-17-offer", "open"))),
            line if line.starts_with("GET") => Some(Reply::Hold),
            _ => None,
        })
    };
    let server = scripted();
    let ended = run(&server, &[&OFFER[..], &["--wait", "1s"]].concat());
    assert_eq!((ended.code, ended.json()), (5, json!({"id": "r-17-offer", "state": "withdrawn"})), "{ended:?}");
    for (kept, code) in [(false, 5), (true, 130)] {
        let server = scripted();
        let keep: &[&str] = if kept { &["--keep"] } else { &[] };
        let running = start(&server, &[&OFFER[..], &["--wait", "1h"], keep].concat());
        server.next();
        server.next();
        running.signal(Signal::INT);
        assert_eq!(running.end().code, code);
        let withdrawn = server.rest().iter().any(|request| request.line.ends_with("/withdraw"));
        assert_eq!(withdrawn, !kept);
    }
}

#[test]
fn each_refusal_of_an_offer_has_its_code() {
    let server = pagerd();
    let check = |arguments: &[&str], code: i32, words: &str| {
        let ended = run(&server, arguments);
        assert_eq!((ended.code, ended.output.as_str()), (code, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
    };
    let elsewhere: Vec<&str> = OFFER.iter().map(|word| if *word == "r-17" { "r-18" } else { *word }).collect();
    check(&elsewhere, 8, "r-18");
    check(&[&OFFER[..], &["--or", "untested code"]].concat(), 2, "or");
    check(&[&OFFER[..], &["--default", "out"]].concat(), 2, "--deadline");
    check(&[&OFFER[..], &["--deadline", "1h", "--default", "both"]].concat(), 2, "deliverable, out");
    check(&[&OFFER[..], &["--wake", "No Name"]].concat(), 2, "--wake");
    check(&[&OFFER[..], &["--keep"]].concat(), 2, "--wait");
    check(&OFFER[..6], 2, "--why");
    let lost = against(|| problem(500, "broken"), &[&OFFER[..], &["--publication-id", "pub-1"]].concat());
    assert_eq!(lost.code, 1, "{lost:?}");
    assert!(lost.words.contains("--publication-id pub-1"), "{lost:?}");
    for (status, code) in [(429, "capacity"), (409, "id_used"), (409, "draft_changed")] {
        assert_eq!(against(move || problem(status, code), &OFFER).code, 7, "{code}");
    }
}

#[test]
fn through_a_repository_an_offer_is_sent_with_an_id_and_its_pick_is_found_there() {
    let hub = Hub::start();
    let ended = hub.ask(&[&OFFER[..], &["--publication-id", "pub-1"]].concat());
    let (event, id) = (hub.state().events[0].clone(), ended.json()["id"].clone());
    let printed = json!({"id": id, "incarnation": null, "asked_at": ASKED_AT, "state": null, "link": null});
    assert_eq!((ended.code, ended.json()), (0, printed), "{ended:?}");
    assert!(id.as_str().unwrap().starts_with("q-"), "{id}");
    let uuid = event["client_payload"]["pager"]["event"].clone();
    assert_eq!(
        event,
        json!({"event_type": "pager-offer", "client_payload": {"pager": {
            "request": "r-17", "id": id, "deliverable": "untested code", "missing": "a build and a test run",
            "why": "no compiler in this run", "publication_id": "pub-1", "event": uuid, "sent_at": ASKED_AT,
        }}})
    );
    for (outcome, code) in [("chosen", 0), ("defaulted", 6)] {
        let hub = Hub::start();
        hub.state().then = Some(Box::new(move |state| {
            state.commit("answers/r-17-offer.json", picked("r-17-offer", outcome).to_string());
        }));
        let ended = hub.ask(&[&OFFER[..], &["--id", "r-17-offer", "--wait", "1h"]].concat());
        assert_eq!((ended.code, ended.json()), (code, picked("r-17-offer", outcome)), "{ended:?}");
    }
    let hub = Hub::start();
    let gone = hub.ask(&[&OFFER[..], &["--id", "r-17-offer", "--wait", "1s"]].concat());
    assert_eq!((gone.code, gone.json()), (5, json!({"id": "r-17-offer", "state": "withdrawal_sent"})), "{gone:?}");
    let kinds: Vec<Value> = hub.state().events.iter().map(|event| event["event_type"].clone()).collect();
    assert_eq!(kinds, ["pager-offer", "pager-withdraw"]);
}

#[test]
fn what_pagerd_would_refuse_of_an_offer_is_not_sent() {
    let hub = Hub::start();
    for (arguments, words) in [
        ([&OFFER[..], &["--or", "untested code"]].concat(), "or"),
        ([&OFFER[..7], &["x".repeat(251).leak()]].concat(), "why"),
        ([&OFFER[..7], &["x".repeat(62_000).leak()]].concat(), "61440"),
    ] {
        let ended = hub.ask(&arguments);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
    }
    assert!(hub.state().events.is_empty());
}

#[test]
fn a_pick_names_the_option_or_the_words_and_the_very_record() {
    let server = pagerd();
    let url = format!("http://{}", server.address());
    let check = |input: &str, arguments: &[&str], body: Value| {
        let ended = start_with(&url, &[], input, &[&["pick", "r-1-offer"], arguments].concat()).end();
        assert_eq!((ended.code, ended.json(), ended.words.as_str()), (0, picked("r-1-offer", "chosen"), ""));
        let posted = server.rest().into_iter().find(|request| request.is("POST")).unwrap();
        assert_eq!((posted.line.as_str(), posted.body), ("POST /v1/questions/r-1-offer/pick", body));
    };
    check("", &["--option", "deliverable"], json!({"option": "deliverable", "incarnation": INCARNATION}));
    check("", &["--words", "out"], json!({"words": "out", "incarnation": INCARNATION}));
    check("Two\nlines\n", &["--words", "-"], json!({"words": "Two\nlines", "incarnation": INCARNATION}));
    let secret = json!({"words": "ghp_x", "incarnation": INCARNATION, "confirm_secret": true});
    check("", &["--words", "ghp_x", "--send-anyway"], secret);
}

#[test]
fn a_pick_whose_reply_is_lost_is_made_again_under_one_key() {
    let tries = Mutex::new(0);
    let server = pagerd_with(move |request| {
        let mut tries = tries.lock().unwrap();
        *tries += usize::from(request.is("POST"));
        (request.is("POST") && *tries == 1).then_some(Reply::Close)
    });
    assert_eq!(run(&server, &["pick", "r-1-offer", "--option", "out"]).code, 0);
    let posted: Vec<_> = server.rest().into_iter().filter(|request| request.is("POST")).collect();
    let key = |at: usize| posted[at].headers.iter().find(|header| header.starts_with("idempotency-key: ask-")).unwrap().clone();
    assert_eq!((posted.len(), key(0)), (2, key(1)));
}

#[test]
fn a_pick_that_comes_too_late_is_seven_with_the_outcome_and_says_that_it_is_kept() {
    let server = pagerd_with(|request| {
        let kept = "Its deadline passed, and its default holds. What was picked first since then is kept in the thread";
        let late = json!({"status": 409, "code": "already_answered", "detail": kept, "answer": picked("r-1-offer", "defaulted")});
        request.is("POST").then(|| reply(409, &late))
    });
    let ended = run(&server, &["pick", "r-1-offer", "--option", "deliverable"]);
    assert_eq!((ended.code, ended.json()), (7, picked("r-1-offer", "defaulted")), "{ended:?}");
    assert!(ended.words.contains("is kept in the thread"), "{ended:?}");
}

#[test]
fn what_is_not_yours_to_pick_is_eight_and_secrets_are_held_back() {
    let server = pagerd();
    let unknown = run(&server, &["pick", "r-2-offer", "--option", "out"]);
    assert_eq!((unknown.code, unknown.output.as_str()), (8, ""), "{unknown:?}");
    let held = pagerd_with(|request| request.is("POST").then(|| problem(422, "looks_secret")));
    let ended = run(&held, &["pick", "r-1-offer", "--words", "ghp_x"]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
    assert!(ended.words.contains("--send-anyway"), "{ended:?}");
    let saving = pagerd_with(|request| request.is("POST").then(|| reply(202, &record("r-1-offer", "answering"))));
    let ended = run(&saving, &["pick", "r-1-offer", "--option", "out"]);
    assert_eq!((ended.code, &ended.json()["state"]), (3, &json!("answering")), "{ended:?}");
    for wrong in [&["pick", "r-1-offer"][..], &["pick", "r-1-offer", "--option", "out", "--words", "x"], &["pick"]] {
        assert_eq!(against(none_yet, wrong).code, 2);
    }
}

#[test]
fn picking_needs_direct_mode() {
    let ended = Hub::start().ask(&["pick", "r-1-offer", "--option", "out"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("direct mode") && ended.words.contains("ASK_URL"), "{ended:?}");
}

#[test]
fn a_question_may_say_what_it_is_about_and_an_offer_has_to() {
    let server = crate::server::Server::start(|_| crate::command::asked());
    let new = ["new", "Which grammar?", "-o", "A", "-o", "B"];
    assert_eq!(run(&server, &[&new[..], &["--about", "r-17"]].concat()).code, 0);
    let body = server.next().body;
    assert_eq!((&body["about"], body.get("purpose")), (&json!("r-17"), None));
    assert_eq!(run(&server, &[&new[..], &["--about", "r-17", "--purpose", "offer"]].concat()).code, 0, "no waiting-on is needed");
    assert_eq!(server.next().body["purpose"], "offer");
    for (wrong, words) in [(&["--purpose", "offer"][..], "--about"), (&["--about", "R 17"], "id of a request")] {
        let ended = run(&server, &[&new[..], wrong].concat());
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
    }
    assert!(server.rest().is_empty());
}
