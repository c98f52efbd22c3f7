//! Calls whose outcome is unknown: at most one duplicate, and every copy is closed.

use pager_tests::fake_telegram::{FORUM, Fault};
use serde_json::json;

use crate::world::{World, until};

#[tokio::test]
async fn a_message_sent_without_a_reply_has_at_most_one_copy_and_both_are_closed() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", Fault::ResetAfter);
    world.asks("rel-1").await;
    let record = world.delivered("rel-1", "uncertain").await;
    assert!(record["delivery"]["reason"].is_string(), "{record}");
    let shown = world.shown("rel-1").await;
    let messages = world.telegram().messages_in_topic(shown.thread);
    assert_eq!(messages.len(), 2);
    let unknown = messages.iter().find(|message| message.id != shown.message).unwrap();
    world.telegram().press(unknown.id, "No").unwrap();
    world.closed(shown).await;
    until("the copy is closed, too", async || {
        let copy = world.telegram().message(FORUM, unknown.id).unwrap();
        (copy.keyboard.is_empty() && copy.words().contains("You answered: No")).then_some(())
    })
    .await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_copy_that_nobody_knew_of_is_closed_when_it_is_pressed_after_the_end() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", Fault::ResetAfter);
    world.asks("rel-1").await;
    let shown = world.shown("rel-1").await;
    let messages = world.telegram().messages_in_topic(shown.thread);
    let unknown = messages.iter().find(|message| message.id != shown.message).unwrap();
    world.telegram().press(shown.message, "Yes, release").unwrap();
    world.closed(shown).await;
    let press = world.telegram().press(unknown.id, "No").unwrap();
    let toast = world.telegram().wait_for_callback_answer(&press).await.unwrap();
    assert!(toast.text.contains("You answered: Yes, release"), "{}", toast.text);
    until("the copy is closed", async || world.telegram().message(FORUM, unknown.id).unwrap().keyboard.is_empty().then_some(()))
        .await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "1");
}

#[tokio::test]
async fn a_topic_made_without_a_reply_is_adopted_and_no_second_one_is_made() {
    let world = World::with_telegram().await;
    world.telegram().fault("createForumTopic", Fault::ResetAfter);
    world.asks("rel-1").await;
    let shown = world.shown("rel-1").await;
    assert_eq!(world.telegram().topics().len(), 1);
    assert_eq!(world.telegram().messages_in_topic(shown.thread).len(), 1);
    assert_eq!(world.telegram().calls_of("createForumTopic").len(), 1);
    world.telegram().write_in_topic(shown.thread, "Fine").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Fine");
}

#[tokio::test]
async fn a_topic_of_another_question_with_the_same_text_is_not_adopted() {
    let world = World::with_telegram().await;
    let draft = |id: &str| json!({"id": id, "text": "Go on?", "waiting_on": "all"});
    world.telegram().fault("createForumTopic", Fault::ResetBefore);
    world.asks_with(draft("rel-1")).await;
    world.delivered("rel-1", "uncertain").await;
    // The news of the second topic comes before the reply that it was made.
    world.telegram().fault("createForumTopic", Fault::hang_after());
    world.asks_with(draft("rel-2")).await;
    world.telegram().wait_for_topic("Go on?").await.unwrap();
    until("the news of it was read", async || world.telegram().waiting_updates().is_empty().then_some(())).await;
    world.telegram().release();
    let (first, second) = (world.shown("rel-1").await, world.shown("rel-2").await);
    assert_ne!(first.thread, second.thread, "two questions share a topic");
    world.telegram().write_in_topic(second.thread, "Two").unwrap();
    assert_eq!(world.in_state("rel-2", "answered").await["answer"]["answer"], "Two");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn an_edit_whose_reply_was_lost_is_repeated() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    for fault in [Fault::ResetAfter, Fault::Http502] {
        world.telegram().fault("editMessageText", fault);
    }
    world.telegram().press(shown.message, "No").unwrap();
    let message = world.closed(shown).await;
    assert!(message.words().contains("You answered: No"), "{}", message.words());
    world.saved_answer("rel-1").await;
}

#[tokio::test]
async fn a_message_whose_edit_was_refused_is_closed_by_the_next_press_on_it() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let description = "Forbidden: bot was kicked from the supergroup chat".to_owned();
    world.telegram().fault("editMessageText", Fault::Status { code: 403, description, retry_after: None });
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "no", "option": "2"})).await.with(200);
    world.telegram().wait_for_call("editMessageText", |_| true).await.unwrap();
    let press = world.telegram().press(shown.message, "Yes, release").unwrap();
    let toast = world.telegram().wait_for_callback_answer(&press).await.unwrap();
    assert!(toast.text.contains("You answered: No"), "{}", toast.text);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}
