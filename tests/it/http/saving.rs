//! While an answer is being saved: it does not count yet, and nobody else can decide.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn everybody_else_is_told_that_an_answer_is_being_saved() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let held = world.hold_writing();
    let owner = world.owner();
    let first = tokio::spawn(async move { owner.post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await });
    let record = world.in_state("rel-1", "answering").await;
    assert_eq!(
        (&record["save"]["state"], &record["answer"], &record["uncertain"]),
        (&json!("saving"), &Value::Null, &json!(false))
    );

    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Stop"})).await.problem(409, "answering");
    world.owner().post_empty("/v1/questions/rel-1/decline").await.problem(409, "answering");
    world.owner().post_empty("/v1/questions/rel-1/cancel").await.problem(409, "answering");
    let press = world.telegram().press(shown.message, "No").unwrap();
    assert!(world.telegram().wait_for_callback_answer(&press).await.unwrap().text.contains("Being saved"));
    let late = world.telegram().write_in_topic(shown.thread, "Stop").unwrap();
    world.replies_by_now(shown).await;
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.status, 204);
    assert_eq!(world.message(shown).labels().len(), 2, "no outcome is shown before it is stored");
    let draft = json!({"id": "rel-1", "text": "Release rel-1?", "options": [{"label": "Yes, release"}, {"label": "No"}]});
    assert_eq!(world.agent().post("/v1/questions", &draft).await.with(200)["asked_at"], record["asked_at"]);

    drop(held);
    let answer = first.await.unwrap().with(200);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await, answer);
    assert_eq!(answer["answer"], "Go");
    // It answers nothing, and is kept as a request.
    world.telegram().wait_for_message("text with 👀", |message| message.id == late && message.reactions == ["👀"]).await.unwrap();
}

#[tokio::test]
async fn a_withdrawal_waits_for_the_save_and_gets_the_answer() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let held = world.hold_writing();
    let owner = world.owner();
    let answering = tokio::spawn(async move { owner.post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await });
    world.in_state("rel-1", "answering").await;
    let agent = world.agent();
    let withdrawing = tokio::spawn(async move { agent.post("/v1/questions/rel-1/withdraw", &json!({})).await });
    // The withdrawal is on its way while this one is held for a moment.
    world.agent().held("/v1/questions/rel-1/answer", 1).await;
    drop(held);
    let answer = answering.await.unwrap().with(200);
    assert_eq!(withdrawing.await.unwrap().problem(409, "already_answered")["answer"], answer);
}

#[tokio::test]
async fn a_slow_save_is_told_as_such_and_comes_to_its_end() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let held = world.hold_writing();
    let began = Instant::now();
    let owner = world.owner();
    let answering =
        tokio::spawn(async move { (owner.post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await, Instant::now()) });
    world.in_state("rel-1", "answering").await;
    world.agent().post("/v1/questions/rel-1/withdraw", &json!({})).await.problem(409, "answering");
    let waited = began.elapsed();
    assert!(waited >= Duration::from_secs(4) && waited < Duration::from_secs(9), "{waited:?}");
    let (reply, replied) = answering.await.unwrap();
    let record = reply.with(202);
    assert!(replied.duration_since(began) < Duration::from_secs(20));
    assert_eq!((&record["state"], &record["uncertain"]), (&json!("answering"), &json!(true)));
    assert!(record["save"]["reason"].is_string(), "{record}");
    drop(held);
    assert_eq!(world.agent().answer("rel-1").await["answer"], "Go");
    assert_eq!(world.record("rel-1").await["uncertain"], false);
    world.saved_answer("rel-1").await;
}

#[tokio::test]
async fn a_claim_whose_save_was_cut_off_is_saved_after_a_restart() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let held = world.hold_writing();
    let text = world.telegram().write_in_topic(shown.thread, "Go").unwrap();
    world.in_state("rel-1", "answering").await;
    world.kill9().await;
    drop(held);
    world.serve().await;
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "Go");
    world.telegram().wait_for_message("👍", |message| message.id == text && message.reactions == ["👍"]).await.unwrap();
}
