//! Approvals go before other questions, and through a mute.

use pager_tests::fake_telegram::{FORUM, Fault};
use serde_json::json;

use super::{asks, begun, draft};
use crate::world::World;

#[tokio::test]
async fn approvals_are_sent_before_questions_that_were_asked_earlier() {
    let world = World::with_telegram().await;
    world.telegram().fault("createForumTopic", Fault::hang());
    world.asks("first").await;
    begun(&world, "createForumTopic", 1).await;
    for id in ["q-1", "q-2", "q-3"] {
        world.asks(id).await;
    }
    for id in ["a-1", "a-2"] {
        world.asks_with(draft("approval", id, json!({}))).await;
    }
    world.telegram().release();
    let mut order = Vec::new();
    for id in ["first", "q-1", "q-2", "q-3", "a-1", "a-2"] {
        order.push((world.shown(id).await.message, id));
    }
    order.sort_unstable();
    let order: Vec<&str> = order.into_iter().map(|(_, id)| id).collect();
    // The first one's topic was made before the approvals were asked; its message may be sent behind theirs.
    let others: Vec<&str> = order.iter().copied().filter(|id| *id != "first").collect();
    assert_eq!(others, ["a-1", "a-2", "q-1", "q-2", "q-3"], "{order:?}");
}

#[tokio::test]
async fn a_mute_holds_questions_back_and_lets_approvals_and_their_documents_through() {
    let world = World::with_telegram().await;
    let reply = world.replied(FORUM, "/mute 2h").await;
    assert!(reply.starts_with("No new questions but approvals, and no updates, until "), "{reply}");
    for purpose in ["question", "decision", "action", "verify", "clarification"] {
        world.asks_with(draft(purpose, purpose, json!({}))).await;
        let held = world.record_when(purpose, "held back", |record| record["delivery"]["reason"].is_string()).await;
        assert!(held["delivery"]["reason"].as_str().unwrap().starts_with("muted until "), "{held}");
    }
    let shown = asks(&world, "approval", "drop", json!({"subject": "x".repeat(9000)})).await;
    super::has_buttons(&world, shown.message, &["Approve", "Decline"]).await;
    assert_eq!(world.telegram().topics().len(), 1);
    world.telegram().press(shown.message, "Approve").unwrap();
    world.closed(shown).await;
}
