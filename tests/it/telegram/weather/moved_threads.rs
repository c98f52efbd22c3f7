//! Replies that still wait in the outbox when the settings name another chat: they are shown there, once, and never in the old one.

use pager_tests::fake_telegram::{BOT, ChatKind, FORUM, Fault, Message, OWNER, Standing};
use serde_json::json;

use crate::telegram::threads::{replied, reply, shown};
use crate::world::{PLAIN, World, until};

const OTHER: i64 = -1_001_000_000_777;

impl World {
    /// Another group with topics is what the settings name from the next start on.
    fn another_forum(&mut self) {
        self.telegram().add_chat(OTHER, ChatKind::Supergroup, "Another");
        self.telegram().set_topics(OTHER, true);
        self.telegram().set_standing(OTHER, BOT, Standing::administrator(), OWNER);
        self.set("PAGER_TELEGRAM__CHAT_ID", &OTHER.to_string());
    }
}

/// Waits until the outcome of each call is stored: what is not known to stand there is said once more after a death.
async fn all_told(world: &World) {
    until("the outbox is empty", async || {
        let metrics = world.nobody().get("/metrics").await.text;
        let is_under_way = |line: &str| {
            line.starts_with("pager_outbox_jobs{") && (line.contains("\"waiting\"") || line.contains("\"attempting\""))
        };
        (!metrics.lines().any(is_under_way)).then_some(())
    })
    .await;
}

/// What the bot says in this chat, in its order.
fn said(world: &World, chat: i64) -> Vec<Message> {
    let mut messages = world.telegram().messages(chat);
    // The news that a topic was made has no words.
    messages.retain(|message| message.from == BOT && !message.words().is_empty());
    messages
}

fn words(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| message.words().split('\n').next().unwrap()).collect()
}

#[tokio::test]
async fn replies_that_wait_while_the_chat_changes_stand_in_a_topic_of_the_new_one_once_and_never_in_the_old_one() {
    for dies in [false, true] {
        let mut world = World::with_telegram().await;
        let (request, _) = replied(&world).await;
        all_told(&world).await;
        world.telegram().set_down(true);
        reply(&world, &request, "Two", "Second answer").await;
        reply(&world, &request, "Three", "Third answer").await;
        if dies {
            world.kill9().await;
        } else {
            world.terminate().await;
        }
        world.another_forum();
        world.telegram().set_down(false);
        let before = said(&world, FORUM).len();
        world.serve().await;
        shown(&world, OTHER, "Third answer").await;
        reply(&world, &request, "Four", "Fourth answer").await;
        let last = shown(&world, OTHER, "Fourth answer").await;
        let there = said(&world, OTHER);
        assert_eq!(words(&there), ["Build this parser", "Two", "Three", "Four"], "dies: {dies}");
        assert!(there.iter().all(|message| message.thread.is_some() && message.thread == last.thread), "{there:?}");
        all_told(&world).await;
        world.restart().await;
        reply(&world, &request, "Five", "Fifth answer").await;
        assert_eq!(shown(&world, OTHER, "Fifth answer").await.thread, last.thread);
        assert_eq!(said(&world, OTHER).len(), 5, "nothing is told twice");
        assert_eq!(said(&world, FORUM).len(), before, "and nothing in the old chat");
    }
}

#[tokio::test]
async fn a_reply_that_may_stand_in_the_old_chat_stands_in_the_new_one_all_the_same() {
    let mut world = World::with_telegram().await;
    let (request, _) = replied(&world).await;
    all_told(&world).await;
    world.telegram().fault_where("sendMessage", "Second answer", Fault::hang_after());
    reply(&world, &request, "Two", "Second answer").await;
    reply(&world, &request, "Three", "Third answer").await;
    shown(&world, FORUM, "Second answer").await;
    world.kill9().await;
    let before = said(&world, FORUM).len();
    world.another_forum();
    world.serve().await;
    shown(&world, OTHER, "Third answer").await;
    assert_eq!(words(&said(&world, OTHER)), ["Build this parser", "Two", "Three"]);
    assert_eq!(said(&world, FORUM).len(), before);
}

#[tokio::test]
async fn a_first_reply_that_waits_makes_no_topic_in_the_old_chat_and_a_flat_chat_names_its_request() {
    let mut world = World::with_telegram().await;
    let request = json!({"title": "Build this parser", "text": "In Rust, please."});
    let request = world.owner().post("/v1/requests", &request).await.with(201)["id"].as_str().unwrap().to_owned();
    world.telegram().set_down(true);
    reply(&world, &request, "One", "First answer").await;
    world.terminate().await;
    world.telegram().add_chat(PLAIN, ChatKind::Supergroup, "Plain");
    world.telegram().set_standing(PLAIN, BOT, Standing::administrator(), OWNER);
    world.set("PAGER_TELEGRAM__CHAT_ID", &PLAIN.to_string());
    world.telegram().set_down(false);
    world.serve().await;
    let message = shown(&world, PLAIN, "First answer").await;
    assert!(message.words().starts_with(&format!("To ‘Build this parser’ ({request})\n\nOne\n\n")), "{}", message.words());
    assert_eq!((said(&world, PLAIN).len(), said(&world, FORUM).len()), (1, 0));
    assert!(world.telegram().topics().is_empty());
}

#[tokio::test]
async fn an_offer_that_waits_is_asked_in_the_new_chat_and_told_in_the_topic_of_its_request_there() {
    let mut world = World::with_telegram().await;
    let (request, _) = replied(&world).await;
    all_told(&world).await;
    world.telegram().set_down(true);
    let offer = json!({"deliverable": "untested code", "missing": "a test run", "why": "no compiler", "id": "off-1"});
    world.agent().post(&format!("/v1/requests/{request}/offers"), &offer).await.with(201);
    reply(&world, &request, "Two", "Second answer").await;
    world.kill9().await;
    world.another_forum();
    world.telegram().set_down(false);
    let before = said(&world, FORUM).len();
    world.serve().await;
    let told = shown(&world, OTHER, "A partial offer by tester: untested code").await;
    assert_eq!(told.thread, shown(&world, OTHER, "Second answer").await.thread);
    let question = shown(&world, OTHER, "Missing: a test run").await;
    assert!(question.thread.is_some() && question.thread != told.thread && !question.keyboard.is_empty(), "{question:?}");
    let link = format!("https://t.me/c/{}/{}/{}", &OTHER.to_string()[4..], question.thread.unwrap(), question.id);
    assert!(told.words().ends_with(&link), "{}", told.words());
    assert_eq!(said(&world, FORUM).len(), before);
}
