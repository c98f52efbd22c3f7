//! `ask new` without waiting.

use std::sync::Mutex;

use serde_json::json;

use crate::command::{against, asked, record, run, start_with};
use crate::server::{Reply, Server, problem, reply};

#[test]
fn new_prints_what_a_script_goes_on_with() {
    let ended = against(asked, &["new", "Release?", "-o", "Yes", "-o", "No"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(
        ended.output,
        "{\"id\":\"rel-42\",\"incarnation\":\"9f3c2a715be04d18\",\"asked_at\":\"2026-11-30T13:22:15.004Z\",\"state\":\"open\",\
         \"link\":\"https://t.me/c/1/2\"}\n"
    );
    assert_eq!(ended.words, "");
    assert_eq!(against(asked, &["new", "R?", "-o", "Yes", "-o", "No", "--print", "id"]).output, "rel-42\n");
    let time = against(asked, &["new", "R?", "-o", "Yes", "-o", "No", "--print", "time"]);
    assert_eq!(time.output, "2026-11-30T13:22:15.004Z\n");
}

#[test]
fn every_flag_reaches_the_body_under_its_name() {
    let server = Server::start(|_| asked());
    let arguments = [
        "new",
        "Release?",
        "-o",
        "yes=Yes, release",
        "-o",
        "=a=b",
        "--detail",
        "yes=Ships today",
        "--recommend",
        "yes",
        "--purpose",
        "question",
        "--reversibility",
        "hard_to_reverse",
        "--waiting-on",
        "the train",
        "--issue",
        "linear:ENG-7=https://linear.app/x",
        "--header",
        "Release",
        "--wake",
        "ci",
        "--run",
        "r1",
        "--task",
        "t1",
        "--project",
        "p1",
        "--id",
        "rel-42",
        "--publication-id",
        "pub-1",
    ];
    assert_eq!(run(&server, &arguments).code, 0);
    let request = server.next();
    assert_eq!(request.line, "POST /v1/questions");
    assert!(request.headers.contains(&"authorization: bearer s3cret-of-the-agent".to_owned()));
    assert_eq!(
        request.body,
        json!({
            "text": "Release?", "id": "rel-42", "publication_id": "pub-1", "purpose": "question", "recommended": "yes",
            "options": [{"id": "yes", "label": "Yes, release", "detail": "Ships today"}, {"id": "2", "label": "a=b"}],
            "reversibility": "hard_to_reverse", "waiting_on": "the train", "header": "Release", "wake": "ci",
            "issue": {"tracker": "linear", "key": "ENG-7", "url": "https://linear.app/x"},
            "source": {"run": "r1", "task": "t1", "project": "p1"},
        })
    );
}

#[test]
fn a_text_comes_from_standard_input_or_a_file() {
    let server = Server::start(|_| asked());
    let url = format!("http://{}", server.address());
    let options = ["-o", "A", "-o", "B"];
    let ended = start_with(&url, &[], "Two\nlines?\n", &[&["new", "-"], &options[..]].concat()).end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(server.next().body["text"], "Two\nlines?");

    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "From a file?\n").unwrap();
    let path = file.path().to_str().unwrap();
    assert_eq!(run(&server, &[&["new", "--text-file", path], &options[..]].concat()).code, 0);
    assert_eq!(server.next().body["text"], "From a file?");
    assert_eq!(run(&server, &["new", "--text-file", "/nonexistent", "-o", "A", "-o", "B"]).code, 2);
}

#[test]
fn a_lost_reply_is_asked_for_again_under_the_same_publication() {
    let tries = Mutex::new(0);
    let server = Server::start(move |_| {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        match *tries {
            1 => Reply::Close,
            2 => problem(503, "starting"),
            _ => asked(),
        }
    });
    assert_eq!(run(&server, &["new", "R?", "-o", "A", "-o", "B"]).code, 0);
    let publications: Vec<_> = server.rest().iter().map(|request| request.body["publication_id"].clone()).collect();
    assert_eq!(publications.len(), 3);
    assert!(publications[0].as_str().unwrap().starts_with("ask-"));
    assert!(publications.iter().all(|publication| *publication == publications[0]), "{publications:?}");
}

#[test]
fn a_clarification_says_what_it_needs_before_anything_is_sent() {
    let server = Server::start(|_| asked());
    let missing = run(&server, &["new", "Which port?"]);
    assert_eq!(missing.code, 2);
    assert!(missing.words.contains("--reversibility") && missing.words.contains("hard_to_reverse"), "{missing:?}");
    let missing = run(&server, &["new", "Which port?", "--reversibility", "reversible"]);
    assert_eq!(missing.code, 2);
    assert!(missing.words.contains("--waiting-on"), "{missing:?}");
    assert!(server.rest().is_empty());
    let complete = ["new", "Which port?", "--reversibility", "reversible", "--waiting-on", "the deploy"];
    assert_eq!(run(&server, &complete).code, 0);
}

#[test]
fn wrong_usage_is_two_with_the_way_out() {
    let check = |arguments: &[&str], way_out: &str| {
        let ended = against(|| panic!("nothing is sent"), arguments);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(way_out), "{ended:?}");
    };
    check(&[], "Usage");
    check(&["release"], "unrecognized subcommand");
    check(&["new"], "<TEXT|--text-file <FILE>>");
    check(&["new", "R?", "-o", "FOO=1", "-o", "B"], "=FOO=1");
    check(&["new", "R?", "-o", "A", "-o", "B", "--detail", "3=x"], "the ids are 1, 2");
    check(&["new", "R?", "-o", "A", "-o", "B", "--wait", "90"], "90s");
    check(&["new", "R?", "-o", "A", "-o", "B", "--id", "A/../b"], "1 to 64 of a-z");
    check(&["new", "R?", "-o", "A", "-o", "B", "--keep"], "--wait");
    check(&["new", "R?", "-o", "A", "-o", "B", "--deadline", "45"], "45m");
    check(&["new", "R?", "-o", "A", "-o", "B", "--default", "1"], "--deadline");
    check(&["new", "R?", "--token", "x"], "--token");
    check(&["wait", "rel-42", "--since", "yesterday"], "RFC 3339");
    check(&["decide", "rel-42"], "--option");
}

#[test]
fn a_refusal_names_the_field() {
    let refused = || {
        let body = json!({"status": 422, "code": "invalid", "field": "options[1].label", "detail": "must not be blank"});
        reply(422, &body)
    };
    let ended = against(refused, &["new", "R?", "-o", "A", "-o", " "]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""));
    assert_eq!(ended.words, "ask: options[1].label: must not be blank\n");
}

#[test]
fn each_refusal_has_its_code() {
    let check = |status: u16, code: &'static str, exit: i32| {
        let ended = against(move || problem(status, code), &["new", "R?", "-o", "A", "-o", "B", "--id", "rel-42"]);
        assert_eq!((ended.code, ended.output.as_str()), (exit, ""), "{status} {code}: {ended:?}");
        assert!(ended.words.contains(&format!("because {code}")), "{ended:?}");
    };
    check(400, "malformed", 2);
    check(401, "unauthenticated", 1);
    check(403, "forbidden", 1);
    check(404, "not_found", 1);
    check(409, "id_used", 7);
    check(409, "draft_changed", 7);
    check(413, "too_large", 2);
    check(429, "capacity", 7);
    check(429, "slow_down", 1);
    check(500, "broken", 1);
}

#[test]
fn warnings_are_for_people() {
    let warned = || {
        let mut record = record("open");
        record["warnings"] = json!(["the header is shown nowhere", {"of_later": 1}]);
        reply(201, &record)
    };
    let ended = against(warned, &["new", "R?", "-o", "A", "-o", "B"]);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.words, "ask: warning: the header is shown nowhere\nask: warning: {\"of_later\":1}\n");
}
