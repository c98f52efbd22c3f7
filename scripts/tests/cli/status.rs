//! What waits for the caller, and what of theirs nobody answered.

use serde_json::{Value, json};

use crate::command::{against, run};
use crate::hub::Hub;
use crate::pagerd::record;
use crate::server::{Server, problem, reply};

const NOTICE: &str = "your ask 'Build this Rust parser': 0 answers after 31 min · 1 clarify offering untested code";

fn status() -> Value {
    let mut offer = record("r-17-offer", "open");
    offer["text"] = "A partial offer for 'Build this Rust parser': untested code\nMissing: a build".into();
    offer["source"] = json!({"agent": "builder"});
    json!({"awaiting_you": [offer], "unanswered": [{"id": "r-17", "notice": NOTICE}, {"id": "q-1", "notice": "your ask 'B\u{1b}[2J'"}]})
}

#[test]
fn one_line_is_printed_for_each_and_none_when_there_is_nothing() {
    let server = Server::start(|_| reply(200, &status()));
    let ended = run(&server, &["status"]);
    assert_eq!((ended.code, ended.words.as_str()), (0, ""), "{ended:?}");
    let lines: Vec<&str> = ended.output.lines().collect();
    let offer = "awaiting you: r-17-offer (offer by builder): A partial offer for 'Build this Rust parser': untested code Missing: a build";
    assert_eq!((lines[0], lines[1], lines.len()), (offer, format!("unanswered: {NOTICE}").as_str(), 3));
    assert!(!lines[2].contains('\u{1b}'), "nothing steers the terminal: {ended:?}");
    assert_eq!(server.next().line, "GET /v1/status");
    let nothing = against(|| reply(200, &json!({"awaiting_you": [], "unanswered": []})), &["status"]);
    assert_eq!((nothing.code, nothing.output.as_str(), nothing.words.as_str()), (0, "", ""));
}

#[test]
fn as_json_it_is_what_the_service_says() {
    let ended = against(|| reply(200, &status()), &["status", "--json"]);
    assert_eq!((ended.code, ended.json()), (0, status()));
}

#[test]
fn what_is_no_status_is_an_error() {
    for (answer, code) in [(json!({}), 1), (json!({"awaiting_you": [], "unanswered": null}), 1)] {
        let ended = against(move || reply(200, &answer), &["status"]);
        assert_eq!((ended.code, ended.output.as_str()), (code, ""), "{ended:?}");
    }
    assert_eq!(against(|| problem(401, "unauthenticated"), &["status"]).code, 1);
}

#[test]
fn it_needs_direct_mode() {
    let ended = Hub::start().ask(&["status"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    assert!(ended.words.contains("direct mode") && ended.words.contains("ASK_URL"), "{ended:?}");
}
