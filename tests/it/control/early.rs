//! Events that come out of order: a withdrawal before its question.

use serde_json::json;
use sqlx::Connection as _;

use super::sending::{borrowed, question, signed_settings, signed_world, withdrawal};
use crate::world::World;

const EARLY: &str = "2026-11-30T12:00:00Z";
const LATE: &str = "2026-11-30T12:00:05Z";

#[tokio::test]
async fn a_question_that_was_taken_back_before_it_came_is_never_shown() {
    let world = World::with_telegram_and(&borrowed(&signed_settings())).await;
    world.sends("event-0001", &withdrawal("rel-1", json!({"sent_at": LATE}))).await.problem(404, "not_found");
    let record = world.sends("event-0002", &question("rel-1", json!({"sent_at": EARLY}))).await.with(201);
    assert_eq!((&record["state"], &record["reason"]), (&json!("withdrawn"), &json!("solved")));
    assert_eq!(record["delivery"]["state"], "stored");
    assert!(!world.held().await.iter().any(|row| row.starts_with("jobs: ")), "nothing is to be shown");
    // One that comes later is shown, and it is the only one.
    world.sends("event-0003", &question("rel-2", json!({"sent_at": LATE}))).await.with(201);
    world.shown_to_owner("rel-2").await;
    assert_eq!(world.telegram().topics().len(), 1);
    assert_eq!(world.owner().get("/v1/questions/rel-1").await.with(200)["state"], "withdrawn");
}

#[tokio::test]
async fn a_question_that_was_sent_after_the_withdrawal_is_asked() {
    let world = signed_world().await;
    world.sends("event-0001", &withdrawal("rel-1", json!({"sent_at": EARLY}))).await.problem(404, "not_found");
    let record = world.sends("event-0002", &question("rel-1", json!({"sent_at": LATE}))).await.with(201);
    assert_eq!(record["state"], "open");
}

#[tokio::test]
async fn a_question_without_a_time_is_asked_and_a_withdrawal_without_one_was_sent_when_it_came() {
    let world = signed_world().await;
    world.sends("event-0001", &withdrawal("rel-1", json!({"sent_at": LATE}))).await.problem(404, "not_found");
    world.sends("event-0002", &withdrawal("rel-2", json!({}))).await.problem(404, "not_found");
    assert_eq!(world.sends("event-0003", &question("rel-1", json!({}))).await.with(201)["state"], "open");
    world.sends("event-0004", &withdrawal("rel-3", json!({}))).await.problem(404, "not_found");
    let before = json!({"sent_at": "2020-01-01T00:00:00Z"});
    assert_eq!(world.sends("event-0005", &question("rel-2", before)).await.with(201)["state"], "withdrawn");
    let after = json!({"sent_at": "2200-01-01T00:00:00Z"});
    assert_eq!(world.sends("event-0006", &question("rel-3", after)).await.with(201)["state"], "open");
}

#[tokio::test]
async fn an_early_withdrawal_is_for_the_same_source_alone() {
    let world = signed_world().await;
    let early = json!({"sent_at": LATE, "agent": "ci"});
    for (id, agent, state) in
        [("rel-1", json!(null), "open"), ("rel-2", json!("cd"), "open"), ("rel-3", json!("ci"), "withdrawn")]
    {
        world.sends(&format!("event-{id}-back"), &withdrawal(id, early.clone())).await.problem(404, "not_found");
        let body = question(id, json!({"sent_at": EARLY, "agent": agent}));
        assert_eq!(world.sends(&format!("event-{id}-asks"), &body).await.with(201)["state"], state, "{id}");
    }
}

#[tokio::test]
async fn an_early_withdrawal_is_remembered_for_an_hour_and_over_a_crash() {
    let mut world = signed_world().await;
    for id in ["rel-1", "rel-2"] {
        world.sends(&format!("event-{id}"), &withdrawal(id, json!({"sent_at": LATE}))).await.problem(404, "not_found");
    }
    world.kill9().await;
    let path = world.data_dir().join("pager.sqlite");
    let mut store = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    for (id, minutes) in [("rel-1", 59), ("rel-2", 61)] {
        let query = sqlx::query("UPDATE control_withdrawals SET at = at - ? * 60000 WHERE question = ?");
        query.bind(minutes).bind(id).execute(&mut store).await.unwrap();
    }
    store.close().await.unwrap();
    world.serve().await;
    for (id, state) in [("rel-1", "withdrawn"), ("rel-2", "open")] {
        let record = world.sends(&format!("event-{id}-asks"), &question(id, json!({"sent_at": EARLY}))).await.with(201);
        assert_eq!(record["state"], state, "{id}");
    }
}
