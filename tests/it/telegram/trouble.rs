//! Telegram's bad days.

use std::time::Duration;

use pager_tests::fake_telegram::{BOT, FORUM, FakeTelegram, Fault, OWNER, Outcome, Standing, State};

use crate::world::{Shown, World, until, within};

#[tokio::test]
async fn questions_asked_while_telegram_is_down_are_shown_later_in_order() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().set_down(true);
    for id in ["rel-1", "rel-2"] {
        world.asks(id).await;
    }
    let tried = |state: &State| {
        let spoilt = |call: &&pager_tests::fake_telegram::Call| call.outcome == Outcome::Spoilt { applied: false };
        (state.calls.iter().filter(spoilt).count() > 2).then_some(())
    };
    world.telegram().wait_for("tries in vain", tried).await.unwrap();
    assert_ne!(world.record("rel-1").await["delivery"]["state"], "shown");
    world.telegram().set_down(false);
    for id in ["rel-1", "rel-2"] {
        world.shown(id).await;
    }
    assert_eq!(world.telegram().topics().len(), 3);
}

#[tokio::test]
async fn a_topic_whose_making_breaks_off_again_and_again_is_made_in_the_end() {
    let world = World::with_telegram().await;
    world.telegram().faults("createForumTopic", Fault::ResetBefore, 2);
    world.asks("rel-1").await;
    world.delivered("rel-1", "uncertain").await;
    within(Duration::from_secs(60), "the question is shown", async || {
        (world.record("rel-1").await["delivery"]["state"] == "shown").then_some(())
    })
    .await;
    assert_eq!(world.telegram().topics().len(), 1);
}

#[tokio::test]
async fn a_message_that_broke_off_twice_is_not_sent_a_third_time_and_its_asker_knows() {
    let world = World::with_telegram().await;
    world.telegram().faults("sendMessage", Fault::ResetAfter, 2);
    world.asks("rel-1").await;
    let twice = |state: &State| {
        let sent = state.calls.iter().filter(|call| call.method == "sendmessage");
        (sent.filter(|call| call.outcome == Outcome::Spoilt { applied: true }).count() == 2).then_some(())
    };
    world.telegram().wait_for("two messages", twice).await.unwrap();
    let record = world.delivered("rel-1", "uncertain").await;
    assert!(record["delivery"]["reason"].is_string(), "{record}");
    // Both copies answer the same question.
    let copy = world.telegram().wait_for_message("copy", |message| message.labels().len() == 2).await.unwrap();
    world.telegram().press(copy.id, "No").unwrap();
    world.message_says(Shown { thread: copy.thread.unwrap(), message: copy.id }, "You answered: No").await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn pagerd_starts_and_takes_questions_while_telegram_is_away() {
    let telegram = FakeTelegram::start().await;
    telegram.set_down(true);
    let mut world = World::prepare(&[], Some(telegram)).await;
    world.serve().await;
    assert_eq!(world.asks("rel-1").await["delivery"]["state"], "queued");
    until("readiness tells of Telegram", async || {
        let ready = world.nobody().get("/readyz").await.with(200);
        ready["degraded"].to_string().contains("telegram").then_some(())
    })
    .await;
    world.telegram().set_down(false);
    world.shown("rel-1").await;
}

#[tokio::test]
async fn a_second_pollers_conflict_ends_nothing() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let conflict = Fault::Status {
        code: 409,
        description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
            .to_owned(),
        retry_after: None,
    };
    world.telegram().faults("getUpdates", conflict, 3);
    // The poll that is under way ends with this; the next ones meet the conflict.
    world.telegram().write_in_general("Hello").unwrap();
    world.telegram().wait_for_call("getUpdates", |call| matches!(call.outcome, Outcome::Refused(_))).await.unwrap();
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_bot_that_was_kicked_tells_the_asker_why_nothing_can_be_delivered() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().kick_bot(OWNER);
    world.asks("rel-1").await;
    let record = world.delivered("rel-1", "undeliverable").await;
    assert!(record["delivery"]["reason"].as_str().is_some_and(|reason| reason.contains("kicked")), "{record}");
    assert_eq!(record["state"], "open");
    // It can still be answered elsewhere.
    world.owner().post("/v1/questions/rel-1/answer", &serde_json::json!({"answer": "Go"})).await.with(200);
}

#[tokio::test]
async fn a_bot_without_the_right_to_make_topics_tells_the_asker() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().demote_bot(OWNER);
    world.asks("rel-1").await;
    let record = world.delivered("rel-1", "undeliverable").await;
    assert!(record["delivery"]["reason"].as_str().is_some_and(|reason| reason.contains("right")), "{record}");
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.asks_and_shows("rel-2").await;
}

#[tokio::test]
async fn updates_that_make_no_sense_do_not_block_the_ones_behind_them() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    for update in [
        serde_json::json!({"message": null}),
        serde_json::json!({"message": {"chat": {"id": FORUM}, "text": 7, "from": "me"}}),
        serde_json::json!({"callback_query": {"id": "x", "from": {"id": OWNER}, "data": {"a": 1}, "message": {"chat": {"id": FORUM}}}}),
        serde_json::json!({"of_the_future": {"deep": [[[]]]}}),
        serde_json::json!({}),
    ] {
        world.telegram().inject(update);
    }
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    world.saved_answer("rel-1").await;
}

#[tokio::test]
async fn a_press_answer_that_is_refused_does_not_keep_the_press_from_counting() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().fault("answerCallbackQuery", Fault::ResetBefore);
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    world.saved_answer("rel-1").await;
}
