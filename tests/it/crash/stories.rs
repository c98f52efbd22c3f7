//! Stories that are told through to their end, however often pagerd dies on the way.

use std::time::Duration;

use pager_tests::fake_telegram::{FORUM, Message};
use serde_json::{Value, json};

use crate::world::{Shown, World, until, within};

/// Longer than the ten seconds that pagerd waits for news of a call with an unknown outcome, twice.
const LONG: Duration = Duration::from_secs(60);

/// A press, with a death at each of these points, one life after the other.
pub async fn press(points: &[&str]) {
    eprintln!("press: {points:?}");
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let waiting = waiting(&world, "rel-1");
    live_and_die(&mut world, points, |world| {
        world.telegram().press(shown.message, "No").unwrap();
    })
    .await;
    let message = settled(&world, shown, "You answered: No", points).await;
    assert!(message.keyboard.is_empty(), "{points:?}");
    let saved = world.saved_answer("rel-1").await;
    assert_eq!(saved["choice"], "2", "{points:?}");
    assert_eq!(waiting.await.unwrap(), saved, "{points:?}");
    everything_is_calm(&mut world, shown, points).await;
}

/// A text of the owner, likewise.
pub async fn words(points: &[&str]) {
    eprintln!("words: {points:?}");
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let waiting = waiting(&world, "rel-1");
    let mut text = 0;
    live_and_die(&mut world, points, |world| {
        text = world.telegram().write_in_topic(shown.thread, "After lunch").unwrap();
    })
    .await;
    settled(&world, shown, "You answered: After lunch", points).await;
    let thumbed = |message: &Message| message.id == text && message.reactions == ["👍"];
    world.telegram().wait_for_message(&format!("👍 after {points:?}"), thumbed).await.unwrap();
    let saved = world.saved_answer("rel-1").await;
    assert_eq!((&saved["choice"], &saved["answer"]), (&Value::Null, &json!("After lunch")), "{points:?}");
    assert_eq!(waiting.await.unwrap(), saved, "{points:?}");
    everything_is_calm(&mut world, shown, points).await;
}

/// A text in General, likewise.
pub async fn request(points: &[&str]) {
    eprintln!("request: {points:?}");
    let mut world = World::with_telegram().await;
    world.asks_and_shows("rel-1").await;
    world.kill9().await;
    let mut text = 0;
    for (life, point) in points.iter().enumerate() {
        world.serve_to_crash(point).await;
        if life == 0 {
            text = world.telegram().write_in_general("Build this").unwrap();
        }
        // In a later life the point may lie behind: then it ends with the mark.
        let is_seen = |world: &World| world.telegram().message(FORUM, text).unwrap().reactions == ["👀"];
        until(&format!("a death or 👀 after {points:?}"), async || (world.has_crashed() || is_seen(&world)).then_some(())).await;
        if !world.has_crashed() {
            world.kill9().await;
        }
    }
    world.serve().await;
    let seen = |message: &Message| message.id == text && message.reactions == ["👀"];
    world.telegram().wait_for_message(&format!("👀 after {points:?}"), seen).await.unwrap();
    let stored = world.owner().get("/v1/requests").await.with(200);
    assert_eq!(stored["items"].as_array().unwrap().len(), 1, "{points:?}: {stored}");
}

/// Asking, likewise: the agent repeats itself until it hears something.
pub async fn asking(points: &[&str]) {
    eprintln!("asking: {points:?}");
    let mut world = World::with_telegram().await;
    let body = json!({
        "id": "rel-1", "text": "Release?", "options": [{"label": "Yes"}, {"label": "No"}], "publication_id": "run-7/1",
    });
    let mut lives = points.iter();
    world.kill9().await;
    world.serve_to_crash(lives.next().unwrap()).await;
    let mut heard: Option<Value> = None;
    let record = within(LONG, &format!("shown after {points:?}"), async || {
        if world.has_crashed() {
            match lives.next() {
                Some(point) => world.serve_to_crash(point).await,
                None => world.serve().await,
            }
        }
        let reply = world.agent().try_post("/v1/questions", &body).await.ok()?;
        assert!([200, 201].contains(&reply.status), "{points:?}: {reply:?}");
        let record = reply.json();
        let first = heard.get_or_insert_with(|| record.clone());
        assert_eq!((&first["incarnation"], &first["asked_at"]), (&record["incarnation"], &record["asked_at"]), "{points:?}");
        (record["delivery"]["state"] == "shown" && lives.len() == 0).then_some(record)
    })
    .await;
    assert_eq!(record["state"], "open");
    if world.has_crashed() {
        world.serve().await;
    }
    let shown = world.shown("rel-1").await;
    assert_eq!(world.telegram().topics().len(), 1, "{points:?}");
    let copies = world.telegram().messages_in_topic(shown.thread);
    assert!(copies.len() <= 2, "{points:?}: {} copies", copies.len());
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    world.saved_answer("rel-1").await;
}

fn waiting(world: &World, id: &'static str) -> tokio::task::JoinHandle<Value> {
    let agent = world.agent();
    tokio::spawn(async move { agent.answer(id).await })
}

/// Starts pagerd so that it dies at the first point, lets the owner act, and starts it anew after each death.
async fn live_and_die(world: &mut World, points: &[&str], act: impl FnOnce(&World)) {
    world.kill9().await;
    let mut lives = points.iter();
    world.serve_to_crash(lives.next().unwrap()).await;
    act(world);
    world.until_crashed().await;
    for point in lives {
        world.serve_to_crash(point).await;
        // The point may lie behind: then this life goes on.
        let settled = until(&format!("a death or the end after {points:?}"), async || {
            if world.has_crashed() {
                return Some(false);
            }
            let record = crate::world::sent(world.agent().request(reqwest::Method::GET, "/v1/questions/rel-1")).await;
            let is_over = record.is_ok_and(|reply| reply.status == 200 && reply.json()["state"] == "answered");
            (is_over && !has_open_jobs(world)).then_some(true)
        })
        .await;
        if settled {
            break;
        }
    }
    if !world.has_crashed() {
        world.kill9().await;
    }
    world.serve().await;
}

/// Nothing more is to be sent: the message has its end and the topic its mark.
fn has_open_jobs(world: &World) -> bool {
    let closed = |message: &Message| message.words().contains("You answered:");
    let is_closed = world.telegram().messages(FORUM).iter().any(closed);
    let marked = world
        .telegram()
        .calls_of("editForumTopic")
        .iter()
        .any(|call| matches!(call.outcome, pager_tests::fake_telegram::Outcome::Done(_)));
    !(is_closed && marked)
}

async fn settled(world: &World, shown: Shown, words: &str, points: &[&str]) -> Message {
    world.in_state("rel-1", "answered").await;
    let message = world.closed(shown).await;
    assert!(message.words().contains(words), "{points:?}: {}", message.words());
    message
}

/// Nothing is handled or told again, now and after one more restart.
async fn everything_is_calm(world: &mut World, shown: Shown, points: &[&str]) {
    if world.has_crashed() {
        world.serve().await;
    }
    world.restart().await;
    assert_eq!(world.replies_by_now(shown).await, [""; 0], "{points:?}");
    assert_eq!(world.commits_of("rel-1").len(), 1, "{points:?}");
    assert_eq!(
        world
            .telegram()
            .messages_in_topic(shown.thread)
            .iter()
            .filter(|message| message.words().contains("Release rel-1?"))
            .count(),
        1
    );
}
