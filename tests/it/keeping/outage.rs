//! The answers repository does not answer for a while, then it does: presses taken meanwhile are saved in their order, the
//! owner was told, and nobody was told "saved" before it was.

use pager_tests::fake_telegram::{BOT, FORUM, Message};
use serde_json::{Value, json};

use crate::world::{Shown, World, until};

const SAVING: &str = "An answer is being saved, since";
const WAIT: &str = "to be saved: the answers repository has not replied since";
const REPLIES_AGAIN: &str = "The answers repository replies again";

/// A pagerd that tells of an outage at once, and questions that are shown.
async fn world_with(ids: &[&str]) -> (World, Vec<Shown>) {
    let world = World::with_telegram_and(&[("PAGER_OUTAGE_TOLD_MILLIS", "100")]).await;
    let mut shown = Vec::new();
    for id in ids {
        shown.push(world.asks_and_shows(id).await);
    }
    (world, shown)
}

/// The lines in General that hold these words.
fn in_general(world: &World, words: &str) -> usize {
    let is_it = |message: &Message| message.thread.is_none() && message.from == BOT && message.words().contains(words);
    world.telegram().messages(FORUM).iter().filter(|message| is_it(message)).count()
}

/// The ids of the answers, in the order in which the history has them. One commit names several in their order, too.
fn history(world: &World) -> Vec<String> {
    let said = world.git(&["log", "--reverse", "--format=%B", "main"]);
    let ids = said.lines().filter_map(|line| line.strip_prefix("answer ")?.strip_suffix(": chosen"));
    ids.map(str::to_owned).collect()
}

async fn is_degraded(world: &World) -> Option<String> {
    let reply = world.nobody().get("/readyz").await;
    let degraded = reply.with(200)["degraded"].clone();
    degraded.as_array().unwrap().iter().filter_map(Value::as_str).find(|part| part.starts_with("answers: ")).map(str::to_owned)
}

/// Presses *Yes, release* on each, one after the other.
async fn press_each(world: &World, ids: &[&str], shown: &[Shown]) {
    for (id, shown) in ids.iter().zip(shown) {
        world.telegram().press(shown.message, "Yes, release").unwrap();
        world.in_state(id, "answering").await;
    }
}

#[tokio::test]
async fn presses_of_an_outage_are_saved_in_order_and_the_owner_was_told() {
    let ids = ["rel-9", "rel-1", "rel-5", "rel-3"];
    let (world, shown) = world_with(&ids).await;
    let held = world.hold_writing();
    press_each(&world, &ids, &shown).await;

    for shown in &shown {
        let message = world.message_says(*shown, SAVING).await;
        assert_eq!(message.labels().len(), 2, "nothing is decided yet: {}", message.words());
        assert!(!message.words().contains("You answered"), "{}", message.words());
    }
    let record = world.record_when("rel-9", "uncertain", |record| record["uncertain"] == true).await;
    assert_eq!((&record["state"], &record["save"]["state"]), (&json!("answering"), &json!("uncertain")));
    assert!(record["save"]["since"].is_string() && record["save"]["reason"].is_string(), "{record}");
    let waiting = world.record("rel-3").await;
    assert!(waiting["save"]["reason"].is_string(), "one that only waits behind it says why, too: {waiting}");
    until("readyz tells it", async || is_degraded(&world).await).await;
    until("the owner is told in General", async || (in_general(&world, WAIT) == 1).then_some(())).await;
    for id in ids {
        assert_eq!(world.agent().get(&format!("/v1/questions/{id}/answer")).await.status, 204);
    }
    world.agent().post("/v1/questions/rel-1/withdraw", &json!({})).await.problem(409, "answering");
    assert_eq!(history(&world), [""; 0]);

    drop(held);
    for (id, shown) in ids.iter().zip(&shown) {
        let message = world.closed(*shown).await;
        assert!(message.words().contains("You answered") && !message.words().contains(SAVING), "{}", message.words());
        world.saved_answer(id).await;
    }
    assert_eq!(history(&world), ids);
    until("the end is told", async || (in_general(&world, REPLIES_AGAIN) == 1).then_some(())).await;
    assert_eq!(in_general(&world, WAIT), 1, "one line for one outage");
    until("readyz is well", async || is_degraded(&world).await.is_none().then_some(())).await;
}

#[tokio::test]
async fn what_waited_when_pagerd_was_killed_is_saved_in_order_and_nothing_is_told_twice() {
    let ids = ["rel-2", "rel-1", "rel-3"];
    let (mut world, shown) = world_with(&ids).await;
    let held = world.hold_writing();
    press_each(&world, &ids, &shown).await;
    until("the owner is told", async || (in_general(&world, WAIT) == 1).then_some(())).await;
    world.rests().await;
    world.kill9().await;
    drop(held);
    world.serve().await;
    for shown in &shown {
        world.closed(*shown).await;
    }
    assert_eq!(history(&world), ids);
    until("the end is told", async || (in_general(&world, REPLIES_AGAIN) == 1).then_some(())).await;
    world.restart().await;
    world.asks_and_shows("rel-4").await;
    assert_eq!((in_general(&world, WAIT), in_general(&world, REPLIES_AGAIN)), (1, 1));
}

#[tokio::test]
async fn a_repository_that_is_gone_refuses_and_what_said_being_saved_can_be_answered_again() {
    let (world, shown) = world_with(&["rel-1"]).await;
    let held = world.hold_writing();
    press_each(&world, &["rel-1"], &shown).await;
    world.message_says(shown[0], SAVING).await;
    let away = world.folder().join("away.git");
    std::fs::rename(world.repository(), &away).unwrap();
    drop(held);
    world.record_when("rel-1", "refused", |record| record["save"]["state"] == "refused").await;
    let is_plain = |message: &Message| message.id == shown[0].message && !message.words().contains(SAVING);
    let message = world.telegram().wait_for_message("message without the line", is_plain).await.unwrap();
    assert_eq!(message.labels().len(), 2);
    assert!(world.reply(shown[0]).await.words().contains("Could not be saved"));
    assert!(is_degraded(&world).await.is_some());

    std::fs::rename(&away, world.repository()).unwrap();
    world.telegram().press(shown[0].message, "No").unwrap();
    world.closed(shown[0]).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
    assert_eq!(is_degraded(&world).await, None);
}
