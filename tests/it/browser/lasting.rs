//! A page that stays open for long: it neither grows nor loses touch.

use serde_json::Value;
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::driver::Browser;
use super::page::card;
use crate::world::World;

/// What the browser holds for the page once it has tidied up: nodes, listeners, documents.
async fn held(browser: &Browser) -> [u64; 3] {
    browser.devtools("Performance.enable").await;
    browser.devtools("HeapProfiler.collectGarbage").await;
    browser.devtools("HeapProfiler.collectGarbage").await;
    let metrics = browser.devtools("Performance.getMetrics").await;
    let of = |name: &str| {
        let metric = metrics["metrics"].as_array().unwrap().iter().find(|metric| metric["name"] == name);
        metric.and_then(|metric| metric["value"].as_f64()).unwrap_or_else(|| panic!("no {name}")).round()
    };
    ["Nodes", "JSEventListeners", "Documents"].map(|name| format!("{}", of(name)).parse().unwrap())
}

/// Asks and withdraws so many questions, and waits until the page shows what came last.
async fn happens(world: &World, browser: &Browser, name: &str, count: usize) {
    let agent = world.agent();
    for number in 0..count {
        let id = format!("{name}-{number}");
        let draft = serde_json::json!({"id": id, "text": format!("{id}?"), "options": [{"label": "A"}, {"label": "B"}]});
        agent.post("/v1/questions", &draft).await.with(201);
        agent.post_empty(&format!("/v1/questions/{id}/withdraw")).await.with(200);
    }
    let last = world.asks(&format!("{name}-last")).await;
    browser.sees(&card(&last), "Release").await;
    agent.post_empty(&format!("/v1/questions/{name}-last/withdraw")).await.with(200);
    browser.lacks(&card(&last)).await;
}

#[tokio::test]
async fn a_thousand_changes_leave_nothing_behind_on_the_page() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    happens(&world, &browser, "first", 20).await;
    let before = held(&browser).await;
    happens(&world, &browser, "then", 500).await;
    let after = held(&browser).await;
    for (name, (before, after)) in ["nodes", "listeners", "documents"].iter().zip(before.into_iter().zip(after)) {
        assert!(after <= before + before / 4 + 2, "{name}: {before}, and {after} after a thousand changes");
    }
    assert_eq!(browser.console().await, Vec::<String>::new());
    // It is one and the same page still, and lives.
    let question = world.asks("alive").await;
    browser.sees(&card(&question), "Release alive?").await;
}

#[tokio::test]
async fn a_page_whose_place_the_store_does_not_remember_reads_itself_anew() {
    let mut world = World::start().await;
    let browser = Browser::start().await;
    let gone = world.asks("gone").await;
    browser.log_in(&world).await;
    browser.sees(&card(&gone), "Release gone?").await;
    world.kill9().await;
    // As after a restore from an older copy: the numbers begin again below those that the page has seen.
    let options = SqliteConnectOptions::new().filename(world.data_dir().join("pager.sqlite"));
    let mut store = SqliteConnection::connect_with(&options).await.unwrap();
    for statement in ["DELETE FROM happenings", "DELETE FROM sqlite_sequence", "DELETE FROM questions"] {
        sqlx::query(statement).execute(&mut store).await.unwrap();
    }
    store.close().await.unwrap();
    world.serve_at_the_same_address().await;
    browser.lacks(&card(&gone)).await;
    let question = world.asks("next").await;
    browser.sees(&card(&question), "Release next?").await;
    let seen: Value = browser.run("return document.getElementById('frame').dataset.seen").await;
    assert!(seen.as_str().unwrap().starts_with("1-"), "{seen}");
}
