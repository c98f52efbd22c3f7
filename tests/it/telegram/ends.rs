//! Every end of a question as its message tells it.

use pager_tests::fake_telegram::FORUM;
use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn a_withdrawn_question_says_that_the_agent_took_it_back_and_why() {
    let world = World::with_telegram().await;
    for (id, body, words) in [
        ("rel-1", json!({"reason": "the tests settled it"}), "The agent took it back: the tests settled it"),
        ("rel-2", json!({}), "The agent took it back."),
    ] {
        let shown = world.asks_and_shows(id).await;
        let record = world.agent().post(&format!("/v1/questions/{id}/withdraw"), &body).await.with(200);
        assert_eq!((&record["state"], &record["answer"]), (&json!("withdrawn"), &Value::Null));
        let message = world.closed(shown).await;
        assert!(message.words().contains(words), "{}", message.words());
        assert_eq!(world.answer_file(id), None);
    }
}

#[tokio::test]
async fn a_decline_in_the_topic_leaves_it_to_the_agent() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "/decline").unwrap();
    let message = world.closed(shown).await;
    assert!(message.words().contains("Declined: the agent goes on by its own judgement."), "{}", message.words());
    let saved = world.saved_answer("rel-1").await;
    assert_eq!((&saved["outcome"], &saved["answer"], &saved["recorded"]), (&json!("declined"), &Value::Null, &Value::Null));
    assert!(saved["note"].as_str().is_some_and(|note| note.contains("your own best judgement")), "{saved}");
    assert_eq!(world.record("rel-1").await["state"], "declined");
}

#[tokio::test]
async fn a_cancel_in_the_topic_calls_it_off() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "/cancel@pager_test_bot").unwrap();
    let message = world.closed(shown).await;
    assert!(message.words().contains("Cancelled by telegram:4242."), "{}", message.words());
    let saved = world.saved_answer("rel-1").await;
    assert_eq!((&saved["outcome"], &saved["reason"]), (&json!("cancelled"), &json!("owner_cancelled")));
}

#[tokio::test]
async fn a_command_for_another_bot_or_in_general_ends_nothing() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "/decline@other_bot").unwrap();
    world.telegram().write_in_general("/cancel").unwrap();
    assert_eq!(world.replies_by_now(shown).await, [""; 0]);
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_question_withdrawn_before_it_is_shown_never_shows_buttons_that_stay() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", pager_tests::fake_telegram::Fault::hang());
    world.asks("rel-1").await;
    let sending =
        |state: &pager_tests::fake_telegram::State| state.calls.iter().any(|call| call.method == "sendmessage").then_some(());
    world.telegram().wait_for("send on its way", sending).await.unwrap();
    world.agent().post("/v1/questions/rel-1/withdraw", &json!({})).await.with(200);
    world.telegram().release();
    let shown = world.shown("rel-1").await;
    assert!(world.message_says(shown, "The agent took it back.").await.keyboard.is_empty());
    assert!(world.telegram().message(FORUM, shown.message).unwrap().keyboard.is_empty());
}
