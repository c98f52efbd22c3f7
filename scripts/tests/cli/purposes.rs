//! What an answer is worth, by the purpose of its question: exit code 0 is what was asked for and nothing else.

use std::sync::Mutex;

use serde_json::{Value, json};

use crate::command::{RECORD, against, answer, asked, run, settled, start_with};
use crate::hub::Hub;
use crate::server::{Reply, Server, problem, reply};

/// Purpose, outcome, choice, exit code.
const ENDS: [(&str, &str, Option<&str>, i32); 21] = [
    ("question", "chosen", Some("yes"), 0),
    ("question", "own_words", None, 0),
    ("question", "defaulted", None, 6),
    ("question", "declined", None, 4),
    ("clarification", "own_words", None, 0),
    ("clarification", "cancelled", None, 4),
    ("decision", "chosen", Some("no"), 0),
    ("approval", "chosen", Some("approve"), 0),
    ("approval", "chosen", Some("decline"), 4),
    ("approval", "own_words", None, 4),
    ("approval", "expired", None, 4),
    ("approval", "declined", None, 4),
    ("approval", "cancelled", None, 4),
    ("approval", "defaulted", None, 6),
    ("action", "chosen", Some("done"), 0),
    ("action", "chosen", Some("cant"), 4),
    ("action", "own_words", None, 4),
    ("verify", "chosen", Some("works"), 0),
    ("verify", "own_words", None, 4),
    ("verify", "declined", None, 4),
    ("verify", "chosen", None, 4),
];

/// Flags of `ask new` that a question of each purpose needs.
fn flags(purpose: &'static str) -> Vec<&'static str> {
    let options = ["-o", "yes=Yes", "-o", "no=No"];
    let waits = ["--waiting-on", "the deploy"];
    let weighs = ["--reversibility", "reversible"];
    let own: &[&[&str]] = match purpose {
        "question" => &[&options],
        "clarification" => &[&waits, &weighs],
        "decision" => &[&options, &waits, &weighs],
        _ => &[&waits],
    };
    [&["new", "Release?", "--purpose", purpose], &own.concat()[..]].concat()
}

#[test]
fn the_record_tells_what_was_asked() {
    for (purpose, outcome, choice, code) in ENDS {
        let (answer, record) = settled(purpose, outcome, choice);
        let server = {
            let answer = answer.clone();
            Server::start(move |request| if request.line == RECORD { reply(200, &record) } else { reply(200, &answer) })
        };
        for verb in ["answer", "wait"] {
            let ended = run(&server, &[verb, "rel-42"]);
            assert_eq!((ended.code, ended.json()), (code, answer.clone()), "{verb} {purpose} {outcome} {choice:?}: {ended:?}");
            let hoped = matches!(purpose, "approval" | "action" | "verify") && code != 0;
            assert_eq!(ended.words.contains("ask: rel-42: Not "), hoped, "{ended:?}");
        }
        let late = json!({"status": 409, "code": "already_answered", "detail": "", "answer": answer});
        assert_eq!(against(move || reply(409, &late), &["withdraw", "rel-42"]).code, 9);
    }
}

#[test]
fn one_command_from_the_question_to_the_answer_knows_what_it_asked() {
    for (purpose, outcome, choice, code) in ENDS {
        let (answer, _) = settled(purpose, outcome, choice);
        let server = {
            let answer = answer.clone();
            Server::start(move |request| match request.line.as_str() {
                "POST /v1/questions" => asked(),
                RECORD => panic!("it is known already"),
                _ => reply(200, &answer),
            })
        };
        let ended = run(&server, &[&flags(purpose)[..], &["--wait", "1h"]].concat());
        assert_eq!((ended.code, ended.json()), (code, answer), "{purpose} {outcome} {choice:?}: {ended:?}");
    }
}

#[test]
fn answered_in_the_moment_of_giving_up_the_purpose_counts_too() {
    for (choice, code) in [("approve", 0), ("decline", 4)] {
        let (answer, _) = settled("approval", "chosen", Some(choice));
        let server = Server::start(move |request| match request.line.as_str() {
            "POST /v1/questions" => asked(),
            "POST /v1/questions/rel-42/withdraw" => {
                reply(409, &json!({"status": 409, "code": "already_answered", "detail": "", "answer": answer}))
            }
            _ => Reply::Hold,
        });
        let ended = run(&server, &[&flags("approval")[..], &["--gate", "merge", "--wait", "1s"]].concat());
        assert_eq!(ended.code, code, "{ended:?}");
    }
}

#[test]
fn through_a_repository_the_options_tell_what_was_asked() {
    let hub = Hub::start();
    for (purpose, outcome, choice, code) in ENDS {
        let (answer, _) = settled(purpose, outcome, choice);
        hub.state().commit("answers/rel-42.json", answer.to_string());
        for verb in ["answer", "wait"] {
            let ended = hub.ask(&[verb, "rel-42"]);
            assert_eq!((ended.code, ended.json()), (code, answer.clone()), "{verb} {purpose} {outcome} {choice:?}: {ended:?}");
            let hoped = matches!(purpose, "approval" | "action" | "verify") && code != 0;
            assert_eq!(ended.words.contains("ask: rel-42: Not "), hoped, "{ended:?}");
        }
        assert_eq!(hub.ask(&["withdraw", "rel-42", "--reason", "x"]).code, 9);
    }
    let (mut unsure, _) = settled("approval", "chosen", Some("approve"));
    unsure["options"][0]["label"] = "Go".into();
    unsure["digest"] = "sha256:00".into();
    hub.state().commit("answers/rel-42.json", unsure.to_string());
    let ended = hub.ask(&["answer", "rel-42"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
}

#[test]
fn an_answer_whose_question_cannot_be_told_is_none() {
    let check = |record: Reply, words: &str| {
        let record = Mutex::new(Some(record));
        let server = Server::start(move |request| match request.line.as_str() {
            RECORD => record.lock().unwrap().take().unwrap(),
            _ => reply(200, &answer("chosen")),
        });
        let ended = run(&server, &["answer", "rel-42"]);
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{ended:?}");
        assert!(ended.words.contains(words), "{ended:?}");
    };
    let record = |change: &dyn Fn(&mut Value)| {
        let (_, mut record) = settled("approval", "chosen", None);
        change(&mut record);
        reply(200, &record)
    };
    check(record(&|record| record["purpose"] = "riddle".into()), "its purpose is none");
    check(record(&|record| record["purpose"] = Value::Null), "its purpose is none");
    check(record(&|record| record["incarnation"] = "0000000000000000".into()), "another one by that id");
    check(problem(404, "not_found"), "because not_found");
    check(problem(500, "broken"), "because broken");
}

#[test]
fn a_record_that_was_lost_on_the_way_is_read_again() {
    let tries = Mutex::new(0);
    let server = Server::start(move |request| match request.line.as_str() {
        RECORD => {
            let mut tries = tries.lock().unwrap();
            *tries += 1;
            if *tries < 3 { Reply::Close } else { reply(200, &settled("approval", "chosen", None).1) }
        }
        _ => reply(200, &settled("approval", "chosen", Some("decline")).0),
    });
    assert_eq!(run(&server, &["wait", "rel-42"]).code, 4);
}

#[test]
fn asked_is_done_only_where_nothing_hangs_on_the_answer() {
    for (purpose, code) in [("question", 0), ("clarification", 0), ("decision", 0), ("approval", 3), ("action", 3), ("verify", 3)]
    {
        let ended = against(asked, &flags(purpose));
        assert_eq!((ended.code, &ended.json()["id"]), (code, &json!("rel-42")), "{purpose}: {ended:?}");
        let printed = against(asked, &[&flags(purpose)[..], &["--print", "id"]].concat());
        assert_eq!((printed.code, printed.output.as_str()), (code, "rel-42\n"), "{purpose}");
    }
}

#[test]
fn what_is_delegated_was_asked_of_nobody() {
    let delegated = || reply(200, &json!({"delegated": true}));
    for wait in [&[][..], &["--wait", "1h"]] {
        let ended = against(delegated, &[&flags("approval")[..], &["--gate", "merge"], wait].concat());
        assert_eq!((ended.code, ended.json()), (0, json!({"delegated": true})), "{ended:?}");
    }
    for purpose in ["question", "action", "verify"] {
        let ended = against(delegated, &flags(purpose));
        assert_eq!((ended.code, ended.output.as_str()), (1, ""), "{purpose}: {ended:?}");
    }
}

#[test]
fn each_purpose_says_what_it_needs_before_anything_is_sent() {
    let check = |arguments: &[&str], flag: &str, words: &str| {
        let ended = against(|| panic!("nothing is sent"), &[&["new", "R?"], arguments].concat());
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
        assert!(ended.words.contains(&format!("ask: {flag}")) && ended.words.contains(words), "{ended:?}");
    };
    let options = ["-o", "A", "-o", "B"];
    check(&["--purpose", "decision", "-o", "A", "-o", "B"], "--reversibility", "a decision");
    check(&["--purpose", "decision", "-o", "A", "-o", "B", "--reversibility", "reversible"], "--waiting-on", "a decision");
    for (purpose, article) in [("approval", "an approval"), ("action", "an action"), ("verify", "a verification")] {
        check(&["--purpose", purpose], "--waiting-on", article);
        check(&[&["--purpose", purpose, "--waiting-on", "x"], &options[..]].concat(), "-o", article);
    }
    check(&[&["--purpose", "clarification"], &options[..]].concat(), "-o", "has no options");
    check(&["--gate", "merge"], "--gate", "ask gate");
    check(&["--step", "Log in"], "--step", "--purpose action");
    let server = Server::start(|_| asked());
    let url = format!("http://{}", server.address());
    let both = ["new", "-", "--purpose", "approval", "--waiting-on", "x", "--subject", "-"];
    let ended = start_with(&url, &[], "text", &both).end();
    assert!(ended.code == 2 && ended.words.contains("--subject"), "{ended:?}");
}

#[test]
fn flags_of_every_purpose_reach_the_body_under_their_names() {
    let server = Server::start(|_| asked());
    let plan = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(plan.path(), "rm -r build\n\n").unwrap();
    let digest = format!("sha256:{}", "0".repeat(64));
    let body = |arguments: &[&str]| {
        let ended = run(&server, &[&["new", "R?", "--publication-id", "p"], arguments].concat());
        assert!(matches!(ended.code, 0 | 3), "{ended:?}");
        let mut body = server.next().body;
        body.as_object_mut().unwrap().remove("publication_id");
        body
    };
    let deadline = "2026-12-01T08:00:00+01:00";
    let question = ["-o", "A", "-o", "B", "--multi", "--group", "g-1", "--secret", "--deadline", deadline, "--default", "2"];
    assert_eq!(
        body(&question),
        json!({
            "text": "R?", "options": [{"id": "1", "label": "A"}, {"id": "2", "label": "B"}], "multi": true, "group": "g-1",
            "secret": true, "deadline": "2026-12-01T07:00:00.000Z", "default": "2",
        })
    );
    let plan = plan.path().to_str().unwrap();
    let approval = ["--purpose", "approval", "--gate", "merge", "--waiting-on", "x", "--subject", plan, "--digest", &digest];
    assert_eq!(
        body(&approval),
        json!({
            "text": "R?", "purpose": "approval", "gate": "merge", "waiting_on": "x", "subject": "rm -r build\n\n", "digest": digest,
        })
    );
    let action = ["--purpose", "action", "--waiting-on", "x", "--step", "Log in", "--step", "Pay"];
    assert_eq!(body(&action), json!({"text": "R?", "purpose": "action", "waiting_on": "x", "steps": ["Log in", "Pay"]}));
}

#[test]
fn a_deadline_from_now_is_sent_as_one_time_over_all_tries() {
    let tries = Mutex::new(0);
    let server = Server::start(move |_| {
        let mut tries = tries.lock().unwrap();
        *tries += 1;
        if *tries < 3 { problem(503, "starting") } else { asked() }
    });
    assert_eq!(run(&server, &["new", "R?", "-o", "A", "-o", "B", "--deadline", "45m"]).code, 0);
    let deadlines: Vec<_> = server.rest().iter().map(|request| request.body["deadline"].clone()).collect();
    assert!(deadlines.len() == 3 && deadlines.iter().all(|deadline| *deadline == deadlines[0]), "{deadlines:?}");
    assert!(deadlines[0].as_str().unwrap().ends_with('Z'), "{deadlines:?}");
}

#[test]
fn through_a_repository_everything_but_a_secret_can_be_asked() {
    let hub = Hub::start();
    let ended = hub.ask(&["new", "R?", "-o", "A", "-o", "B", "--secret"]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{ended:?}");
    assert!(ended.words.contains("--secret needs direct mode") && hub.state().events.is_empty(), "{ended:?}");
    let ended = hub.ask(&[&flags("approval")[..], &["--gate", "merge", "--id", "rel-42", "--deadline", "2h"]].concat());
    assert_eq!((ended.code, &ended.json()["id"]), (3, &json!("rel-42")), "{ended:?}");
    let event = hub.state().events[0]["client_payload"]["pager"].clone();
    assert_eq!((&event["purpose"], &event["gate"]), (&json!("approval"), &json!("merge")));
    let (answer, _) = settled("approval", "own_words", None);
    hub.state().then =
        Some(Box::new(move |state| state.commit("answers/rel-43.json", answer.to_string().replace("rel-42", "rel-43"))));
    let ended = hub.ask(&[&flags("approval")[..], &["--gate", "merge", "--id", "rel-43", "--wait", "1h"]].concat());
    assert_eq!(ended.code, 4, "{ended:?}");
}
