//! Held requests.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::world::{World, sent};

#[tokio::test]
async fn a_held_request_is_woken_by_the_answer_itself() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let agent = world.agent();
    let waiting = tokio::spawn(async move { (agent.held("/v1/questions/rel-1/answer", 30).await, Instant::now()) });
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let answered = Instant::now();
    let (reply, heard) = waiting.await.unwrap();
    assert_eq!(reply.with(200), answer);
    let late = heard.saturating_duration_since(answered);
    assert!(late < Duration::from_secs(3), "it took {late:?}");
}

#[tokio::test]
async fn an_answer_from_before_is_told_at_once() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let began = Instant::now();
    world.agent().held("/v1/questions/rel-1/answer", 30).await.with(200);
    assert!(began.elapsed() < Duration::from_secs(10), "it was not held");
}

#[tokio::test]
async fn without_an_answer_the_hold_ends_with_204() {
    let world = World::start().await;
    world.asks("rel-1").await;
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.status, 204);
    let began = Instant::now();
    assert_eq!(world.agent().held("/v1/questions/rel-1/answer", 1).await.status, 204);
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_withdrawal_ends_a_hold_with_410() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let agent = world.agent();
    let waiting = tokio::spawn(async move { agent.held("/v1/questions/rel-1/answer", 30).await });
    world.agent().post("/v1/questions/rel-1/withdraw", &json!({"reason": "solved"})).await.with(200);
    let problem = waiting.await.unwrap().problem(410, "withdrawn");
    assert!(problem["detail"].as_str().unwrap().contains("solved"), "{problem}");
}

#[tokio::test]
async fn a_hundred_waiters_all_hear_of_it() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let agent = world.agent();
    let waiting: Vec<_> = (0..100)
        .map(|_| {
            let agent = agent.clone();
            tokio::spawn(async move { agent.held("/v1/questions/rel-1/answer", 30).await })
        })
        .collect();
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    for reply in waiting {
        assert_eq!(reply.await.unwrap().with(200), answer);
    }
}

#[tokio::test]
async fn a_client_that_vanishes_changes_nothing() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let request = world.agent().request(reqwest::Method::GET, "/v1/questions/rel-1/answer").header("prefer", "wait=30");
    assert!(request.timeout(Duration::from_millis(100)).send().await.unwrap_err().is_timeout());
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.with(200), answer);
}

#[tokio::test]
async fn a_preference_that_is_no_number_is_refused_and_others_are_ignored() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let ask = async |preference: &str| {
        sent(world.agent().request(reqwest::Method::GET, "/v1/questions/rel-1/answer").header("prefer", preference))
            .await
            .unwrap()
    };
    assert_eq!(ask("wait=soon").await.problem(422, "invalid")["field"], "Prefer");
    assert_eq!(ask("respond-async").await.status, 204);
    assert_eq!(ask("respond-async, wait=0").await.status, 204);
}

#[tokio::test]
async fn an_answer_that_is_too_old_is_told_when_the_hold_ends() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let reply = world.agent().held("/v1/questions/rel-1/answer?since=2036-01-01T00:00:00Z", 1).await;
    assert_eq!((reply.status, reply.header("pager-ignored-at")), (204, answer["at"].as_str().unwrap()));
}
