//! The end of pagerd, asked for or not.

use std::time::Duration;

use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn sigterm_lets_held_requests_go_and_ends_within_ten_seconds() {
    let mut world = World::with_telegram().await;
    world.asks_and_shows("rel-1").await;
    let agent = world.agent();
    // A first call on the connection, so that the second one is under way when it is sent.
    let waiting = tokio::spawn(async move { agent.held("/v1/questions/rel-1/answer", 50).await });
    world.agent().held("/v1/questions/rel-1/answer", 1).await;
    let (status, took) = world.terminate().await;
    assert!(status.success() && took < Duration::from_secs(10), "{status} after {took:?}");
    assert_eq!(waiting.await.unwrap().status, 204);
    world.serve().await;
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn sigterm_ends_it_in_time_while_telegram_hangs() {
    let mut world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().fault("createForumTopic", pager_tests::fake_telegram::Fault::hang());
    world.asks("rel-1").await;
    let open = |state: &pager_tests::fake_telegram::State| {
        let last = state.calls.iter().rfind(|call| call.method == "createforumtopic")?;
        (last.outcome == pager_tests::fake_telegram::Outcome::Open).then_some(())
    };
    world.telegram().wait_for("hanging call", open).await.unwrap();
    let (status, took) = world.terminate().await;
    assert!(status.success() && took < Duration::from_secs(10), "{status} after {took:?}");
}

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    let mut world = World::start().await;
    let first = world.asks("rel-1").await;
    world.asks("rel-2").await;
    let answer = world.owner().post("/v1/questions/rel-2/answer", &json!({"answer": "Go"})).await.with(200);
    world.restart().await;
    assert_eq!(world.record("rel-1").await["incarnation"], first["incarnation"]);
    assert_eq!(world.agent().get("/v1/questions/rel-2/answer").await.with(200), answer);
    world.nobody().get("/healthz").await;
    assert_eq!(world.nobody().get("/readyz").await.with(200)["status"], "ready");
}

#[tokio::test]
async fn an_answer_under_way_at_the_end_is_told_or_at_least_saved() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    let held = world.hold_writing();
    let owner = world.owner();
    let answering = tokio::spawn(async move { owner.post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await });
    world.in_state("rel-1", "answering").await;
    let (status, took) = world.terminate().await;
    assert!(status.success() && took < Duration::from_secs(10), "{status} after {took:?}");
    assert_eq!(answering.await.unwrap().with(202)["state"], "answering");
    drop(held);
    world.serve().await;
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Go");
    world.saved_answer("rel-1").await;
}
