//! Between the two modes, and somebody else between pagerd and its updates: nothing that waits is lost.

use pager_tests::fake_telegram::Fault;
use serde_json::json;

use crate::world::{World, until};

use super::{LOOKS_OFTEN, SECRET, call, delivered, info, set, world};

#[tokio::test]
async fn from_polling_to_a_webhook_and_back_no_press_is_lost() {
    let mut world = World::with_telegram().await;
    for (id, to_webhook) in [("rel-1", true), ("rel-2", false), ("rel-3", true)] {
        let shown = world.asks_and_shows(id).await;
        world.terminate().await;
        world.telegram().press(shown.message, "No").unwrap();
        if to_webhook {
            world.use_webhook(SECRET).await;
        } else {
            world.set("PAGER_TELEGRAM__MODE", "polling");
        }
        world.serve().await;
        world.telegram().age(2);
        world.closed(shown).await;
        assert_eq!(world.saved_answer(id).await["choice"], "2");
        let url = call(&world, "getWebhookInfo", &json!({})).await["result"]["url"].clone();
        assert_eq!(url == "", !to_webhook, "{id}: {url}");
    }
    let deleted = world.telegram().calls_of("deleteWebhook");
    assert!(deleted.iter().all(|call| call.parameters["drop_pending_updates"] != "true"));
}

#[tokio::test]
async fn an_orderly_end_leaves_the_webhook_set() {
    let mut world = world().await;
    set(&world).await;
    world.terminate().await;
    set(&world).await;
    assert!(world.telegram().calls_of("deleteWebhook").is_empty());
}

#[tokio::test]
async fn a_webhook_that_somebody_else_set_or_removed_is_set_again_with_a_warning() {
    let world = World::with_webhook_and(SECRET, &[LOOKS_OFTEN]).await;
    let shown = world.asks_and_shows("rel-1").await;
    let ours = set(&world).await["url"].clone();
    let elsewhere = json!({"url": "https://elsewhere.example/s3cret-path"});
    for (method, parameters) in [("setWebhook", elsewhere), ("deleteWebhook", json!({}))] {
        world.telegram().age(2);
        assert_eq!(call(&world, method, &parameters).await["ok"], true);
        world.telegram().age(2);
        info(&world, "the webhook is ours again", |info| info["url"] == ours).await;
    }
    // With other kinds of updates, presses would not come any more.
    world.telegram().age(2);
    call(&world, "setWebhook", &json!({"url": ours, "secret_token": SECRET, "allowed_updates": ["message"]})).await;
    world.telegram().age(2);
    info(&world, "the kinds are ours again", |info| info["allowed_updates"].as_array().is_some_and(|kinds| kinds.len() == 4))
        .await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    let log = world.log();
    assert!(log.lines().any(|line| line.contains("WARN") && line.contains("changed the bot's webhook")), "{log}");
    assert!(!log.contains("s3cret-path"));
}

#[tokio::test]
async fn a_secret_that_somebody_else_set_is_replaced_once_updates_come_with_it() {
    let world = World::with_webhook_and(SECRET, &[LOOKS_OFTEN]).await;
    let shown = world.asks_and_shows("rel-1").await;
    let info = set(&world).await;
    world.telegram().age(2);
    let theirs = json!({"url": info["url"], "secret_token": "theirs", "allowed_updates": info["allowed_updates"]});
    assert_eq!(call(&world, "setWebhook", &theirs).await["ok"], true);
    world.telegram().press(shown.message, "No").unwrap();
    delivered(&world, "401", |delivery| delivery.status == Some(401)).await;
    world.telegram().age(2);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_webhook_of_somebody_elses_is_replaced_at_the_start_with_a_warning() {
    let mut world = world().await;
    let ours = set(&world).await["url"].clone();
    world.terminate().await;
    world.telegram().age(2);
    call(&world, "setWebhook", &json!({"url": "https://elsewhere.example/hook"})).await;
    world.telegram().age(2);
    world.serve().await;
    info(&world, "the webhook is ours again", |info| info["url"] == ours).await;
    assert!(world.log().contains("changed the bot's webhook"));
}

#[tokio::test]
async fn a_changed_secret_is_set_at_the_next_start() {
    let mut world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.terminate().await;
    world.set("PAGER_TELEGRAM__WEBHOOK_SECRET", "another");
    world.telegram().age(2);
    world.serve().await;
    let is_new = |call: &pager_tests::fake_telegram::Call| call.parameters["secret_token"] == "another";
    world.telegram().wait_for_call("setWebhook", is_new).await.unwrap();
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
}

#[tokio::test]
async fn a_second_program_that_polls_meets_the_conflict_and_pagerd_none() {
    let world = world().await;
    let shown = world.asks_and_shows("rel-1").await;
    for _ in 0..2 {
        assert_eq!(call(&world, "getUpdates", &json!({"timeout": 0})).await["error_code"], 409);
        world.telegram().age(4);
    }
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    assert!(world.nobody().get("/readyz").await.with(200)["degraded"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn a_webhook_that_comes_in_the_way_of_polling_is_removed_and_what_waits_is_kept() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    call(&world, "setWebhook", &json!({"url": "https://elsewhere.example/hook"})).await;
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
    info(&world, "no webhook is set", |info| info["url"] == "").await;
}

#[tokio::test]
async fn a_webhook_that_telegram_refuses_is_told_and_tried_again() {
    let mut world = world().await;
    set(&world).await;
    world.terminate().await;
    let refusal = "Bad Request: bad webhook: getaddrinfo failed".to_owned();
    world.telegram().faults("setWebhook", Fault::Status { code: 400, description: refusal, retry_after: None }, 2);
    world.telegram().age(2);
    world.serve().await;
    let told = async || {
        let ready = world.nobody().get("/readyz").await.with(200)["degraded"].to_string();
        ready.contains("webhook: it could not be set").then_some(())
    };
    until("readiness tells of it", told).await;
    let well = async || (world.nobody().get("/readyz").await.with(200)["status"] == "ready").then_some(());
    until("it is well again", well).await;
}
