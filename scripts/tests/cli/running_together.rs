//! `ask run`: two runners with the same settings on one machine, the second of which begins a run while the first marks.

use serde_json::{Value, json};

use crate::mailroom::{Desk, Mailroom, Standing};

const KEEPS_ITS_PROMPTS: &str = "cat >> \"$HERE/prompts\"; echo run >> \"$HERE/runs\"";

/// The first has one wake and asks for the next; the second runs that one and one more. What the first wrote to standard error.
fn one_beside_the_other(mailroom: &Mailroom, desk: &Desk) -> String {
    mailroom.state().add("r-1", "request", Some("ada"));
    mailroom.state().add("r-2", "request", Some("ada"));
    let gate = mailroom.bar("POST /v1/wakes/r-2.request/mark");
    let first = desk.start(mailroom, &["--once"]);
    gate.reached();
    mailroom.state().add("r-3", "request", Some("ada"));
    assert_eq!(desk.start(mailroom, &["--once"]).end().code, 0);
    assert_eq!((desk.read("runs").as_str(), mailroom.state().standing("r-2.request")), ("run\n", &Standing::Done));
    gate.open();
    let ended = first.end();
    assert_eq!(ended.code, 0, "{ended:?}");
    ended.words
}

#[test]
fn a_limit_that_the_other_reached_while_wakes_were_marked_holds() {
    for (limit, most) in [("runs_per_hour", 1), ("runs_per_day", 1), ("wakes_per_author_per_day", 2)] {
        let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPTS));
        desk.add(&format!("{limit} = {most}"));
        let words = one_beside_the_other(&mailroom, &desk);
        assert!(words.contains(&format!("{limit} is reached: 1 wake is postponed until 20")), "{words}");
        assert_eq!(mailroom.state().standing("r-1.request"), &Standing::Free, "{limit}: given back, and not lost");
        assert_eq!(desk.read("runs"), "run\n", "{limit}");
    }
}

#[test]
fn a_heartbeat_that_the_other_took_meanwhile_comes_once() {
    let (mailroom, desk) = (Mailroom::start(), Desk::with(KEEPS_ITS_PROMPTS));
    desk.set("command = [\"./agent.sh\"]\nenforced_by = \"this test\"\nheartbeat = \"1h\"\n");
    desk.start(&mailroom, &["--once"]).end();
    let mut kept: Value = serde_json::from_slice(&std::fs::read(desk.journal()).unwrap()).unwrap();
    kept["begun"] = json!("2026-01-01T00:00:00.000Z");
    std::fs::write(desk.journal(), kept.to_string()).unwrap();
    mailroom.state().older = ["r-a", "r-b", "r-c", "r-d"].map(|id| format!("{id}.older")).to_vec();
    assert_eq!(one_beside_the_other(&mailroom, &desk), "");
    assert_eq!(desk.read("runs"), "run\nrun\n");
    assert_eq!(desk.read("prompts").matches("### A heartbeat").count(), 1);
    assert_eq!(mailroom.state().older, ["r-d.older"], "the next ones are for the next heartbeat");
    let reasons: Vec<Value> = desk.log(&mailroom).into_iter().map(|run| run["reasons"].clone()).collect();
    assert_eq!(reasons, [json!(["request", "heartbeat"]), json!(["request"])]);
}
