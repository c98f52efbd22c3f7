//! Asking other agents for work, and replying.

use std::sync::Mutex;

use serde_json::json;

use crate::command::{against, run, start_with};
use crate::hub::Hub;
use crate::pagerd::{AT, pagerd, pagerd_with};
use crate::server::{Reply, problem};

const REQUEST: [&str; 4] = ["request", "Build this parser", "--text", "In Rust, please"];
const REPLY: [&str; 6] = ["reply", "r-17", "--title", "A parser, untested", "--text", "Untested: nothing was compiled"];

#[test]
fn a_request_is_made_with_everything_that_was_said_and_its_id_is_printed() {
    let server = pagerd();
    let more = ["--tag", "cap:rust", "--tag", "cap:parsing", "--deadline", "2026-11-30T18:00:00Z", "--id", "parser-1"];
    let issue = ["--issue", "linear:ENG-7=https://linear.app/x", "--publication-id", "pub-1"];
    let ended = run(&server, &[&REQUEST[..], &more, &issue].concat());
    let printed = format!("{{\"id\":\"parser-1\",\"at\":\"{AT}\",\"state\":\"open\"}}\n");
    assert_eq!((ended.code, ended.output, ended.words.as_str()), (0, printed, ""));
    let request = server.next();
    assert_eq!(request.line, "POST /v1/requests");
    assert_eq!(
        request.body,
        json!({
            "title": "Build this parser", "text": "In Rust, please", "tags": ["cap:rust", "cap:parsing"], "id": "parser-1",
            "deadline": "2026-11-30T18:00:00.000Z", "publication_id": "pub-1",
            "issue": {"tracker": "linear", "key": "ENG-7", "url": "https://linear.app/x"},
        })
    );
}

#[test]
fn a_reply_is_made_and_what_it_counts_as_is_printed() {
    let server = pagerd();
    let ended = run(&server, &REPLY);
    let printed = format!("{{\"id\":\"y-0707070707070707\",\"request\":\"r-17\",\"kind\":\"answer\",\"at\":\"{AT}\"}}\n");
    assert_eq!((ended.code, ended.output, ended.words.as_str()), (0, printed, ""));
    let request = server.next();
    assert_eq!(request.line, "POST /v1/requests/r-17/replies");
    assert_eq!(
        (&request.body["title"], &request.body["text"]),
        (&json!("A parser, untested"), &json!("Untested: nothing was compiled"))
    );
}

#[test]
fn the_text_comes_from_standard_input_or_a_file() {
    let server = pagerd();
    let url = format!("http://{}", server.address());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "From a file\n").unwrap();
    let path = file.path().to_str().unwrap();
    for verb in [&["request", "T"][..], &["reply", "r-17", "--title", "T"]] {
        assert_eq!(start_with(&url, &[], "Two\nlines\n", &[verb, &["--text", "-"]].concat()).end().code, 0);
        assert_eq!(server.next().body["text"], "Two\nlines");
        assert_eq!(run(&server, &[verb, &["--text-file", path]].concat()).code, 0);
        assert_eq!(server.next().body["text"], "From a file");
        for wrong in [&[][..], &["--text", "x", "--text-file", path]] {
            let ended = run(&server, &[verb, wrong].concat());
            assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        }
    }
    assert!(server.rest().is_empty());
}

#[test]
fn warnings_are_told_to_people() {
    let server = pagerd_with(|_| Some(crate::server::reply(201, &json!({"id": "r-1", "warnings": ["deadline: was raised"]}))));
    let ended = run(&server, &REQUEST);
    assert_eq!((ended.code, ended.json()), (0, json!({"id": "r-1", "at": null, "state": null})));
    assert_eq!(ended.words, "ask: warning: deadline: was raised\n");
}

#[test]
fn a_lost_reply_is_sent_again_under_the_same_publication() {
    for verb in [&REQUEST[..], &REPLY] {
        let tries = Mutex::new(0);
        let server = pagerd_with(move |_| {
            let mut tries = tries.lock().unwrap();
            *tries += 1;
            match *tries {
                1 => Some(Reply::Close),
                2 => Some(problem(503, "busy")),
                _ => None,
            }
        });
        assert_eq!(run(&server, verb).code, 0);
        let sent: Vec<_> = server.rest().into_iter().map(|request| request.body).collect();
        assert_eq!(sent.len(), 3);
        assert!(sent[0]["publication_id"].as_str().unwrap().starts_with("ask-") && sent.iter().all(|body| *body == sent[0]));
        let broken = against(|| problem(500, "broken"), &[verb, &["--publication-id", "pub-1"]].concat());
        assert_eq!((broken.code, broken.output.as_str()), (1, ""), "{broken:?}");
        assert!(broken.words.contains("is not known") && broken.words.contains("--publication-id pub-1"), "{broken:?}");
    }
}

#[test]
fn what_is_published_again_comes_back_and_another_text_under_its_name_is_refused() {
    let server = pagerd();
    for verb in [&REQUEST[..], &REPLY] {
        let named = [verb, &["--publication-id", verb[0]]].concat();
        let first = run(&server, &named);
        assert_eq!((first.code, run(&server, &named).output), (0, first.output));
        let mut changed = named.clone();
        let text = changed.iter().position(|word| *word == "--text").unwrap() + 1;
        changed[text] = "Something else";
        let ended = run(&server, &changed);
        assert_eq!((ended.code, ended.output.as_str()), (7, ""), "{ended:?}");
    }
}

#[test]
fn each_refusal_has_its_code_and_names_the_field() {
    let server = pagerd();
    let check = |arguments: &[&str], code: i32, words: &str| {
        let ended = run(&server, arguments);
        assert_eq!((ended.code, ended.output.as_str()), (code, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
    };
    check(&["request", " ", "--text", "x"], 2, "title");
    check(&["request", &"x".repeat(201), "--text", "x"], 2, "title");
    check(&["request", "T", "--text", &"x".repeat(4097)], 2, "text");
    check(&["request", "T", "--text", "x", "--tag", "cap rust"], 2, "tags[0]");
    check(&["request", "T", "--text", "x", "--deadline", "soon"], 2, "--deadline");
    check(&["request", "T", "--text", "x", "--id", "No/Id"], 2, "--id");
    check(&["reply", "r-17", "--title", "T", "--text", ""], 2, "text");
    check(&["reply", "r-17", "--text", "x"], 2, "--title");
    check(&["reply", "r-18", "--title", "T", "--text", "x"], 8, "r-18");
    check(&["reply", "../x", "--title", "T", "--text", "x"], 2, "id of a request");
    for (status, code, exit) in [(429, "capacity", 7), (409, "id_used", 7), (401, "unauthenticated", 1), (403, "forbidden", 1)] {
        for verb in [&REQUEST[..], &REPLY] {
            assert_eq!(against(move || problem(status, code), verb).code, exit, "{code}");
        }
    }
}

#[test]
fn through_a_repository_both_are_sent_and_the_tool_makes_the_id_of_a_request() {
    let hub = Hub::start();
    let ended = hub.ask(&[&REQUEST[..], &["--tag", "cap:rust", "--publication-id", "pub-1"]].concat());
    let (event, id) = (hub.state().events[0].clone(), ended.json()["id"].clone());
    let sent_at = event["client_payload"]["pager"]["sent_at"].clone();
    assert_eq!((ended.code, ended.json()), (0, json!({"id": id, "at": sent_at, "state": null})), "{ended:?}");
    assert_eq!(ended.words, "ask: sent the request to ada/control; whether it arrived is not told\n");
    assert!(id.as_str().unwrap().starts_with("r-") && id.as_str().unwrap().len() == 18, "{id}");
    let uuid = event["client_payload"]["pager"]["event"].clone();
    assert_eq!(
        event,
        json!({"event_type": "pager-request", "client_payload": {"pager": {
            "id": id, "title": "Build this parser", "text": "In Rust, please", "tags": ["cap:rust"], "publication_id": "pub-1",
            "event": uuid, "sent_at": sent_at,
        }}})
    );
    let ended = hub.ask(&[&REPLY[..], &["--publication-id", "pub-2"]].concat());
    let event = hub.state().events[1].clone();
    let sent_at = event["client_payload"]["pager"]["sent_at"].clone();
    let printed = json!({"id": null, "request": "r-17", "kind": null, "at": sent_at});
    assert_eq!((ended.code, ended.json()), (0, printed), "{ended:?}");
    let uuid = event["client_payload"]["pager"]["event"].clone();
    assert_eq!(
        event,
        json!({"event_type": "pager-reply", "client_payload": {"pager": {
            "request": "r-17", "title": "A parser, untested", "text": "Untested: nothing was compiled", "publication_id": "pub-2",
            "event": uuid, "sent_at": sent_at,
        }}})
    );
}

#[test]
fn what_pagerd_would_refuse_is_refused_before_anything_is_sent() {
    let hub = Hub::start();
    let check = |arguments: &[&str], words: &str| {
        let ended = hub.ask(arguments);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
        assert!(hub.state().events.is_empty());
    };
    let long = "é".repeat(31_000);
    for verb in [&["request", "T", "--text"][..], &["reply", "r-17", "--title", "T", "--text"]] {
        check(&[verb, &[&long]].concat(), "61440");
        check(&[verb, &[&long[..9000]]].concat(), "text");
    }
    check(&["request", "T", "--text", "x", "--tag", "a", "--tag", "a"], "tags[1]");
}
