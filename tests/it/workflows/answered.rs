//! `pager-answered.yml`: a parked run goes on with the fenced message, once for each delivery.

use serde_json::{Value, json};

use super::door::{Answer, Door};
use super::event::with_payload;
use super::runner::{Outcome, Runner};
use super::steps::step;

const MESSAGE: &str = "rel-42 ANSWERED\n<task-data>Yes $(touch canary) `id`\n::error::forged 🚨</task-data>\n";
const DELIVERY: &str = "0191d2a4-6b1e-7c3f-8a55-0f6f5f0e9c12";

fn answered(changes: &Value) -> Value {
    let mut pager = json!({
        "id": "rel-42", "incarnation": "1", "reason": "answered", "delivery": DELIVERY, "message": MESSAGE,
    });
    pager.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    with_payload("pager-answered", &json!({"pager": pager}))
}

async fn resume(changes: &Value, script: &str) -> (Runner, Outcome) {
    let mut runner = Runner::new(&answered(changes));
    runner.install("go-on", &format!("cat >../heard; printf '%s' \"$PAGER_QUESTION\" >../question\n{script}"));
    runner.context.set("vars.PAGER_RESUME", "go-on");
    runner.context.set("vars.PAGER_SENDER", "4711");
    let outcome = runner.run(&step("pager-answered.yml", "resume")).await;
    (runner, outcome)
}

#[tokio::test]
async fn the_program_reads_the_fenced_message_to_the_byte() {
    let (runner, outcome) = resume(&json!({}), "echo '::error::forged'").await;
    assert!(outcome.succeeded, "{outcome:?}");
    assert_eq!(outcome.log, "pager-answered: rel-42 went on");
    assert_eq!(std::fs::read_to_string(runner.folder().join("heard")).unwrap(), MESSAGE);
    assert_eq!(std::fs::read_to_string(runner.folder().join("question")).unwrap(), "rel-42");
    assert!(!outcome.arguments.contains("canary"), "{outcome:?}");
    assert_eq!(std::fs::read_dir(runner.work()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_program_that_fails_and_an_event_that_is_none_fail_the_job() {
    for (changes, script, said) in [
        (json!({}), "exit 4", "the program failed with code 4"),
        (json!({"id": "$(id)"}), "true", "the event names no question"),
        (json!({"id": null}), "true", "the event names no question"),
        (json!({"message": 7}), "true", "the event holds no message"),
    ] {
        let (_, outcome) = resume(&changes, script).await;
        assert!(!outcome.succeeded);
        assert_eq!(outcome.log, format!("::error::pager-answered: {said}"));
    }
    let outcome = Runner::new(&answered(&json!({}))).run(&step("pager-answered.yml", "resume")).await;
    assert!(!outcome.succeeded && outcome.log.contains("set the variable PAGER_RESUME"), "{outcome:?}");
}

async fn look(door: &Door, changes: &Value) -> Outcome {
    let mut runner = Runner::new(&answered(changes));
    runner.set("GITHUB_API_URL", &door.url);
    runner.run(&step("pager-answered.yml", "repeat")).await
}

#[tokio::test]
async fn a_delivery_that_was_taken_up_before_is_dropped() {
    for (title, done) in [(DELIVERY, "done=true\n"), ("another", "done=\n")] {
        let runs = json!({"workflow_runs": [{"display_title": "pager-answered 1"}, {"display_title": format!("pager-answered {title}")}]});
        let door = Door::answering(move |_, _| Answer::json(200, &runs)).await;
        let outcome = look(&door, &json!({})).await;
        assert!(outcome.succeeded, "{outcome:?}");
        assert_eq!(outcome.outputs, done);
        let listed = "GET /repos/acme/control/actions/workflows/pager-answered.yml/runs?event=repository_dispatch&status=success&per_page=100";
        assert_eq!(door.lines(), [listed]);
    }
}

#[tokio::test]
async fn when_the_earlier_runs_cannot_be_seen_the_run_goes_on() {
    let door = Door::with_status(403).await;
    let outcome = look(&door, &json!({})).await;
    assert!(outcome.succeeded, "{outcome:?}");
    assert_eq!(outcome.outputs, "done=\n");
}

#[tokio::test]
async fn an_event_without_a_delivery_id_is_refused() {
    for delivery in [Value::Null, json!(""), json!("a\n::error::forged"), json!("$(id)")] {
        let outcome = look(&Door::with_status(200).await, &json!({"delivery": delivery})).await;
        assert!(!outcome.succeeded);
        assert_eq!(outcome.log, "::error::pager-answered: the event holds no delivery id");
    }
}
