//! Words and presses around a deadline: what was said before it wins, whenever it is heard; what comes late is told what happened.

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

async fn passed(deadline: Timestamp) {
    until("the deadline passes", async || (Timestamp::now() > deadline).then_some(())).await;
}

fn with_default(id: &str, deadline: Timestamp) -> Value {
    json!({
        "id": id, "text": format!("Post {id} untested?"), "deadline": deadline.to_string(), "default": "no",
        "options": [{"id": "yes", "label": "Yes, untested"}, {"id": "no", "label": "No"}],
    })
}

impl World {
    async fn asks_and_shows_this(&self, body: Value) -> Shown {
        let id = body["id"].as_str().unwrap().to_owned();
        self.asks_with(body).await;
        self.shown(&id).await
    }

    /// The owner writes in a topic; Telegram dates it so many seconds from this moment.
    fn writes_dated(&self, shown: Shown, text: &str, moment: Timestamp, seconds: i64) -> i64 {
        let dated = json!({"date": moment.as_second() + seconds});
        self.telegram().write(Written::text(text).in_topic(shown.thread).with(dated)).unwrap()
    }

    async fn requests_about(&self, id: &str) -> Vec<String> {
        let stored = self.owner().get("/v1/requests").await.with(200);
        let items = stored["items"].as_array().unwrap().iter().filter(|request| request["about"] == id);
        items.map(|request| request["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn a_text_of_before_the_deadline_wins_though_pagerd_was_down_when_it_passed() {
    let mut world = world().await;
    let deadline = in_millis(SOON);
    let one = world.asks_and_shows_this(with_default("d-1", deadline)).await;
    let two = world.asks_and_shows_this(with_default("d-2", deadline)).await;
    world.kill9().await;
    passed(deadline).await;
    world.writes_dated(one, "Wait for the tests", deadline, -1);
    let late = world.writes_dated(two, "Wait for these as well", deadline, 1);
    world.serve().await;
    let answered = world.in_state("d-1", "answered").await;
    assert_eq!(answered["answer"]["answer"], "Wait for the tests");
    let defaulted = world.in_state("d-2", "defaulted").await;
    assert_eq!(defaulted["answer"]["by"]["kind"], "deadline");
    let reply = world.reply_to(FORUM, late).await;
    assert!(reply.words().starts_with("Too late to be the answer: "), "{}", reply.words());
    assert!(reply.words().ends_with("Your text is kept as a request about it."), "{}", reply.words());
    assert_eq!(world.requests_about("d-2").await, ["Wait for these as well"]);
    assert_eq!(world.requests_about("d-1").await, [""; 0]);
    assert_eq!((world.commits_of("d-1").len(), world.commits_of("d-2").len()), (1, 1), "one file each");
}

#[tokio::test]
async fn before_telegram_is_heard_no_deadline_acts_and_what_waited_there_wins() {
    let mut world = world().await;
    let deadline = in_millis(SOON);
    let shown = world.asks_and_shows_this(with_default("d-1", deadline)).await;
    world.kill9().await;
    passed(deadline).await;
    world.telegram().set_down(true);
    world.serve().await;
    assert_eq!(world.record("d-1").await["state"], "open");
    world.writes_dated(shown, "Wait for the tests", deadline, -1);
    world.telegram().set_down(false);
    assert_eq!(world.in_state("d-1", "answered").await["answer"]["answer"], "Wait for the tests");
}

#[tokio::test]
async fn in_webhook_mode_too_what_waited_at_telegram_wins() {
    let mut world = World::with_webhook_and("s3cret-s3cret", &[("PAGER_DEADLINE__MIN", "1s")]).await;
    let deadline = in_millis(SOON);
    let shown = world.asks_and_shows_this(with_default("d-1", deadline)).await;
    world.kill9().await;
    passed(deadline).await;
    world.writes_dated(shown, "Wait for the tests", deadline, -1);
    world.serve().await;
    assert_eq!(world.in_state("d-1", "answered").await["answer"]["answer"], "Wait for the tests");
}

#[tokio::test]
async fn many_texts_that_waited_at_telegram_are_all_heard_before_a_deadline_acts() {
    let mut world = world().await;
    let deadline = in_millis(SOON);
    let shown = world.asks_and_shows_this(with_default("d-1", deadline)).await;
    world.kill9().await;
    passed(deadline).await;
    // More than one poll brings.
    for number in 0..150 {
        world.telegram().write_in_general(&format!("News {number}")).unwrap();
    }
    world.writes_dated(shown, "Wait for the tests", deadline, -1);
    world.serve().await;
    assert_eq!(world.in_state("d-1", "answered").await["answer"]["answer"], "Wait for the tests");
}

#[tokio::test]
async fn words_over_http_of_after_the_deadline_let_it_act_also_while_telegram_is_waited_for() {
    let mut world = world().await;
    let deadline = in_millis(SOON);
    for id in ["d-1", "d-2", "d-3"] {
        world.asks_and_shows_this(with_default(id, deadline)).await;
    }
    world.kill9().await;
    passed(deadline).await;
    world.telegram().set_down(true);
    world.serve().await;
    let owner = world.owner();
    for (id, path) in [("d-1", "answer"), ("d-2", "decline"), ("d-3", "cancel")] {
        assert_eq!(world.record(id).await["state"], "open");
        let path = format!("/v1/questions/{id}/{path}");
        let late = match id {
            "d-1" => owner.post(&path, &json!({"answer": "x", "option": "yes"})).await,
            _ => owner.post_empty(&path).await,
        };
        late.problem(409, "answering");
        assert_eq!(world.in_state(id, "defaulted").await["answer"]["default"], "no");
    }
}

#[tokio::test]
async fn a_late_press_is_told_by_a_toast_who_went_on_with_what_and_when() {
    let world = world().await;
    let deadline = in_millis(SOON);
    let shown = world.asks_and_shows_this(with_default("d-1", deadline)).await;
    let data = world.message(shown).keyboard[0][0].callback_data.clone().unwrap();
    let message = world.closed(shown).await;
    let minute = deadline.strftime("%-d %b %Y, %H:%M");
    let told = format!("Nobody answered by {minute}. The agent goes on with its default: No");
    assert!(message.words().contains(&told), "{}", message.words());
    let press = world.telegram().press_data(FORUM, OWNER, shown.message, &data);
    assert_eq!(world.telegram().wait_for_callback_answer(&press).await.unwrap().text, told);
    assert_eq!(world.saved_answer("d-1").await["outcome"], "defaulted");
}

#[tokio::test]
async fn a_late_text_is_told_so_and_kept_as_a_request_about_the_question() {
    let world = world().await;
    let deadline = in_millis(SOON);
    let minute = deadline.strftime("%-d %b %Y, %H:%M").to_string();
    let approval = json!({"id": "a-1", "purpose": "approval", "text": "Merge?", "gate": "merge", "waiting_on": "the merge",
        "deadline": deadline.to_string()});
    for (body, happened) in [
        (with_default("d-1", deadline), format!("nobody answered by {minute}, and the agent went on with its default: No\n")),
        (approval, format!("nobody answered by {minute}. Not approved; ask the agent to ask again.\n")),
    ] {
        let id = body["id"].as_str().unwrap().to_owned();
        let shown = world.asks_and_shows_this(body).await;
        world.closed(shown).await;
        let text = world.telegram().write_in_topic(shown.thread, "Yes, go on").unwrap();
        let reply = world.reply_to(FORUM, text).await;
        assert!(reply.words().contains(&happened), "{}", reply.words());
        assert_eq!(world.requests_about(&id).await, ["Yes, go on"]);
        let answer = world.saved_answer(&id).await;
        assert_eq!((&answer["answer"], &answer["by"]["kind"]), (&Value::Null, &json!("deadline")));
    }
}

#[tokio::test]
async fn a_late_private_text_is_told_so_and_kept_nowhere() {
    let world = world().await;
    let mut body = with_default("d-1", in_millis(SOON));
    body["secret"] = json!(true);
    let shown = world.asks_and_shows_this(body).await;
    world.closed(shown).await;
    world.telegram().write_in_topic(shown.thread, "hunter2").unwrap();
    let reply = world.reply(shown).await;
    assert!(reply.words().contains("the agent went on with its default: No\nNot passed on"), "{}", reply.words());
    assert_eq!(world.requests_about("d-1").await, [""; 0]);
}

#[tokio::test]
async fn a_pick_of_an_offer_that_comes_behind_the_deadline_is_kept_in_the_thread_once() {
    let mut world = world().await;
    let owner = world.owner();
    let request = owner.post("/v1/requests", &json!({"title": "Build this parser", "text": "In Rust."})).await.with(201);
    let request = request["id"].as_str().unwrap().to_owned();
    let deadline = in_millis(SOON);
    let offer = json!({"id": "o-1", "deliverable": "untested code", "missing": "a test run", "why": "no compiler",
        "deadline": deadline.to_string()});
    world.agent().post(&format!("/v1/requests/{request}/offers"), &offer).await.with(201);
    world.kill9().await;
    passed(deadline).await;
    world.telegram().set_down(true);
    world.serve().await;
    assert_eq!(world.record("o-1").await["state"], "open", "nothing looked at the deadline yet");
    for _ in 0..2 {
        let late = world.owner().post("/v1/questions/o-1/answer", &json!({"answer": "x", "option": "out"})).await;
        assert_eq!(late.problem(409, "already_answered")["answer"]["outcome"], "defaulted");
    }
    let thread = world.owner().get(&format!("/v1/requests/{request}")).await.with(200);
    let kinds: Vec<&str> = thread["replies"].as_array().unwrap().iter().map(|reply| reply["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["late_pick"], "{thread}");
}
