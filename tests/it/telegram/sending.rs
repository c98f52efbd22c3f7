//! The send queue: budget, order, floods.

use pager_tests::fake_telegram::Fault;
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn outcomes_go_out_while_new_questions_wait_for_the_budget() {
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "4")]).await;
    // Of four calls three are for questions: the first question takes two, the second one's topic the third.
    let shown = world.asks_and_shows("rel-1").await;
    world.asks("rel-2").await;
    world.telegram().wait_for_topic("Release rel-2?").await.unwrap();
    world.telegram().press(shown.message, "No").unwrap();
    world.message_says(shown, "You answered: No").await;
    let order: Vec<String> = world
        .telegram()
        .calls()
        .into_iter()
        .map(|call| call.method)
        .filter(|method| ["createforumtopic", "sendmessage", "editmessagetext"].contains(&method.as_str()))
        .collect();
    assert_eq!(order, ["createforumtopic", "sendmessage", "createforumtopic", "editmessagetext"]);
    assert_eq!(world.record("rel-2").await["delivery"]["state"], "queued");
}

#[tokio::test]
async fn a_flood_wait_keeps_the_order_and_loses_nothing() {
    let world = World::with_telegram().await;
    world.telegram().faults("createForumTopic", Fault::flood(1), 2);
    world.telegram().fault("sendMessage", Fault::flood(1));
    for number in 1..=4 {
        world.asks(&format!("rel-{number}")).await;
    }
    let mut messages = Vec::new();
    for number in 1..=4 {
        messages.push(world.shown(&format!("rel-{number}")).await.message);
    }
    assert!(messages.is_sorted(), "{messages:?}");
    assert_eq!(world.telegram().topics().len(), 4);
}

#[tokio::test]
async fn saving_does_not_wait_for_the_end_of_a_flood() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().fault("editMessageText", Fault::flood(1));
    world.telegram().press(shown.message, "No").unwrap();
    world.in_state("rel-1", "answered").await;
    world.message_says(shown, "You answered: No").await;
}

#[tokio::test]
async fn thirty_questions_at_once_are_all_shown_each_in_a_topic_of_its_own() {
    let world = World::with_telegram().await;
    for number in 0..30 {
        let text = format!("Question {number}?");
        world.asks_with(json!({"id": format!("q-{number}"), "text": text, "options": [{"label": "A"}, {"label": "B"}]})).await;
    }
    for number in 0..30 {
        let shown = world.shown(&format!("q-{number}")).await;
        assert_eq!(world.telegram().messages_in_topic(shown.thread).len(), 1);
    }
    assert_eq!(world.telegram().topics().len(), 30);
}

#[tokio::test]
async fn a_press_is_answered_at_once_while_a_flood_lasts() {
    let world = World::with_telegram().await;
    let (first, second) = (world.asks_and_shows("rel-1").await, world.asks_and_shows("rel-2").await);
    world.telegram().fault("editMessageText", Fault::flood(20));
    world.telegram().press(first.message, "No").unwrap();
    world.telegram().wait_for_call("editMessageText", |_| true).await.unwrap();
    let press = world.telegram().press(second.message, "No").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    world.in_state("rel-2", "answered").await;
    assert_eq!(world.message(second).labels().len(), 2, "the edit waits for the end of the flood");
    let ready = world.nobody().get("/readyz").await.with(200);
    assert!(ready["degraded"].to_string().contains("wait"), "{ready}");
}

#[tokio::test]
async fn a_call_that_hangs_keeps_no_press_from_counting() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().fault("createForumTopic", Fault::hang());
    world.asks("rel-2").await;
    let press = world.telegram().press(shown.message, "No").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    world.in_state("rel-1", "answered").await;
    world.telegram().release();
    world.closed(shown).await;
    world.shown("rel-2").await;
}
