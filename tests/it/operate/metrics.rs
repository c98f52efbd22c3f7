//! `/metrics` counts what happens, is explained by its page, and is open on this machine alone; `/readyz` tells of age.

use std::collections::BTreeSet;
use std::path::Path;

use pager_tests::fake_telegram::Fault;
use reqwest::Method;
use serde_json::json;

use crate::world::{World, sent, until};

async fn metrics(world: &World) -> String {
    let reply = world.nobody().get("/metrics").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/plain; version=0.0.4; charset=utf-8"), "{reply:?}");
    reply.text
}

/// The value of one sample.
fn sample(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

async fn until_sample(world: &World, name: &str, fits: impl Fn(f64) -> bool) {
    until(name, async || sample(&metrics(world).await, name).filter(|value| fits(*value))).await;
}

#[tokio::test]
async fn the_page_explains_every_family_with_its_kind_and_none_besides() {
    let world = World::start().await;
    let text = metrics(&world).await;
    let told: BTreeSet<(String, String)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .map(|(name, kind)| (name.to_owned(), kind.to_owned()))
        .collect();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/metrics.md");
    let explained: BTreeSet<(String, String)> = std::fs::read_to_string(page)
        .unwrap()
        .lines()
        .filter_map(|row| {
            let (name, rest) = row.strip_prefix("| `")?.split_once("` | ")?;
            Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
        })
        .collect();
    assert_eq!(told, explained);
    for (name, _) in &told {
        assert_eq!(text.lines().filter(|line| line.starts_with(&format!("# HELP {name} "))).count(), 1, "{name}");
    }
}

#[tokio::test]
async fn what_happens_to_questions_answers_and_calls_is_counted() {
    let world = World::with_telegram().await;
    world.telegram().fault("createForumTopic", Fault::flood(1));
    let first = world.asks_and_shows("rel-1").await;
    world.asks_and_shows("rel-2").await;
    world.telegram().press(first.message, "No").unwrap();
    world.closed(first).await;
    world.agent().post("/v1/questions/rel-2/withdraw", &json!({})).await.with(200);
    world.asks("rel-3").await;
    until_sample(&world, "pager_telegram_last_poll_age_seconds", |age| age < 60.0).await;
    until_sample(&world, "pager_updates{state=\"handled\"}", |count| count >= 1.0).await;
    let text = metrics(&world).await;
    for (name, value) in [
        ("pager_questions_asked_total", 3.0),
        ("pager_questions_ended_total{outcome=\"chosen\"}", 1.0),
        ("pager_questions_ended_total{outcome=\"withdrawn\"}", 1.0),
        ("pager_questions_open", 1.0),
        ("pager_questions_answering", 0.0),
        ("pager_saves_total{outcome=\"saved\"}", 1.0),
        ("pager_save_seconds_count", 1.0),
        ("pager_save_seconds_bucket{le=\"+Inf\"}", 1.0),
        ("pager_telegram_calls_total{method=\"createForumTopic\",outcome=\"paused\"}", 1.0),
        ("pager_http_requests_total{route=\"/v1/questions\",status=\"201\"}", 3.0),
        ("pager_http_requests_total{route=\"/v1/questions/{id}/withdraw\",status=\"200\"}", 1.0),
    ] {
        assert_eq!(sample(&text, name), Some(value), "{name}\n{text}");
    }
    assert!(sample(&text, "pager_telegram_paused_until_seconds").unwrap() > 1.7e9, "{text}");
    assert!(sample(&text, "pager_updates_stored_total").unwrap() >= 1.0, "{text}");
    for secret in ["rel-1", "test-token", "4242", "Release"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[tokio::test]
async fn agents_that_wait_and_saves_that_are_refused_are_counted() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let agent = world.agent();
    let waiting = tokio::spawn(async move { agent.held("/v1/questions/rel-1/answer", 60).await });
    until_sample(&world, "pager_agents_waiting", |count| count == 1.0).await;
    world.break_repository();
    let refused = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await;
    assert_eq!(refused.status, 502, "{refused:?}");
    assert_eq!(sample(&metrics(&world).await, "pager_saves_total{outcome=\"refused\"}"), Some(1.0));
    world.mend_repository();
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    assert_eq!(waiting.await.unwrap().status, 200);
    until_sample(&world, "pager_agents_waiting", |count| count == 0.0).await;
}

#[tokio::test]
async fn beyond_this_machine_only_an_owner_sees_them() {
    let world = World::start().await;
    let passed_on = world.nobody().request(Method::GET, "/metrics").header("x-forwarded-for", "192.0.2.7");
    sent(passed_on).await.unwrap().problem(401, "unauthenticated");
    let passed_on = world.owner().request(Method::GET, "/metrics").header("x-forwarded-for", "192.0.2.7");
    assert_eq!(sent(passed_on).await.unwrap().status, 200);
    let world = World::start_with(&[("PAGER_SERVER__PUBLIC_URL", "https://pager.example")]).await;
    world.nobody().get("/metrics").await.problem(401, "unauthenticated");
    world.agent().get("/metrics").await.problem(403, "forbidden");
    assert_eq!(world.owner().get("/metrics").await.status, 200);
}

#[tokio::test]
async fn readiness_tells_the_age_of_the_last_poll_and_of_the_outbox() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-1").await;
    until("a poll was finished", async || {
        world.nobody().get("/readyz").await.with(200)["last_poll_age"].as_i64().filter(|age| *age < 60)
    })
    .await;
    world.telegram().set_down(true);
    world.asks("rel-2").await;
    assert!(world.nobody().get("/readyz").await.with(200)["outbox_age"].is_i64());
    // Ten minutes later.
    let path = world.data_dir().join("pager.sqlite");
    let mut store = <sqlx::SqliteConnection as sqlx::Connection>::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::query("UPDATE jobs SET made_at = made_at - 600000").execute(&mut store).await.unwrap();
    let ready = world.nobody().get("/readyz").await.with(200);
    assert_eq!(ready["status"], "degraded");
    assert!(ready["degraded"].to_string().contains("outbox: the oldest call"), "{ready}");
    assert!(ready["outbox_age"].as_i64().unwrap() >= 600, "{ready}");
    world.telegram().set_down(false);
    world.shown("rel-2").await;
    until("the outbox is empty", async || {
        let ready = world.nobody().get("/readyz").await.with(200);
        (ready["outbox_age"].is_null() && !ready.to_string().contains("outbox:")).then_some(())
    })
    .await;
}
