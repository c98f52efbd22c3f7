//! One reminder halfway to a deadline, where the owner wants them.

use jiff::{SignedDuration, Timestamp};
use pager_tests::fake_telegram::{FORUM, Fault, Message};
use serde_json::{Value, json};

use crate::world::{Shown, World, until};

const SETTINGS: [(&str, &str); 2] = [("PAGER_DEADLINE__MIN", "1s"), ("PAGER_REMIND", "true")];

fn with_deadline(id: &str, millis: i64) -> Value {
    let deadline = (Timestamp::now() + SignedDuration::from_millis(millis)).to_string();
    json!({"id": id, "text": format!("Which port for {id}?"), "waiting_on": "the deploy", "deadline": deadline})
}

fn approval(id: &str, millis: i64) -> Value {
    let mut body = with_deadline(id, millis);
    body["purpose"] = json!("approval");
    body["gate"] = json!("merge");
    body
}

impl World {
    fn reminders(&self, shown: Shown) -> Vec<Message> {
        let mut replies = self.replies(shown);
        replies.retain(|message| message.words().starts_with("⏰"));
        replies
    }

    async fn reminded(&self, shown: Shown) -> Message {
        until("there is a reminder", async || self.reminders(shown).pop()).await
    }
}

#[tokio::test]
async fn it_comes_once_halfway_in_reply_to_the_question_and_says_what_happens_then() {
    let mut world = World::with_telegram_and(&SETTINGS).await;
    let began = Timestamp::now();
    let mut body = with_deadline("q-1", 6000);
    body["options"] = json!([{"label": "8080"}, {"label": "9090"}]);
    body["default"] = json!("2");
    let record = world.asks_with(body).await;
    let shown = world.shown("q-1").await;
    let reminder = world.reminded(shown).await;
    assert!(Timestamp::now().duration_since(began) >= SignedDuration::from_millis(2900), "not before halfway");
    let deadline: Timestamp = record["deadline"].as_str().unwrap().parse().unwrap();
    let then = deadline.strftime("%-d %b %Y, %H:%M");
    let words = format!("⏰ Nobody has answered yet. At {then} the agent goes on with its default: 9090");
    assert_eq!((reminder.words(), reminder.reply_to), (words.as_str(), Some(shown.message)));
    world.restart().await;
    world.closed(shown).await;
    world.replies_by_now(shown).await;
    assert_eq!(world.reminders(shown).len(), 1);
    assert_eq!(world.record("q-1").await["state"], "defaulted");
}

#[tokio::test]
async fn without_the_setting_and_after_an_answer_there_is_none() {
    let both = ["false", "true"].map(async |remind| {
        let world = World::with_telegram_and(&[SETTINGS[0], ("PAGER_REMIND", remind)]).await;
        world.asks_with(with_deadline("q-1", 12_000)).await;
        let shown = world.shown("q-1").await;
        if remind == "true" {
            world.owner().post("/v1/questions/q-1/answer", &json!({"answer": "8080"})).await.with(200);
        }
        // By the end of this one halfway of the other has passed.
        world.asks_with(approval("a-1", 12_000)).await;
        let other = world.shown("a-1").await;
        world.closed(other).await;
        world.replies_by_now(shown).await;
        assert_eq!(world.reminders(shown).len(), 0, "{remind}");
        assert_eq!(world.reminders(other).len(), usize::from(remind == "true"));
    });
    futures_util::future::join_all(both).await;
}

#[tokio::test]
async fn halfway_that_passed_while_pagerd_was_down_reminds_at_the_start() {
    let mut world = World::with_telegram_and(&SETTINGS).await;
    world.asks_with(with_deadline("q-1", 10_000)).await;
    let halfway = Timestamp::now() + SignedDuration::from_millis(5000);
    let shown = world.shown("q-1").await;
    world.kill9().await;
    until("halfway passes", async || (Timestamp::now() > halfway).then_some(())).await;
    world.serve().await;
    let reminder = world.reminded(shown).await;
    assert!(reminder.words().ends_with("the question stays open after that."), "{}", reminder.words());
}

#[tokio::test]
async fn while_muted_only_approvals_are_reminded_of_and_the_rest_once_that_is_over() {
    let world = World::with_telegram_and(&SETTINGS).await;
    world.asks_with(with_deadline("q-1", 12_000)).await;
    let shown = world.shown("q-1").await;
    world.asks_with(approval("a-1", 12_100)).await;
    let first = world.shown("a-1").await;
    world.replied(FORUM, "/mute 2h").await;
    world.reminded(first).await;
    world.replies_by_now(shown).await;
    assert_eq!(world.reminders(shown).len(), 0);
    world.replied(FORUM, "/mute off").await;
    world.reminded(shown).await;
}

#[tokio::test]
async fn one_that_telegram_could_not_take_in_time_is_not_sent_after_the_answer() {
    let world = World::with_telegram_and(&SETTINGS).await;
    let shown = {
        world.asks_with(with_deadline("q-1", 12_000)).await;
        world.shown("q-1").await
    };
    world.telegram().fault_where("sendMessage", "⏰", Fault::flood(3));
    until("the reminder was tried", async || {
        let calls = world.telegram().calls_of("sendMessage");
        calls.iter().any(|call| call.parameters.to_string().contains('⏰')).then_some(())
    })
    .await;
    world.owner().post("/v1/questions/q-1/answer", &json!({"answer": "8080"})).await.with(200);
    world.closed(shown).await;
    world.replies_by_now(shown).await;
    assert_eq!(world.reminders(shown).len(), 0);
}
