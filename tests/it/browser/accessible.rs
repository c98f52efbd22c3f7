//! Usable with a screen reader, with the keyboard alone, on a small phone, in the light and in the dark.

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::driver::Browser;
use super::requests;
use crate::world::World;

/// Run in the page: what is wrong, one line each.
const RULES: &str = include_str!("rules.js");

/// Every page, with something of every kind on it.
async fn full_world() -> (World, Vec<String>) {
    let world = requests::world(&[("PAGER_UNANSWERED_AFTER", "1s")]).await;
    let request = requests::request(&world, "Build this Rust parser\nfor the importer, with a test for each kind of line").await;
    let other = requests::request(&world, "Compare three queues").await;
    requests::reply(&world, "reply-0001", &other, "The second one. It keeps its order over restarts.").await;
    requests::offer(&world, "offer-0001", &request, json!({"deadline": requests::in_millis(7_200_000)})).await;
    let records = world.asks_everything().await;
    world.asks("answered").await;
    world.owner().post("/v1/questions/answered/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    let past = json!({
        "id": "weighed", "purpose": "decision", "text": "UTC or local?", "recommended": "1", "waiting_on": "the schema",
        "options": [{"label": "UTC", "detail": "Sorts"}, {"label": "Local", "detail": "Reads well"}],
    });
    world.asks_with(past).await;
    world.owner().post("/v1/questions/weighed/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    let of = |record: &Value| format!("/questions/{}", record["incarnation"].as_str().unwrap());
    let ended = of(&world.record("weighed").await);
    let threads = [format!("/requests/{request}"), format!("/requests/{other}")];
    let paths = ["/", "/updates", "/requests", "/history", "/history?q=x", "/decisions", "/settings"].map(str::to_owned);
    (world, [paths.to_vec(), threads.to_vec(), vec![of(&records[1]), ended, "/nowhere".to_owned(), "/login".to_owned()]].concat())
}

#[tokio::test]
async fn every_page_keeps_the_rules_of_accessibility_in_light_and_dark() {
    let (world, paths) = full_world().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let mut broken = Vec::new();
    for path in paths.iter().filter(|path| *path != "/nowhere") {
        browser.open(&world, path).await;
        for (width, scheme) in [(390, "light"), (390, "dark"), (1200, "light"), (1200, "dark")] {
            browser.looks(width, scheme).await;
            let found = browser.run(RULES).await;
            broken.extend(found.as_array().unwrap().iter().map(|fault| format!("{path} {width} {scheme}: {fault}")));
        }
    }
    assert_eq!(broken, Vec::<String>::new(), "{}", broken.join("\n"));
}

#[tokio::test]
async fn the_rules_find_what_is_wrong() {
    let world = World::start().await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    let spoil = "document.documentElement.removeAttribute('lang'); document.getElementById('main').innerHTML = \
        '<h3>x</h3><img src=/assets/icon.svg><input id=a><button id=a></button><p class=soft>grey</p>'; \
        const sheet = new CSSStyleSheet(); sheet.replaceSync('.soft { color: #ccc } button { min-height: 0 !important; height: 10px; outline: none !important }'); \
        document.adoptedStyleSheets = [sheet];";
    browser.run(spoil).await;
    let found = browser.run(RULES).await.to_string();
    for fault in ["lang", "heading", "alt", "label", "name", "id a", "contrast", "small", "focus"] {
        assert!(found.contains(fault), "{fault} in {found}");
    }
}

#[tokio::test]
async fn no_page_scrolls_sideways_on_the_smallest_phone() {
    let (world, paths) = full_world().await;
    let long = "x".repeat(300);
    let wide = json!({"id": "wide", "text": long, "options": [{"label": "y".repeat(100)}, {"label": "b", "detail": long}]});
    world.asks_with(wide).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.looks(320, "light").await;
    for path in &paths {
        browser.open(&world, path).await;
        let width = browser.run("return document.documentElement.scrollWidth").await;
        assert!(width.as_u64().unwrap() <= 320, "{path}: {width}");
    }
}

#[tokio::test]
async fn the_first_key_leads_past_the_bar_to_the_content() {
    let world = World::start().await;
    world.asks("skip").await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.key(Key::Tab).await;
    assert!(browser.has_focus(".skip").await);
    browser.key(Key::Enter).await;
    browser.key(Key::Tab).await;
    assert!(browser.has_focus(".option").await);
}

#[tokio::test]
async fn ticking_and_sending_needs_no_pointer() {
    let world = World::start().await;
    world.asks_with(json!({"id": "keys", "text": "Which?", "multi": true, "options": [{"label": "A"}, {"label": "B"}]})).await;
    let browser = Browser::start().await;
    browser.log_in(&world).await;
    browser.tab_to("input[value='2']").await;
    browser.active_element().await.unwrap().send_keys(" ").await.unwrap();
    browser.tab_to(".send").await;
    browser.key(Key::Enter).await;
    browser.sees(".notice.done", "You answered: B").await;
    assert_eq!(world.saved_answer("keys").await["choice"], "2");
}
