//! An answers repository that refuses: nothing counts, everybody is told, and the question can be answered again.

use pager_tests::fake_telegram::FORUM;
use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn a_text_that_cannot_be_saved_is_told_and_counts_when_written_again() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.break_repository();
    let first = world.telegram().write_in_topic(shown.thread, "Tomorrow").unwrap();
    let record = world.record_when("rel-1", "refused", |record| record["save"]["state"] == "refused").await;
    assert_eq!((&record["state"], &record["answer"]), (&json!("open"), &Value::Null));
    assert!(record["save"]["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{record}");
    let replies = world.replies_by_now(shown).await;
    assert!(replies.len() == 1 && replies[0].contains("Could not be saved"), "{replies:?}");
    assert_eq!(world.message(shown).labels().len(), 2);
    assert_eq!(world.telegram().message(FORUM, first).unwrap().reactions, [""; 0]);

    world.mend_repository();
    let second = world.telegram().write_in_topic(shown.thread, "The day after").unwrap();
    let thumbed = |message: &pager_tests::fake_telegram::Message| message.id == second && message.reactions == ["👍"];
    world.telegram().wait_for_message("text with 👍", thumbed).await.unwrap();
    assert_eq!(world.saved_answer("rel-1").await["answer"], "The day after");
    assert_eq!(world.telegram().message(FORUM, first).unwrap().reactions, [""; 0]);
    assert_eq!(world.record("rel-1").await["save"], Value::Null);
}

#[tokio::test]
async fn a_press_that_cannot_be_saved_is_told_in_the_topic_and_the_keyboard_stays() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.break_repository();
    world.telegram().press(shown.message, "No").unwrap();
    let reply = world.reply(shown).await;
    assert!(reply.words().contains("Could not be saved"), "{}", reply.words());
    assert_eq!(world.message(shown).labels().len(), 2);
    world.mend_repository();
    world.telegram().press(shown.message, "Yes, release").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "1");
}

#[tokio::test]
async fn an_owner_over_http_is_told_that_it_was_refused() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.break_repository();
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.problem(502, "save_refused");
    assert_eq!(world.message(shown).labels().len(), 2);
    world.mend_repository();
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    world.closed(shown).await;
    world.saved_answer("rel-1").await;
}
