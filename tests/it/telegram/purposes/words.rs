//! What is no answer to a decision, and the list of what waits.

use pager_tests::fake_telegram::{ChatKind, FORUM, Written, media};
use serde_json::json;

use super::{asks, draft};
use crate::world::{PLAIN, World};

#[tokio::test]
async fn words_at_a_decision_are_told_to_pick_a_button_and_settle_nothing() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "decision", "db", json!({})).await;
    world.telegram().write_in_topic(shown.thread, "SQLite").unwrap();
    let replies = world.replies_by_now(shown).await;
    assert_eq!(replies.len(), 1, "{replies:?}");
    assert!(replies[0].contains("takes no words") && replies[0].contains("/decline"), "{replies:?}");
    assert_eq!(world.record("db").await["state"], "open");
    assert_eq!(world.message(shown).labels(), ["★ SQLite", "PostgreSQL"]);
    let requests = world.owner().get("/v1/requests").await.with(200);
    assert_eq!(requests["items"], json!([]), "nor are they a text for others");
    world.telegram().press(shown.message, "PostgreSQL").unwrap();
    assert_eq!(world.in_state("db", "answered").await["answer"]["recorded"], "PostgreSQL: A server.");
}

#[tokio::test]
async fn a_long_text_that_was_split_and_an_album_get_one_reply_at_a_decision() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "decision", "db", json!({})).await;
    world.telegram().write_long(Written::text("z".repeat(4096 * 2 + 10)).in_topic(shown.thread)).unwrap();
    let replies = world.replies_by_now(shown).await;
    assert!(replies.len() == 1 && replies[0].contains("takes no words"), "{replies:?}");
    world.telegram().age(3);
    for photo in media::album(3, "SQLite") {
        world.telegram().write(photo.in_topic(shown.thread)).unwrap();
    }
    let replies = world.replies_by_now(shown).await;
    assert!(replies.len() == 2 && replies[1].contains("takes no words"), "{replies:?}");
    assert_eq!(world.record("db").await["state"], "open");
}

#[tokio::test]
async fn a_picture_is_told_what_counts_at_each_purpose() {
    let world = World::with_telegram().await;
    for (purpose, says) in
        [("decision", "Only a button counts"), ("clarification", "Please type it."), ("verify", "type it, or press a button")]
    {
        let shown = asks(&world, purpose, purpose, json!({})).await;
        world.telegram().write(media::voice().in_topic(shown.thread)).unwrap();
        let reply = world.reply(shown).await;
        assert!(reply.words().contains(says), "{purpose}: {}", reply.words());
    }
}

#[tokio::test]
async fn a_decision_without_topics_takes_no_words_by_command_and_is_declined_by_its_key() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.asks_with(draft("decision", "db", json!({}))).await;
    let message = world.message_in(PLAIN, "decision db?").await;
    let key = message.words().split("/decline ").nth(1).unwrap().trim().to_owned();
    let reply = world.replied(PLAIN, &format!("/answer {key} SQLite")).await;
    assert!(reply.contains("takes no words") && reply.contains(&format!("/decline {key}")), "{reply}");
    assert_eq!(world.record("db").await["state"], "open");
    world.says(PLAIN, &format!("/decline {key}"));
    world.in_state("db", "declined").await;
    world.ended_in(PLAIN, "Declined: the agent goes on by its own judgement.").await;
}

#[tokio::test]
async fn the_list_of_what_waits_says_what_each_is_for_hard_to_reverse_first() {
    let world = World::with_telegram().await;
    asks(&world, "verify", "page", json!({})).await;
    asks(&world, "question", "plain", json!({})).await;
    asks(&world, "approval", "drop", json!({"reversibility": "hard_to_reverse"})).await;
    let list = world.replied(FORUM, "/open").await;
    let lines: Vec<&str> = list.lines().filter(|line| line.starts_with('•')).collect();
    assert_eq!(lines, ["• ⚠️ Approval: approval drop?", "• Verify: verify page?", "• question plain?"]);
}

#[tokio::test]
async fn a_deadline_with_its_default_and_a_set_are_shown() {
    let world = World::with_telegram().await;
    let in_two_hours = world.telegram().look(pager_tests::fake_telegram::State::now_ms) / 1000 + 7200;
    let shown = asks(&world, "question", "q", json!({"group": "set-7", "deadline": in_two_hours, "default": "2"})).await;
    let message = world.message(shown);
    assert!(message.words().contains("; if nobody answers: the agent goes on with “No”."), "{}", message.words());
    assert!(message.words().contains("One of a set set-7"), "{}", message.words());
}
