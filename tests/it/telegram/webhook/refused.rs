//! What the webhook turns away: without the secret nothing is stored, and what is no update neither.

use crate::world::World;

use super::{SECRET, post, press_of, world};

#[tokio::test]
async fn an_update_without_the_right_secret_is_turned_away_and_decides_nothing() {
    let world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    let body = press_of(&world, shown, 900_000_001);
    let longer = format!("{SECRET}x");
    let wrong = [None, Some(""), Some("x"), Some(&SECRET[1..]), Some(&longer), Some("S-3CRET_of-THE-HOOK")];
    for secret in wrong {
        assert_eq!(post(&world, secret, body.clone()).await, 401, "{secret:?}");
    }
    world.replies_by_now(shown).await;
    assert_eq!(world.record("rel-1").await["state"], "open");
    // It was the secret alone that was wrong, and nothing of it was kept: its id is new.
    assert_eq!(post(&world, Some(SECRET), body).await, 200);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_bearer_token_is_no_secret_of_the_webhook() {
    let world = world().await;
    for caller in [world.owner(), world.agent()] {
        assert_eq!(caller.post("/telegram/webhook", &serde_json::json!({"update_id": 1})).await.status, 401);
    }
}

#[tokio::test]
async fn what_is_no_update_is_refused() {
    let world = world().await;
    for body in ["", "{", "[]", "7", "{\"message\":{}}", "{\"update_id\":\"7\"}", "{\"update_id\":1.5}"] {
        assert_eq!(post(&world, Some(SECRET), body.to_owned()).await, 400, "{body}");
    }
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
}

#[tokio::test]
async fn an_update_has_at_most_a_mebibyte() {
    let world = world().await;
    let sized = |size: usize| {
        let around = "{\"update_id\":900000001,\"x\":\"\"}".len();
        format!("{{\"update_id\":900000001,\"x\":\"{}\"}}", "y".repeat(size - around))
    };
    assert_eq!(post(&world, Some(SECRET), sized(1024 * 1024)).await, 200);
    assert_eq!(post(&world, Some(SECRET), sized(1024 * 1024 + 1)).await, 413);
}

#[tokio::test]
async fn the_address_takes_posts_alone_and_is_not_there_while_polling() {
    let hooked = world().await;
    hooked.nobody().get("/telegram/webhook").await.problem(405, "method_not_allowed");
    let polling = World::with_telegram_and(&[("PAGER_TELEGRAM__WEBHOOK_SECRET", SECRET)]).await;
    assert_eq!(post(&polling, Some(SECRET), "{\"update_id\":1}".to_owned()).await, 404);
}

#[tokio::test]
async fn a_webhook_without_a_secret_refuses_to_start() {
    for secret in [None, Some("")] {
        let mut world = World::empty();
        for (name, value) in [
            ("PAGER_TELEGRAM__TOKEN", "100:test-token"),
            ("PAGER_TELEGRAM__CHAT_ID", "-1001000000001"),
            ("PAGER_TELEGRAM__OWNERS", "4242"),
            ("PAGER_TELEGRAM__MODE", "webhook"),
            ("PAGER_SERVER__PUBLIC_URL", "https://pager.example"),
        ] {
            world.set(name, value);
        }
        if let Some(secret) = secret {
            world.set("PAGER_TELEGRAM__WEBHOOK_SECRET", secret);
        }
        let ended = world.pagerd(&["serve"]).await;
        assert!(ended.code == Some(1) && ended.words.contains("telegram.webhook_secret"), "{ended:?}");
    }
}
