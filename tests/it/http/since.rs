//! `since`: an answer older than the question, by more than the minute of leeway, does not count.

use pager_questions::Time;
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn the_leeway_is_exactly_a_minute() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let at = Time::parse(answer["at"].as_str().unwrap()).unwrap();
    let ask = async |since: String| world.agent().get(&format!("/v1/questions/rel-1/answer?since={since}")).await;
    assert_eq!(ask(at.plus_millis(60_000).to_string()).await.with(200), answer);
    let ignored = ask(at.plus_millis(60_001).to_string()).await;
    assert_eq!((ignored.status, ignored.header("pager-ignored-at")), (204, answer["at"].as_str().unwrap()));
    // Seconds since 1970 are a time, too.
    let seconds = |millis: i64| format!("{}.{:03}", millis / 1000, millis % 1000);
    assert_eq!(ask(seconds(at.as_millis() + 60_000)).await.with(200), answer);
    assert_eq!(ask(seconds(at.as_millis() + 60_001)).await.status, 204);
}

#[tokio::test]
async fn the_incarnation_when_given_decides_alone() {
    let world = World::start().await;
    let record = world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let incarnation = record["incarnation"].as_str().unwrap();
    let path = |incarnation: &str| format!("/v1/questions/rel-1/answer?since=2036-01-01T00:00:00Z&incarnation={incarnation}");
    world.agent().get(&path(incarnation)).await.with(200);
    world.agent().get(&path("0123456789abcdef")).await.problem(409, "incarnation_mismatch");
}

#[tokio::test]
async fn a_time_that_cannot_be_read_is_refused() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let problem = world.agent().get("/v1/questions/rel-1/answer?since=yesterday").await.problem(422, "invalid");
    assert_eq!(problem["field"], "since");
    let problem = world.agent().get("/v1/questions/rel-1/answer?incarnation=xyz").await.problem(422, "invalid");
    assert_eq!(problem["field"], "incarnation");
}
