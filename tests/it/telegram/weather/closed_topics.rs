//! Topics that somebody closed by hand.

use pager_tests::fake_telegram::Fault;

use crate::world::{World, until};

/// A question whose topic somebody closed before its message was there.
async fn closed_before_the_message(world: &World, id: &str) -> i64 {
    world.telegram().fault("sendMessage", Fault::flood(2));
    world.asks(id).await;
    let thread = world.telegram().wait_for_topic(&format!("Release {id}?")).await.unwrap().thread;
    world.telegram().close_topic(thread, true).unwrap();
    thread
}

#[tokio::test]
async fn a_closed_topic_that_the_bot_may_write_into_is_written_into() {
    let world = World::with_telegram().await;
    let thread = closed_before_the_message(&world, "rel-1").await;
    assert_eq!(world.shown("rel-1").await.thread, thread);
    assert_eq!(world.telegram().calls_of("reopenForumTopic").len(), 0);
}

#[tokio::test]
async fn a_topic_that_is_closed_to_everyone_is_opened_again_and_the_question_shown() {
    let world = World::with_telegram().await;
    world.telegram().close_topics_to_everyone(true);
    let thread = closed_before_the_message(&world, "rel-1").await;
    let shown = world.shown("rel-1").await;
    assert_eq!(shown.thread, thread);
    assert!(!world.telegram().topic(thread).unwrap().is_closed);
    assert_eq!(world.telegram().messages_in_topic(thread).len(), 1);
}

#[tokio::test]
async fn a_topic_that_stays_closed_makes_its_question_undeliverable_with_the_reason() {
    let world = World::with_telegram().await;
    world.telegram().faults("sendMessage", super::refusal(400, "Bad Request: TOPIC_CLOSED"), 2);
    world.asks("rel-1").await;
    let record = world.delivered("rel-1", "undeliverable").await;
    assert!(record["delivery"]["reason"].as_str().unwrap().contains("closed"), "{record}");
    assert_eq!(world.telegram().calls_of("reopenForumTopic").len(), 1, "once");
}

#[tokio::test]
async fn a_topic_that_may_not_be_opened_makes_its_question_undeliverable_with_the_reason() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", super::refusal(400, "Bad Request: TOPIC_CLOSED"));
    world.telegram().fault("reopenForumTopic", super::refusal(400, "Bad Request: not enough rights to close or open the topic"));
    world.asks("rel-1").await;
    let record = world.delivered("rel-1", "undeliverable").await;
    assert!(record["delivery"]["reason"].as_str().unwrap().contains("not enough rights"), "{record}");
}

#[tokio::test]
async fn a_reply_into_a_topic_closed_by_hand_opens_it() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().close_topics_to_everyone(true);
    world.telegram().close_topic(shown.thread, true).unwrap();
    // The owner of the group may still write there.
    world.telegram().write_in_topic(shown.thread, "/help").unwrap();
    world.reply(shown).await;
    until("it is open", async || (!world.telegram().topic(shown.thread)?.is_closed).then_some(())).await;
}
