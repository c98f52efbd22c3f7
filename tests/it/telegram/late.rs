//! Words about an offer that come behind its deadline and before its end, or look like a secret: kept once in the thread, or not at all.

use jiff::{SignedDuration, Timestamp};
use pager_tests::fake_telegram::{FORUM, OWNER, Written};
use serde_json::{Value, json};

use crate::world::{Shown, World, until};

/// Time enough to be shown in, also on a machine that has much else to do.
const SOON: i64 = 8000;

async fn world() -> World {
    World::with_telegram_and(&[("PAGER_DEADLINE__MIN", "1s")]).await
}

fn in_millis(millis: i64) -> Timestamp {
    Timestamp::now() + SignedDuration::from_millis(millis)
}

/// Behind the deadline by Telegram's clock as well, which counts whole seconds.
async fn passed(deadline: Timestamp) {
    let behind = deadline + SignedDuration::from_secs(1);
    until("the deadline passes", async || (Timestamp::now() > behind).then_some(())).await;
}

/// An offer about a request of the owner's, and that request.
async fn offered(world: &World, deadline: Timestamp) -> (Shown, String) {
    let asked = json!({"title": "Build this parser", "text": "In Rust."});
    let request = world.owner().post("/v1/requests", &asked).await.with(201)["id"].as_str().unwrap().to_owned();
    let offer = json!({"id": "o-1", "deliverable": "untested code", "missing": "a test run", "why": "no compiler",
        "deadline": deadline.to_string()});
    world.agent().post(&format!("/v1/requests/{request}/offers"), &offer).await.with(201);
    (world.shown_to_owner("o-1").await, request)
}

/// Kind and text of each reply in the thread.
async fn kept(world: &World, request: &str) -> Vec<(String, String)> {
    let thread = world.owner().get(&format!("/v1/requests/{request}")).await.with(200);
    let said = |reply: &Value, field: &str| reply[field].as_str().unwrap().to_owned();
    thread["replies"].as_array().unwrap().iter().map(|reply| (said(reply, "kind"), said(reply, "text"))).collect()
}

async fn count_requests(world: &World) -> usize {
    world.owner().get("/v1/requests").await.with(200)["items"].as_array().unwrap().len()
}

fn late_pick(text: &str) -> (String, String) {
    ("late_pick".to_owned(), text.to_owned())
}

#[tokio::test]
async fn a_text_between_the_deadline_and_the_end_is_a_late_pick_and_no_request_besides() {
    let mut world = world().await;
    let deadline = in_millis(SOON);
    let (shown, request) = offered(&world, deadline).await;
    world.kill9().await;
    passed(deadline).await;
    let text = world.telegram().write(Written::text("Better in C").in_topic(shown.thread)).unwrap();
    world.serve().await;
    let told = world.reply_to(FORUM, text).await;
    assert!(told.words().ends_with("Your text is kept as a late pick, and tester is told."), "{}", told.words());
    world.in_state("o-1", "defaulted").await;
    assert_eq!(kept(&world, &request).await, [late_pick("Better in C")]);
    assert_eq!(count_requests(&world).await, 1);
}

#[tokio::test]
async fn an_answer_by_key_between_the_deadline_and_the_end_is_told_that_it_is_kept() {
    let mut world = world().await;
    let deadline = in_millis(SOON);
    let (_, request) = offered(&world, deadline).await;
    let key = world.record("o-1").await["incarnation"].as_str().unwrap()[..8].to_owned();
    world.kill9().await;
    passed(deadline).await;
    let said = world.says(FORUM, &format!("/answer {key} Better in C"));
    world.serve().await;
    let told = world.reply_to(FORUM, said).await;
    assert!(told.words().ends_with("Your text is kept as a late pick, and tester is told."), "{}", told.words());
    assert_eq!(kept(&world, &request).await, [late_pick("Better in C")]);
}

#[tokio::test]
async fn a_pick_while_the_default_is_being_saved_is_kept_at_once() {
    let world = world().await;
    let (shown, request) = offered(&world, in_millis(SOON)).await;
    let (data, held) = (world.message(shown).keyboard[1][0].callback_data.clone().unwrap(), world.hold_writing());
    world.in_state("o-1", "answering").await;
    let press = world.telegram().press_data(FORUM, OWNER, shown.message, &data);
    let told = world.telegram().wait_for_callback_answer(&press).await.unwrap();
    assert_eq!(told.text, "Kept as a late pick. Nobody answered in time, and its default is being saved.");
    let text = world.telegram().write_in_topic(shown.thread, "Better in C").unwrap();
    let told = world.reply_to(FORUM, text).await;
    assert!(told.words().starts_with("Nobody answered in time, and its default is being saved.\n"), "{}", told.words());
    let further = ("message".to_owned(), "Better in C".to_owned());
    assert_eq!(kept(&world, &request).await, [late_pick("no thanks"), further]);
    assert_eq!(count_requests(&world).await, 1);
    assert_eq!(world.record("o-1").await["state"], "answering");
    drop(held);
    world.in_state("o-1", "defaulted").await;
}

#[tokio::test]
async fn late_words_that_look_like_a_secret_are_kept_nowhere_and_told_so() {
    let world = world().await;
    let (shown, request) = offered(&world, in_millis(SOON)).await;
    world.closed(shown).await;
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let text = world.telegram().write_in_topic(shown.thread, &format!("Use {secret}")).unwrap();
    let told = world.reply_to(FORUM, text).await;
    assert!(told.words().starts_with("Not kept: that looks like a GitHub token"), "{}", told.words());
    assert!(!told.words().contains(&secret), "{}", told.words());
    assert_eq!((kept(&world, &request).await, count_requests(&world).await), (vec![], 1));
}
