//! More questions than the budget carries, and pauses that Telegram asks for.

use std::time::{Duration, Instant};

use pager_tests::fake_telegram::{BOT, Call, FORUM, Fault};

use crate::world::{World, until, within};

/// The bot's lines in General that were sent, also those that are gone.
fn digests_sent(world: &World) -> Vec<Call> {
    let mut sent = world.telegram().calls_of("sendMessage");
    sent.retain(|call| call.parameters["text"].as_str().is_some_and(|text| text.contains("to be shown")));
    sent
}

/// No stretch of time has more writing calls than one minute's budget and what grew meanwhile.
fn assert_budget_is_kept(world: &World, per_minute: i64) {
    const WRITING: [&str; 6] =
        ["createforumtopic", "sendmessage", "editmessagetext", "editforumtopic", "deletemessage", "senddocument"];
    let mut calls = world.telegram().calls();
    calls.retain(|call| WRITING.contains(&call.method.as_str()));
    assert!(calls.len() > 400, "{}", calls.len());
    for (first, from) in calls.iter().enumerate() {
        for (count, to) in calls[first..].iter().enumerate() {
            let allowed = per_minute + per_minute * (to.at_ms - from.at_ms + 1000) / 60_000;
            assert!(i64::try_from(count).unwrap() < allowed, "{count} calls in {} ms", to.at_ms - from.at_ms);
        }
    }
}

#[tokio::test]
async fn of_two_hundred_questions_at_once_none_is_lost_their_order_is_kept_and_the_owner_gets_one_line() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "300")]).await;
    let ids: Vec<String> = (0..200).map(|number| format!("rel-{number:03}")).collect();
    for id in &ids {
        world.asks(id).await;
    }
    let digest = until("there is a line in General", async || world.in_general().pop()).await;
    assert!(digest.words().contains("more questions wait to be shown; /open or the page lists them."), "{}", digest.words());

    // A press on one that is shown is answered at once, and its outcome does not wait behind the others.
    let (shown, waiting) = until("one is shown and another one is told why it waits", async || {
        let records = world.agent().get("/v1/questions?limit=200").await.with(200)["items"].as_array().unwrap().clone();
        let shown = records.iter().find(|record| record["delivery"]["state"] == "shown")?["id"].as_str()?.to_owned();
        let mut waiting = records.into_iter().map(|mut record| record["delivery"].take());
        Some((shown, waiting.find(|delivery| delivery["state"] == "queued" && delivery["reason"].is_string())?))
    })
    .await;
    assert!(waiting["reason"].as_str().unwrap().contains("300 calls a minute"), "{waiting}");
    let shown = world.shown(&shown).await;
    let pressed_at = Instant::now();
    let press = world.telegram().press(shown.message, "No").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    assert!(pressed_at.elapsed() < Duration::from_secs(15), "{:?}", pressed_at.elapsed());
    world.message_says(shown, "You answered: No").await;
    within(Duration::from_secs(150), "there are two hundred messages", async || {
        let messages = world.telegram().messages(FORUM);
        (messages.iter().filter(|message| message.from == BOT && message.words().contains("Release rel-")).count() == 200)
            .then_some(())
    })
    .await;
    let mut messages = Vec::new();
    for id in &ids {
        messages.push(world.shown(id).await.message);
    }
    assert!(messages.is_sorted(), "{messages:?}");
    assert_eq!(world.telegram().topics().len(), 200);
    until("the line is gone", async || world.in_general().is_empty().then_some(())).await;
    assert_eq!(digests_sent(&world).len(), 1, "one line");
    assert_budget_is_kept(&world, 300);
}

#[tokio::test]
async fn questions_asked_one_after_the_other_are_shown_in_that_order_each_with_its_topic() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "120")]).await;
    let ids: Vec<String> = (0..50).map(|number| format!("rel-{number:02}")).collect();
    for id in &ids {
        world.asks(id).await;
    }
    let mut messages = Vec::new();
    for id in &ids {
        messages.push(world.shown(id).await);
    }
    assert!(messages.is_sorted_by_key(|shown| shown.message), "{messages:?}");
    // No topic stays without its message while others are made.
    let made: Vec<String> = world.telegram().calls().into_iter().map(|call| call.method).collect();
    let makes: Vec<&str> = made.iter().map(String::as_str).filter(|method| *method == "createforumtopic").collect();
    assert_eq!(makes.len(), 50);
    let most_empty = made.iter().fold((0_i32, 0_i32), |(empty, most), method| {
        let empty = match method.as_str() {
            "createforumtopic" => empty + 1,
            "sendmessage" => empty - 1,
            _ => empty,
        };
        (empty, most.max(empty))
    });
    assert_eq!(most_empty.1, 1, "{made:?}");
}

#[tokio::test]
async fn the_line_outlives_a_restart_and_is_not_sent_twice() {
    let mut world = World::with_telegram_and(&[("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "60")]).await;
    for number in 0..34 {
        world.asks(&format!("rel-{number:02}")).await;
    }
    until("there is a line in General", async || world.in_general().pop()).await;
    // The sender calls again once it has kept where the line stands.
    let calls = |world: &World| {
        ["createForumTopic", "sendMessage"].map(|method| world.telegram().calls_of(method).len()).iter().sum::<usize>()
    };
    let so_far = calls(&world);
    until("the sender goes on", async || (calls(&world) > so_far).then_some(())).await;
    world.restart().await;
    // A fresh process has a fresh budget.
    within(Duration::from_secs(60), "the last one is shown", async || {
        (world.record("rel-33").await["delivery"]["state"] == "shown").then_some(())
    })
    .await;
    until("the line is gone", async || world.in_general().is_empty().then_some(())).await;
    assert_eq!(digests_sent(&world).len(), 1);
}

#[tokio::test]
async fn a_few_questions_that_wait_are_no_line_in_general() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "12")]).await;
    for number in 0..8 {
        world.asks(&format!("rel-{number}")).await;
    }
    // Four are shown by the first nine calls, four wait.
    for number in 0..4 {
        world.shown(&format!("rel-{number}")).await;
    }
    world.record_when("rel-7", "told why", |record| record["delivery"]["reason"].is_string()).await;
    assert_eq!(digests_sent(&world).len(), 0);
}

#[tokio::test]
async fn a_line_that_cannot_be_deleted_any_more_says_that_nothing_waits() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "90")]).await;
    world.telegram().fault("deleteMessage", super::refusal(400, "Bad Request: message can't be deleted"));
    let ids: Vec<String> = (0..45).map(|number| format!("rel-{number:02}")).collect();
    for id in &ids {
        world.asks(id).await;
    }
    let digest = until("there is a line in General", async || world.in_general().pop()).await;
    within(Duration::from_secs(60), "it says that nothing waits", async || {
        let line = world.in_general().into_iter().find(|message| message.id == digest.id)?;
        line.words().contains("No more questions wait").then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_long_pause_is_told_to_the_asker_and_to_operators() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-0").await;
    world.telegram().fault("createForumTopic", Fault::flood(10_072));
    world.asks("rel-1").await;
    let told = |record: &serde_json::Value| {
        record["delivery"]["reason"].as_str().is_some_and(|reason| reason.contains("Telegram asks to wait until 20"))
    };
    let record = world.record_when("rel-1", "told why it waits", told).await;
    assert_eq!(record["delivery"]["state"], "queued");
    world.asks("rel-2").await;
    world.record_when("rel-2", "told why it waits", told).await;
    assert!(world.degraded().await.contains("Telegram asks to wait for 10072 s"));
    // Nothing else stands still because of it.
    let press = world.telegram().press(shown.message, "No").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    world.in_state("rel-0", "answered").await;
}
