//! Topics that are switched off while the service runs: no question is lost, and there is an alarm.

use pager_tests::fake_telegram::{FORUM, Fault};

use crate::world::{World, until};

/// The message id of a question that stands in the chat itself.
async fn shown_flat(world: &World, id: &str) -> i64 {
    let record = world.delivered(id, "shown").await;
    assert!(record["delivery"]["reason"].as_str().unwrap().contains("no topics"), "{record}");
    let link = record["delivery"]["link"].as_str().unwrap().strip_prefix("https://t.me/c/1000000001/").unwrap();
    link.parse().unwrap()
}

#[tokio::test]
async fn a_question_asked_after_topics_were_switched_off_stands_in_the_chat_with_buttons_that_work_and_an_alarm() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().set_topics(FORUM, false);
    world.asks("rel-1").await;
    let message = shown_flat(&world, "rel-1").await;
    assert!(world.degraded().await.contains("switch Topics on"), "{}", world.degraded().await);
    world.telegram().press(message, "No").unwrap();
    world.in_state("rel-1", "answered").await;
    until("its buttons are gone", async || world.telegram().message(FORUM, message)?.keyboard.is_empty().then_some(())).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_message_that_lost_its_topic_on_the_way_is_known_where_it_landed() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", Fault::flood(2));
    world.asks("rel-1").await;
    world.telegram().wait_for_topic("Release rel-1?").await.unwrap();
    world.telegram().set_topics(FORUM, false);
    let message = shown_flat(&world, "rel-1").await;
    assert!(world.degraded().await.contains("switch Topics on"));
    world.telegram().press(message, "No").unwrap();
    until("its buttons are gone", async || world.telegram().message(FORUM, message)?.keyboard.is_empty().then_some(())).await;
    world.in_state("rel-1", "answered").await;
}

#[tokio::test]
async fn once_topics_are_on_again_questions_get_topics() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().set_topics(FORUM, false);
    world.asks("rel-1").await;
    shown_flat(&world, "rel-1").await;
    world.telegram().set_topics(FORUM, true);
    world.asks("rel-2").await;
    world.shown("rel-2").await;
}
