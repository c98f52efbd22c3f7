//! `/mute`: questions are held back and recorded, everything else goes on.

use pager_tests::fake_telegram::FORUM;
use serde_json::json;

use crate::world::{PLAIN, World};

#[tokio::test]
async fn while_muted_questions_are_held_back_with_the_reason_and_outcomes_go() {
    let mut world = World::with_telegram().await;
    let before = world.asks_and_shows("rel-1").await;
    assert!(world.replied(FORUM, "/mute 2h").await.starts_with("No new questions but approvals, and no updates, until "));
    world.asks("rel-2").await;
    let held = world.record_when("rel-2", "held back", |record| record["delivery"]["reason"].is_string()).await;
    assert_eq!(held["delivery"]["state"], "queued");
    assert!(held["delivery"]["reason"].as_str().unwrap().starts_with("muted until "), "{held}");
    world.telegram().press(before.message, "No").unwrap();
    world.closed(before).await;

    world.restart().await;
    world.asks("rel-3").await;
    world.record_when("rel-3", "held back", |record| record["delivery"]["reason"].is_string()).await;
    assert!(world.replied(FORUM, "/mute").await.starts_with("No new questions but approvals, and no updates, until "));
    assert!(world.replied(FORUM, "/open").await.starts_with("2 questions wait."));
    assert_eq!(world.telegram().topics().len(), 1);

    assert!(world.replied(FORUM, "/mute off").await.contains("sent again"));
    let shown = (world.shown("rel-2").await, world.shown("rel-3").await);
    assert!(shown.0.message < shown.1.message, "the older one comes first");
    assert_eq!(world.record("rel-2").await["delivery"]["reason"], json!(null));
    assert!(world.replied(FORUM, "/mute").await.starts_with("Nothing is muted."));
}

#[tokio::test]
async fn when_the_time_is_over_the_questions_are_shown() {
    let world = World::with_telegram().await;
    world.replied(FORUM, "/mute 6s").await;
    world.asks("rel-1").await;
    world.record_when("rel-1", "held back", |record| record["delivery"]["reason"].is_string()).await;
    world.shown("rel-1").await;
}

#[tokio::test]
async fn a_shorter_time_counts_from_when_it_was_said() {
    let world = World::with_telegram().await;
    world.replied(FORUM, "/mute 2h").await;
    world.asks("rel-1").await;
    world.record_when("rel-1", "held back", |record| record["delivery"]["reason"].is_string()).await;
    world.replied(FORUM, "/mute 1s").await;
    world.shown("rel-1").await;
}

#[tokio::test]
async fn a_question_that_ends_while_it_is_held_back_is_never_sent() {
    for flat in [false, true] {
        let world = match flat {
            true => World::in_chat(PLAIN, pager_tests::fake_telegram::ChatKind::Supergroup, false).await,
            false => World::with_telegram().await,
        };
        let chat = if flat { PLAIN } else { FORUM };
        world.replied(chat, "/mute 2h").await;
        world.asks("rel-1").await;
        world.record_when("rel-1", "held back", |record| record["delivery"]["reason"].is_string()).await;
        world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
        world.in_state("rel-1", "declined").await;
        world.replied(chat, "/mute off").await;
        world.asks("rel-2").await;
        world.message_in(chat, "Release rel-2?").await;
        assert!(!world.telegram().messages(chat).iter().any(|message| message.words().contains("rel-1")));
        assert_eq!(world.telegram().topics().len(), usize::from(!flat));
    }
}

#[tokio::test]
async fn what_is_no_time_is_told_how_to_write_one() {
    let world = World::with_telegram().await;
    for text in ["/mute", "/mute soon", "/mute 31d"] {
        let reply = world.replied(FORUM, text).await;
        assert!(reply.starts_with("Nothing is muted.") && reply.contains("/mute 2h"), "{text}: {reply}");
    }
    world.asks_and_shows("rel-1").await;
}
