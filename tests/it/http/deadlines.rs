//! Deadlines that pass: who waits hears of it once, also when pagerd was down at that moment.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::world::{World, until};

/// Deadlines may be as early as a test needs.
async fn world() -> World {
    World::start_with(&[("PAGER_DEADLINE__MIN", "1s")]).await
}

fn in_millis(millis: i64) -> String {
    (Timestamp::now() + SignedDuration::from_millis(millis)).to_string()
}

fn with_default(id: &str, deadline: &str) -> Value {
    json!({
        "id": id, "text": "Post it untested?", "deadline": deadline, "default": "no",
        "options": [{"id": "yes", "label": "Yes, untested"}, {"id": "no", "label": "No"}],
    })
}

fn approval(id: &str, deadline: &str) -> Value {
    json!({"id": id, "purpose": "approval", "text": "Merge?", "gate": "merge", "waiting_on": "the merge", "deadline": deadline})
}

#[tokio::test]
async fn whoever_waits_gets_the_default_at_the_deadline_and_not_before() {
    let world = world().await;
    let deadline = in_millis(1500);
    world.asks_with(with_default("d-1", &deadline)).await;
    let answer = world.agent().answer("d-1").await;
    assert_eq!((&answer["outcome"], &answer["default"]), (&json!("defaulted"), &json!("no")));
    assert_eq!((&answer["choice"], &answer["answer"], &answer["recorded"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(answer["by"], json!({"kind": "deadline", "id": null, "via": null}));
    let at: Timestamp = answer["at"].as_str().unwrap().parse().unwrap();
    assert!(at >= deadline.parse::<Timestamp>().unwrap(), "{at} is before {deadline}");
    let record = world.record("d-1").await;
    assert_eq!((&record["state"], &record["resolved_by"]["kind"]), (&json!("defaulted"), &json!("deadline")));
    assert!(world.answer_file("d-1").unwrap().contains("\"outcome\": \"defaulted\""));
}

#[tokio::test]
async fn an_approval_that_nobody_gave_expires() {
    let world = world().await;
    world.asks_with(approval("a-1", &in_millis(1000))).await;
    let answer = world.agent().answer("a-1").await;
    assert_eq!(
        (&answer["outcome"], &answer["choice"], &answer["by"]["kind"]),
        (&json!("expired"), &Value::Null, &json!("deadline"))
    );
    world
        .owner()
        .post("/v1/questions/a-1/answer", &json!({"answer": "x", "option": "approve"}))
        .await
        .problem(409, "already_answered");
}

#[tokio::test]
async fn whoever_is_too_late_gets_the_default_that_holds() {
    let world = world().await;
    world.asks_with(with_default("d-1", &in_millis(1000))).await;
    let answer = world.in_state("d-1", "defaulted").await["answer"].clone();
    let owner = world.owner();
    for late in [
        owner.post("/v1/questions/d-1/answer", &json!({"answer": "x", "option": "yes"})).await,
        owner.post_empty("/v1/questions/d-1/decline").await,
        owner.post_empty("/v1/questions/d-1/cancel").await,
    ] {
        assert_eq!(late.problem(409, "already_answered")["answer"], answer);
    }
    let withdrawal = world.agent().post("/v1/questions/d-1/withdraw", &json!({})).await;
    assert_eq!(withdrawal.problem(409, "already_answered")["answer"], answer);
    assert_eq!(world.commits_of("d-1").len(), 1);
}

#[tokio::test]
async fn the_operators_bounds_are_held_and_bad_ones_stop_the_start() {
    let settings = [("PAGER_DEADLINE__MIN", "10m"), ("PAGER_DEADLINE__MAX", "1h")];
    let mut world = World::start_with(&settings).await;
    let away = |record: &Value| {
        let at = |field: &str| record[field].as_str().unwrap().parse::<Timestamp>().unwrap();
        at("deadline").duration_since(at("asked_at"))
    };
    let moved = world.asks_with(with_default("d-1", &in_millis(60_000))).await;
    assert!(away(&moved) > SignedDuration::from_secs(598) && moved["warnings"][0].as_str().unwrap().contains("was moved"));
    let kept = world.asks_with(with_default("d-2", &in_millis(1_800_000))).await;
    assert!(away(&kept) > SignedDuration::from_secs(1798) && kept["warnings"].as_array().is_none_or(Vec::is_empty), "{kept}");
    let late = world.agent().post("/v1/questions", &with_default("d-3", &in_millis(3_660_000))).await;
    assert_eq!(late.problem(422, "invalid")["field"], "deadline");
    world.set("PAGER_DEADLINE__MAX", "5m");
    world.set("PAGER_REMIND", "perhaps");
    let ended = world.pagerd(&["serve"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.words.contains("deadline.max") && ended.words.contains("remind"), "{ended:?}");
}

#[tokio::test]
async fn what_is_no_time_is_left_out_as_a_number_and_as_a_text() {
    let world = World::start().await;
    let odd = [
        json!(1_796_126_400.5),
        json!(-1),
        json!(1_796_126_400_000_u64),
        json!("1796126400.5"),
        json!("-1"),
        json!("1796126400000"),
        json!("+050000-01-01T00:00:00Z"),
    ];
    for (number, deadline) in odd.into_iter().enumerate() {
        let mut body = with_default(&format!("d-{number}"), "");
        body["deadline"] = deadline.clone();
        let record = world.asks_with(body).await;
        assert_eq!((&record["deadline"], &record["default"]), (&Value::Null, &Value::Null), "{deadline}");
        assert_eq!(record["warnings"].as_array().unwrap().len(), 1, "{deadline}");
    }
}

#[tokio::test]
async fn an_answer_in_time_is_the_answer() {
    let world = world().await;
    world.asks_with(with_default("d-1", &in_millis(1200))).await;
    world.owner().post("/v1/questions/d-1/answer", &json!({"answer": "x", "option": "yes"})).await.with(200);
    // A second one that ends by its deadline shows that the first one's has passed.
    world.asks_with(with_default("d-2", &in_millis(1200))).await;
    world.in_state("d-2", "defaulted").await;
    assert_eq!(world.record("d-1").await["answer"]["choice"], "yes");
}

#[tokio::test]
async fn a_deadline_that_passed_while_pagerd_was_down_acts_at_the_start_and_once() {
    let mut world = world().await;
    let deadline = in_millis(1000);
    world.asks_with(with_default("d-1", &deadline)).await;
    world.asks_with(approval("a-1", &deadline)).await;
    world.kill9().await;
    until("the deadline passes", async || (Timestamp::now() > deadline.parse().unwrap()).then_some(())).await;
    world.serve().await;
    assert_eq!(world.in_state("d-1", "defaulted").await["answer"]["default"], "no");
    world.in_state("a-1", "expired").await;
    let commits = world.git(&["rev-list", "--count", "main"]);
    world.restart().await;
    world.in_state("d-1", "defaulted").await;
    assert_eq!(world.git(&["rev-list", "--count", "main"]), commits, "nothing is written twice");
}

#[tokio::test]
async fn what_has_no_default_stays_open_behind_its_deadline() {
    let world = world().await;
    let mut question = with_default("q-1", &in_millis(1000));
    question["default"] = Value::Null;
    world.asks_with(question).await;
    world.asks_with(with_default("d-1", &in_millis(1300))).await;
    world.in_state("d-1", "defaulted").await;
    assert_eq!(world.record("q-1").await["state"], "open");
}

#[tokio::test]
async fn an_early_deadline_is_moved_a_late_one_refused_and_no_time_left_out() {
    let world = World::start().await;
    let moved = world.asks_with(with_default("d-1", &in_millis(1000))).await;
    assert_eq!(moved["warnings"].as_array().unwrap().len(), 1);
    let (deadline, asked): (Timestamp, Timestamp) =
        (moved["deadline"].as_str().unwrap().parse().unwrap(), moved["asked_at"].as_str().unwrap().parse().unwrap());
    let away = deadline.duration_since(asked);
    assert!(away > SignedDuration::from_secs(58) && away <= SignedDuration::from_secs(60), "{away}");
    let late = with_default("d-2", &in_millis(8 * 24 * 3_600_000));
    assert_eq!(world.agent().post("/v1/questions", &late).await.problem(422, "invalid")["field"], "deadline");
    let mut odd = with_default("d-3", "");
    odd["deadline"] = json!(1_796_126_400_000_u64);
    let record = world.asks_with(odd).await;
    assert_eq!((&record["deadline"], &record["default"]), (&Value::Null, &Value::Null));
    assert_eq!(record["warnings"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_default_is_refused_where_silence_may_settle_nothing() {
    let world = World::start().await;
    let deadline = in_millis(3_600_000);
    let mut hard = with_default("d-1", &deadline);
    hard["reversibility"] = json!("hard_to_reverse");
    let mut gate = approval("a-1", &deadline);
    gate["default"] = json!("approve");
    for body in [hard, gate] {
        assert_eq!(world.agent().post("/v1/questions", &body).await.problem(422, "invalid")["field"], "default");
    }
}
