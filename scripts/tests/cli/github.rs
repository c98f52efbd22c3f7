//! `ask` in GitHub mode: asking, looking, waiting.

use pager_questions::SigningKey;
use rustix::process::Signal;
use serde_json::json;

use crate::command::{INCARNATION, answer, signed};
use crate::hub::{ASKED_AT, Hub, not_found};
use crate::server::{Reply, reply};

const NEW: [&str; 8] = ["new", "Release?", "-o", "yes=Yes", "-o", "no=No", "--id", "rel-42"];
const FILE: &str = "answers/rel-42.json";
/// printf rel-42 | sha256sum
const ARCHIVED: &str = "archive/68/rel-42.json";
const DISPATCH: &str = "POST /repos/ada/control/dispatches";
const HEAD: &str = "GET /repos/ada/answers/commits";

#[test]
fn new_proves_that_it_can_read_then_sends_and_says_no_more_than_that() {
    let hub = Hub::start();
    let ended = hub.ask(&[&NEW[..], &["--publication-id", "pub-1"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(
        ended.output,
        format!("{{\"id\":\"rel-42\",\"incarnation\":null,\"asked_at\":\"{ASKED_AT}\",\"state\":null,\"link\":null}}\n")
    );
    assert!(ended.words.contains("sent rel-42 to ada/control; whether it arrived is not told"), "{ended:?}");
    let lines: Vec<String> = (0..5).map(|_| hub.next().line).collect();
    assert_eq!(lines[3], "GET /repos/ada/answers");
    assert_eq!(lines[4], DISPATCH);
    let event = &hub.state().events[0];
    let uuid = event["client_payload"]["pager"]["event"].clone();
    assert_eq!(uuid.as_str().unwrap().len(), 36);
    assert_eq!(
        *event,
        json!({"event_type": "pager-ask", "client_payload": {"pager": {
            "id": "rel-42", "text": "Release?", "publication_id": "pub-1", "event": uuid, "sent_at": ASKED_AT,
            "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}],
        }}})
    );
}

#[test]
fn an_agent_may_name_itself_and_the_tool_makes_the_id() {
    let hub = Hub::start();
    let ended = hub.start_ask(&[("ASK_AGENT", "ci")], &["new", "R?", "-o", "A", "-o", "B", "--print", "id"]).end();
    assert_eq!(ended.code, 0, "{ended:?}");
    let pager = hub.state().events[0]["client_payload"]["pager"].clone();
    assert_eq!((pager["agent"].as_str(), pager["id"].as_str()), (Some("ci"), Some(ended.output.trim())));
    assert!(ended.output.starts_with("q-"), "{ended:?}");
}

#[test]
fn nothing_is_sent_when_answers_cannot_be_read() {
    let check = |line: &'static str, fault: Reply, words: &str| {
        let hub = Hub::start();
        hub.fail(line, fault);
        let ended = hub.ask(&NEW);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
        assert!(hub.state().events.is_empty());
    };
    check("GET /repos/ada/answers", not_found(), "expired or was revoked");
    check("GET /repos/ada/answers", not_found(), "ASK_ANSWERS_TOKEN");
    check("GET /repos/ada/answers", reply(401, &json!({"message": "Bad credentials"})), "Bad credentials");
    check(HEAD, reply(422, &json!({"message": "No commit found for SHA: main"})), "no branch main");
    check(HEAD, reply(409, &json!({"message": "Git Repository is empty."})), "no branch main");
}

#[test]
fn a_used_id_is_refused_and_nothing_is_sent() {
    for path in [FILE, ARCHIVED] {
        let hub = Hub::start();
        hub.state().commit(path, answer("chosen").to_string());
        let ended = hub.ask(&NEW);
        assert_eq!((ended.code, ended.output.as_str()), (7, ""), "{ended:?}");
        assert!(ended.words.contains("ask answer rel-42"), "{ended:?}");
        assert!(hub.state().events.is_empty());
    }
}

#[test]
fn what_pagerd_would_refuse_is_refused_before_anything_is_asked_of_github() {
    let check = |arguments: &[&str], words: &str| {
        let hub = Hub::start();
        hub.fail("", Reply::Close);
        let ended = hub.ask(arguments);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
        assert_eq!(hub.state().faults.len(), 1);
    };
    let long = "é".repeat(32_000);
    check(&["new", &long, "-o", "A", "-o", "B"], "61440");
    check(&["new", &long[..4000], "-o", "A", "-o", "B"], "text");
    check(&["new", "R?", "-o", "A", "-o", "A"], "options[1].label");
    check(&["withdraw", "rel-42", "--reason", &long], "61440");
    check(&["withdraw", "rel-42", "--incarnation", INCARNATION], "direct mode");
}

#[test]
fn an_event_whose_fate_is_unknown_is_sent_again_as_the_same() {
    let hub = Hub::start();
    hub.fail(DISPATCH, Reply::Close);
    hub.fail(DISPATCH, reply(502, &json!({"message": "Server Error"})));
    assert_eq!(hub.ask(&NEW).code, 0);
    let mut events = Vec::new();
    while events.len() < 3 {
        let request = hub.next();
        if request.is(DISPATCH) {
            events.push(request.body["client_payload"]["pager"]["event"].clone());
        }
    }
    assert!(events[0].is_string() && events.iter().all(|event| *event == events[0]), "{events:?}");
}

#[test]
fn an_event_that_never_comes_through_is_said_to_be_unknown() {
    let hub = Hub::start();
    for _ in 0..9 {
        hub.fail(DISPATCH, Reply::Close);
    }
    let ended = hub.ask(&[&NEW[..], &["--publication-id", "pub-1"]].concat());
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("is not known") && ended.words.contains("--publication-id pub-1"), "{ended:?}");
}

#[test]
fn a_refusal_to_dispatch_is_passed_on() {
    let check = |fault: Reply, code: i32, words: &str| {
        let hub = Hub::start();
        hub.fail(DISPATCH, fault);
        let ended = hub.ask(&NEW);
        assert_eq!((ended.code, ended.output.as_str()), (code, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
    };
    check(reply(422, &json!({"message": "client_payload is too large."})), 2, "client_payload is too large.");
    check(not_found(), 1, "Contents (write)");
    let headers = vec![("x-accepted-github-permissions", "contents=write".to_owned())];
    let forbidden = json!({"message": "Resource not accessible by personal access token"}).to_string();
    check(Reply::Send(403, headers, forbidden), 1, "contents=write");
}

#[test]
fn the_printed_time_protects_from_an_older_answer() {
    let hub = Hub::start();
    let since = hub.ask(&[&NEW[..], &["--print", "time"]].concat()).output;
    assert_eq!(since.trim(), ASKED_AT);
    let mut old = answer("chosen");
    old["at"] = "2026-11-30T13:21:14.999Z".into();
    hub.state().commit(FILE, old.to_string());
    let looked = hub.ask(&["answer", "rel-42", "--since", since.trim()]);
    assert_eq!((looked.code, looked.json()), (3, json!({"id": "rel-42", "state": null})), "{looked:?}");
    assert!(looked.words.contains("1 ms too old"), "{looked:?}");
    old["at"] = "2026-11-30T13:21:15.000Z".into();
    hub.state().commit(FILE, old.to_string());
    assert_eq!(hub.ask(&["answer", "rel-42", "--since", since.trim()]).json(), old);
    let other = hub.ask(&["answer", "rel-42", "--incarnation", "0000000000000000"]);
    assert_eq!(other.code, 3, "{other:?}");
    assert!(other.words.contains("belongs to another question"), "{other:?}");
}

#[test]
fn an_answer_is_found_in_the_archive_and_absent_is_three() {
    let hub = Hub::start();
    let none = hub.ask(&["answer", "rel-42"]);
    assert_eq!((none.code, none.json()), (3, json!({"id": "rel-42", "state": null})), "{none:?}");
    hub.state().commit(ARCHIVED, answer("declined").to_string());
    let ended = hub.ask(&["answer", "rel-42"]);
    assert_eq!((ended.code, ended.json()), (4, answer("declined")), "{ended:?}");
    assert!(ended.words.contains("not verified") && ended.words.contains("ASK_VERIFY_KEY"), "{ended:?}");
}

#[test]
fn waiting_costs_no_quota_while_nothing_changes() {
    let hub = Hub::start();
    let waiting = hub.start_ask(&[], &["--look-every", "5", "wait", "rel-42", "--timeout", "0"]);
    while hub.state().unchanged < 40 {
        hub.until(HEAD);
    }
    let paid = hub.state().paid.len();
    assert_eq!(paid, 4, "the head, the two places and the proof");
    // Somebody else's commit is looked at once.
    hub.state().commit("answers/other.json", "{}");
    let unchanged = hub.state().unchanged;
    while hub.state().unchanged < unchanged + 5 {
        hub.until(HEAD);
    }
    assert_eq!(hub.state().paid.len(), paid + 4);
    hub.state().commit(FILE, answer("own_words").to_string());
    let ended = waiting.end();
    assert_eq!((ended.code, ended.json()), (0, answer("own_words")), "{ended:?}");
}

#[test]
fn interrupted_a_wait_ends_at_once_and_sends_nothing() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let hub = Hub::start();
        let waiting = hub.start_ask(&[], &["wait", "rel-42"]);
        hub.until("GET /repos/ada/answers/contents/archive");
        waiting.signal(signal);
        let ended = waiting.end();
        assert_eq!((ended.code, ended.output.as_str()), (code, ""), "{ended:?}");
        assert!(ended.words.contains("ask withdraw rel-42"), "{ended:?}");
        assert!(hub.state().events.is_empty());
    }
}

#[test]
fn out_of_patience_it_says_how_to_go_on() {
    let hub = Hub::start();
    let ended = hub.ask(&["wait", "rel-42", "--timeout", "1s"]);
    assert_eq!((ended.code, ended.json()), (3, json!({"id": "rel-42", "state": null})), "{ended:?}");
    assert!(ended.words.contains("within 1s") && ended.words.contains("ask withdraw rel-42"), "{ended:?}");
}

#[test]
fn what_does_not_verify_is_an_error_of_every_verb() {
    let key = SigningKey::from_seed([1; 32]);
    let keys = key.verifying().to_string();
    let mut changed = signed(&key);
    changed["answer"] = "No".into();
    let mut foreign = signed(&key);
    foreign["id"] = "rel-43".into();
    let files = [
        changed.to_string(),
        foreign.to_string(),
        answer("chosen").to_string(),
        signed(&SigningKey::from_seed([2; 32])).to_string(),
        "<html>".to_owned(),
        format!("{}{}", signed(&key), " ".repeat(70_000)),
        format!("{}{}", signed(&key), " ".repeat(300_000)),
    ];
    for file in files {
        let hub = Hub::start();
        hub.state().commit(FILE, file);
        let old = ["answer", "rel-42", "--since", "9999999999"];
        for verb in [&["answer", "rel-42"][..], &["wait", "rel-42"], &["withdraw", "rel-42", "--reason", "x"], &old] {
            let ended = hub.ask_with_keys(&keys, verb);
            assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        }
        assert!(hub.state().events.is_empty());
    }
    let hub = Hub::start();
    hub.state().commit(FILE, signed(&key).to_string());
    let ended = hub.ask_with_keys(&keys, &["wait", "rel-42"]);
    assert_eq!((ended.code, ended.json(), ended.words.as_str()), (0, signed(&key), ""));
}

#[test]
fn the_other_verbs_say_that_they_need_direct_mode() {
    let hub = Hub::start();
    for arguments in [&["list"][..], &["decline", "rel-42"], &["cancel", "rel-42"], &["decide", "rel-42", "--option", "yes"]] {
        let ended = hub.ask(arguments);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        assert!(ended.words.contains("direct mode") && ended.words.contains("ASK_URL"), "{ended:?}");
    }
    assert!(hub.state().paid.is_empty());
}

#[test]
fn a_renamed_repository_is_followed_within_the_api_alone() {
    let hub = Hub::start();
    hub.state().commit(FILE, answer("chosen").to_string());
    let moved = format!("{}/repos/ada/answers", hub.url());
    hub.fail("GET /repos/ada/answers", Reply::Send(301, vec![("location", moved)], String::new()));
    assert_eq!(hub.ask(&["answer", "rel-42"]).code, 0);
    let stranger = Hub::start();
    let elsewhere = format!("{}/repos/ada/answers", stranger.url());
    hub.fail("GET /repos/ada/answers", Reply::Send(302, vec![("location", elsewhere)], String::new()));
    let ended = hub.ask(&["answer", "rel-42"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(stranger.state().paid.is_empty());
}
