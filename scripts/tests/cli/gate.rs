//! `ask gate`: nothing but an approval that was spent here and now lets anybody go on.

use std::sync::Mutex;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::command::{INCARNATION, against, asked, record, run, settled, start, start_with};
use crate::hub::Hub;
use crate::server::{Reply, Request, Server, problem, reply};

const GATE: [&str; 3] = ["gate", "merge", "Merge PR 42?"];
const CONSUME: &str = "POST /v1/questions/rel-42/consume";
const DIGEST: &str = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn approved(digest: Option<&str>) -> Value {
    let (mut answer, _) = settled("approval", "chosen", Some("approve"));
    answer["digest"] = digest.into();
    answer
}

fn server(answer: Value, consumed: impl Fn() -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request| match request.line.as_str() {
        "POST /v1/questions" => asked(),
        CONSUME => consumed(),
        _ => reply(200, &answer),
    })
}

fn spent() -> Reply {
    reply(200, &record("answered"))
}

fn spendings(server: &Server) -> Vec<Request> {
    server.rest().into_iter().filter(|request| request.line == CONSUME).collect()
}

#[test]
fn approved_it_prints_the_answer_and_spends_it() {
    let server = server(approved(None), spent);
    let ended = run(&server, &[&GATE[..], &["--publication-id", "p", "--run", "r1"]].concat());
    assert_eq!((ended.code, ended.json()), (0, approved(None)), "{ended:?}");
    assert_eq!(
        server.next().body,
        json!({
            "text": "Merge PR 42?", "purpose": "approval", "gate": "merge", "waiting_on": "run r1 waits for this approval",
            "source": {"run": "r1", "task": null, "project": null}, "publication_id": "p",
        })
    );
    let spent = spendings(&server);
    assert_eq!((spent.len(), &spent[0].body), (1, &json!({"incarnation": INCARNATION})));
}

#[test]
fn a_lost_reply_is_spent_again_under_one_key() {
    let tries = Mutex::new(0);
    let server = server(approved(None), move || {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        if *tries == 1 { Reply::Close } else { spent() }
    });
    assert_eq!(run(&server, &GATE).code, 0);
    let key = |request: &Request| request.headers.iter().find(|header| header.starts_with("idempotency-key: ask-")).cloned();
    let keys: Vec<_> = spendings(&server).iter().map(key).collect();
    assert!(keys.len() == 2 && keys[0].is_some() && keys[0] == keys[1], "{keys:?}");
}

#[test]
fn an_approval_that_cannot_be_spent_is_none() {
    let check = |status: u16, code: &'static str, exit: i32| {
        let server = server(approved(None), move || problem(status, code));
        let ended = run(&server, &GATE);
        assert_eq!((ended.code, ended.json()), (exit, approved(None)), "{code}: {ended:?}");
        assert!(ended.words.contains("this is no approval") && ended.words.contains(code), "{ended:?}");
    };
    check(409, "spent", 7);
    check(409, "not_approved", 7);
    check(409, "incarnation_mismatch", 7);
    check(404, "not_found", 8);
    check(422, "unknown_field", 2);
    check(401, "unauthenticated", 1);
    check(500, "broken", 1);
    let page = server(approved(None), || Reply::Send(302, vec![("Location", "/login".to_owned())], String::new()));
    assert_eq!(run(&page, &GATE).code, 1);
}

#[test]
fn nothing_else_is_an_approval_or_spends_anything() {
    for (outcome, choice, code) in [
        ("chosen", Some("decline"), 4),
        ("chosen", None, 4),
        ("own_words", None, 4),
        ("declined", None, 4),
        ("cancelled", None, 4),
        ("expired", None, 4),
        ("defaulted", Some("approve"), 6),
    ] {
        let (answer, _) = settled("approval", outcome, choice);
        let server = server(answer.clone(), || panic!("nothing is spent"));
        let ended = run(&server, &GATE);
        assert_eq!((ended.code, ended.json()), (code, answer), "{outcome} {choice:?}: {ended:?}");
        assert!(ended.words.contains("Not approved. Do not go on with it, nor by another way."), "{ended:?}");
    }
}

#[test]
fn an_approval_of_something_else_is_neither_printed_nor_spent() {
    let check = |approval: Option<&str>, asked: &[&str], input: &str, code: i32| {
        let server = server(approved(approval), move || if code == 0 { spent() } else { panic!("nothing is spent") });
        let url = format!("http://{}", server.address());
        let ended = start_with(&url, &[], input, &[&GATE[..], asked].concat()).end();
        assert_eq!((ended.code, ended.output.is_empty()), (code, code != 0), "{approval:?} {asked:?}: {ended:?}");
        ended.words
    };
    let other = format!("sha256:{}", "0".repeat(64));
    check(Some(DIGEST), &["--digest", DIGEST], "", 0);
    check(Some(DIGEST), &["--subject", "-"], "abc", 0);
    check(Some(DIGEST), &[], "", 0);
    let words = check(Some(&other), &["--digest", DIGEST], "", 1);
    assert!(words.contains(DIGEST) && words.contains(&other) && words.contains("not spent"), "{words}");
    check(None, &["--digest", DIGEST], "", 1);
    check(Some(DIGEST), &["--subject", "-"], "abc\n", 1);
}

#[test]
fn delegated_it_goes_on_and_says_so() {
    let ended = against(|| reply(200, &json!({"delegated": true})), &GATE);
    assert_eq!((ended.code, ended.json()), (0, json!({"delegated": true})), "{ended:?}");
    assert!(ended.words.contains("nobody was asked"), "{ended:?}");
    for not_quite in [json!({"delegated": "true"}), json!({"delegated": false}), json!({})] {
        let ended = against(move || reply(200, &not_quite), &GATE);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
    }
}

#[test]
fn a_refusal_to_ask_is_no_approval() {
    let check = |status: u16, code: &'static str, exit: i32| {
        let ended = against(move || problem(status, code), &GATE);
        assert_eq!((ended.code, ended.output.as_str()), (exit, ""), "{ended:?}");
    };
    check(409, "id_used", 7);
    check(422, "invalid", 2);
    check(429, "capacity", 7);
    check(403, "forbidden", 1);
    check(500, "broken", 1);
}

#[test]
fn out_of_patience_or_interrupted_it_takes_the_question_back() {
    let script = |request: &Request| match request.line.as_str() {
        "POST /v1/questions" => asked(),
        "POST /v1/questions/rel-42/withdraw" => reply(200, &record("withdrawn")),
        CONSUME => panic!("nothing is spent"),
        _ => Reply::Hold,
    };
    let withdrawn = json!({"id": "rel-42", "state": "withdrawn"});
    let ended = run(&Server::start(script), &[&GATE[..], &["--wait", "1s"]].concat());
    assert_eq!((ended.code, ended.json()), (5, withdrawn.clone()), "{ended:?}");
    assert!(ended.words.contains("no answer is no approval"), "{ended:?}");
    let server = Server::start(script);
    let running = start(&server, &GATE);
    server.next();
    server.next();
    running.signal(Signal::TERM);
    let ended = running.end();
    assert_eq!((ended.code, ended.json()), (5, withdrawn), "{ended:?}");
    let server = Server::start(script);
    let running = start(&server, &[&GATE[..], &["--keep"]].concat());
    server.next();
    server.next();
    running.signal(Signal::TERM);
    assert_eq!(running.end().code, 143);
}

#[test]
fn approved_in_the_moment_of_giving_up_it_is_spent_all_the_same() {
    let script = |keep: bool| {
        move |request: &Request| match request.line.as_str() {
            "POST /v1/questions" => asked(),
            CONSUME => spent(),
            "POST /v1/questions/rel-42/withdraw" => {
                reply(409, &json!({"status": 409, "code": "already_answered", "detail": "", "answer": approved(None)}))
            }
            _ if keep && !request.headers.iter().any(|header| header.starts_with("prefer:")) => reply(200, &approved(None)),
            _ => Reply::Hold,
        }
    };
    for (keep, flags) in [(false, &["--wait", "1s"][..]), (true, &["--wait", "1s", "--keep"])] {
        let server = Server::start(script(keep));
        let ended = run(&server, &[&GATE[..], flags].concat());
        assert_eq!((ended.code, ended.json(), spendings(&server).len()), (0, approved(None), 1), "{keep}: {ended:?}");
    }
}

#[test]
fn wrong_usage_is_two_and_sends_nothing() {
    let check = |arguments: &[&str], way_out: &str| {
        let ended = against(|| panic!("nothing is sent"), &[&["gate"], arguments].concat());
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(way_out), "{ended:?}");
    };
    check(&[], "CATEGORY");
    check(&["merge"], "--text-file");
    check(&["merge", "M?", "--digest", "sha256:ABC"], "64 hex digits");
    check(&["merge", "M?", "--deadline", "45"], "45m");
    check(&["--check"], "--run");
    check(&["merge", "M?", "--check", "--run", "r1"], "--check");
}

#[test]
fn it_needs_direct_mode() {
    let hub = Hub::start();
    for arguments in [&GATE[..], &["gate", "--check", "--run", "r1"]] {
        let ended = hub.ask(arguments);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        assert!(ended.words.contains("direct mode") && ended.words.contains("ASK_URL"), "{ended:?}");
    }
    assert!(hub.state().events.is_empty());
}

fn gate(state: &str, answer: Option<Value>) -> Value {
    let mut record = record(state);
    (record["purpose"], record["gate"], record["answer"]) = ("approval".into(), "merge".into(), answer.into());
    record
}

#[test]
fn a_run_may_go_on_only_when_it_has_gates_and_all_are_approved() {
    let declined = settled("approval", "chosen", Some("decline")).0;
    let check = |blocked: bool, gates: Vec<Value>, code: i32| {
        let said = json!({"blocked": blocked, "gates": gates});
        let server = Server::start({
            let said = said.clone();
            move |_| reply(200, &said)
        });
        let ended = run(&server, &["gate", "--check", "--run", "a b"]);
        assert_eq!(ended.code, code, "{said}: {ended:?}");
        assert_eq!(ended.output.is_empty(), code == 1, "{ended:?}");
        assert_eq!(server.next().line, "GET /v1/gates?run=a%20b");
    };
    check(false, vec![gate("answered", Some(approved(None)))], 0);
    check(true, vec![gate("answered", Some(approved(None))), gate("open", None)], 3);
    check(true, vec![gate("answered", Some(declined.clone()))], 4);
    check(true, vec![gate("withdrawn", None)], 4);
    check(true, vec![], 3);
    check(false, vec![], 3);
    // What does not fit together is no approval.
    check(false, vec![gate("answered", Some(declined))], 1);
    check(false, vec![gate("answered", Some(approved(None))), gate("open", None)], 1);
    check(false, vec![json!({"state": "answered"})], 1);
    for page in [json!({"gates": []}), json!({"blocked": "false", "gates": []}), json!({"blocked": false})] {
        assert_eq!(against(move || reply(200, &page), &["gate", "--check", "--run", "r1"]).code, 1);
    }
    assert_eq!(against(|| problem(403, "forbidden"), &["gate", "--check", "--run", "r1"]).code, 1);
}
