//! `pager-answered.yml` and `pager-text.yml` go on for pagerd alone: whoever may dispatch could send their events as well.

use serde_json::{Value, json};

use super::event::with_payload;
use super::runner::{Outcome, Runner};
use super::steps::step;

/// Each workflow's name, the job that runs a program, and the variable that names the program.
const RUNNING: [(&str, &str, &str); 2] = [("pager-answered", "resume", "PAGER_RESUME"), ("pager-text", "agent", "PAGER_AGENT")];

/// Lets the job meet an event of this sender; whether the program ran, and how it ended.
async fn met((name, job, program): (&str, &str, &str), sender: &Value, expected: &str) -> (bool, Outcome) {
    let pager = json!({"id": "rel-42", "reason": "answered", "message": "Yes", "text": "Deploy now", "request": "r-17"});
    let mut event = with_payload(name, &json!({"pager": pager}));
    event["sender"] = sender.clone();
    let mut runner = Runner::new(&event);
    runner.install("program", "cat >../heard");
    runner.context.set(&format!("vars.{program}"), "program");
    runner.context.set("vars.PAGER_SENDER", expected);
    let outcome = runner.run(&step(&format!("{name}.yml"), job)).await;
    (runner.folder().join("heard").exists(), outcome)
}

fn account(id: u64) -> Value {
    json!({"login": "somebody", "id": id})
}

#[tokio::test]
async fn an_event_of_pagerds_account_runs_the_program() {
    for running in RUNNING {
        for expected in ["4711", "1,4711", " 4711 , 2", "4711,", "1,\n4711"] {
            let (ran, outcome) = met(running, &account(4711), expected).await;
            assert!(ran && outcome.succeeded, "{running:?} {expected}: {outcome:?}");
        }
    }
}

#[tokio::test]
async fn an_event_of_anybody_else_fails_and_runs_nothing() {
    for running in RUNNING {
        for (id, expected) in
            [(471, "4711"), (47110, "4711"), (1, "4711"), (4711, "471,1"), (4711, "4711 2"), (4711, "*"), (1, ",")]
        {
            let (ran, outcome) = met(running, &account(id), expected).await;
            assert!(!ran && !outcome.succeeded, "{running:?} {id} {expected}: {outcome:?}");
            let said = format!("::error::{}: the sender {id} is not in the variable PAGER_SENDER", running.0);
            assert_eq!(outcome.log, said);
            assert_eq!(outcome.outputs, "");
        }
    }
}

#[tokio::test]
async fn without_the_variable_nobodys_event_runs_anything() {
    for running in RUNNING {
        let (ran, outcome) = met(running, &account(4711), "").await;
        assert!(!ran && !outcome.succeeded, "{outcome:?}");
        assert!(outcome.log.contains("set the variable PAGER_SENDER to the numeric id"), "{outcome:?}");
    }
}

#[tokio::test]
async fn an_event_without_a_numeric_sender_runs_nothing() {
    for running in RUNNING {
        for sender in [Value::Null, json!({}), json!({"id": "4711"}), json!({"id": null}), json!([4711]), json!("4711")] {
            let (ran, outcome) = met(running, &sender, "4711,null,").await;
            assert!(!ran && !outcome.succeeded, "{sender}: {outcome:?}");
            assert_eq!(outcome.log, format!("::error::{}: the event names no sender", running.0));
        }
    }
}
