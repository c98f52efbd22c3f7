//! Topics of ended questions that the owner wants closed or gone.

use pager_tests::fake_telegram::Fault;

use crate::world::{World, until};

#[tokio::test]
async fn topics_of_ended_questions_stay_open_and_are_never_deleted_unless_the_owner_says_so() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    world.replies_by_now(shown).await;
    let topic = world.telegram().topic(shown.thread).unwrap();
    assert!(!topic.is_closed && !topic.is_deleted);
}

#[tokio::test]
async fn the_topic_of_an_ended_question_is_closed_after_its_mark() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__CLOSE_ANSWERED", "true")]).await;
    let (shown, other) = (world.asks_and_shows("rel-1").await, world.asks_and_shows("rel-2").await);
    world.telegram().press(shown.message, "No").unwrap();
    until("it is closed", async || world.telegram().topic(shown.thread)?.is_closed.then_some(())).await;
    world.closed(shown).await;
    assert!(!world.telegram().topic(other.thread).unwrap().is_closed);
}

#[tokio::test]
async fn the_topic_of_an_ended_question_is_deleted_when_its_time_has_come() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__DELETE_TOPICS_AFTER", "1s")]).await;
    let (shown, other) = (world.asks_and_shows("rel-1").await, world.asks_and_shows("rel-2").await);
    world.telegram().press(shown.message, "No").unwrap();
    // The fake lists no deleted topics.
    until("it is deleted", async || world.telegram().topics().iter().all(|topic| topic.thread != shown.thread).then_some(()))
        .await;
    assert!(world.telegram().topics().iter().any(|topic| topic.thread == other.thread));
    world.saved_answer("rel-1").await;
}

#[tokio::test]
async fn a_topic_is_not_deleted_once_the_setting_is_gone() {
    let mut world = World::with_telegram_and(&[("PAGER_TELEGRAM__DELETE_TOPICS_AFTER", "8s")]).await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    // It ended before that.
    let ended = std::time::Instant::now();
    world.terminate().await;
    world.set("PAGER_TELEGRAM__DELETE_TOPICS_AFTER", "never");
    world.serve().await;
    until("its time has come", async || (ended.elapsed().as_secs() > 8).then_some(())).await;
    world.replies_by_now(shown).await;
    assert_eq!(world.telegram().calls_of("deleteForumTopic").len(), 0);
}

#[tokio::test]
async fn a_lost_reply_to_closing_or_deleting_a_topic_is_no_matter() {
    let settings = [("PAGER_TELEGRAM__CLOSE_ANSWERED", "true"), ("PAGER_TELEGRAM__DELETE_TOPICS_AFTER", "4s")];
    let world = World::with_telegram_and(&settings).await;
    for call in ["closeForumTopic", "deleteForumTopic"] {
        world.telegram().fault(call, Fault::ResetAfter);
    }
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    // Told of again once the reply was lost, and so already.
    let tries = async |call: &str| {
        until(&format!("{call} was tried twice"), async || (world.telegram().calls_of(call).len() == 2).then_some(())).await;
    };
    tries("closeForumTopic").await;
    tries("deleteForumTopic").await;
    world.saved_answer("rel-1").await;
    world.asks_and_shows("rel-2").await;
}

#[tokio::test]
async fn a_bot_that_may_not_delete_leaves_the_topic_and_the_answer_as_they_are() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__DELETE_TOPICS_AFTER", "1s")]).await;
    let refusal = super::refusal(400, "Bad Request: not enough rights to delete the topic");
    world.telegram().fault("deleteForumTopic", refusal);
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    world.telegram().wait_for_call("deleteForumTopic", |_| true).await.unwrap();
    world.asks_and_shows("rel-2").await;
    assert_eq!(world.telegram().calls_of("deleteForumTopic").len(), 1);
    world.saved_answer("rel-1").await;
}
