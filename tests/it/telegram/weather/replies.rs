//! Replies of Telegram's that make no sense, or never come, at every call: nothing is lost, nothing doubled beyond a copy.

use pager_tests::fake_telegram::{FORUM, Fault};

use crate::world::{World, until, within};

const CALLS: [&str; 5] = ["createForumTopic", "sendMessage", "editMessageText", "editForumTopic", "answerCallbackQuery"];

/// Each call meets the fault once, from asking to the mark of the end.
async fn survives(fault: Fault) {
    let world = World::with_telegram().await;
    for call in CALLS {
        world.telegram().fault(call, fault.clone());
    }
    world.asks("rel-1").await;
    within(std::time::Duration::from_secs(60), "the question is shown", async || {
        (world.record("rel-1").await["delivery"]["state"] == "shown").then_some(())
    })
    .await;
    let shown = world.shown("rel-1").await;
    world.telegram().press(shown.message, "No").unwrap();
    world.in_state("rel-1", "answered").await;
    let ended = world.icon("✅").await;
    // After a pause the icon waits until half of the budget is there again.
    within(std::time::Duration::from_secs(60), "the topic has ✅", async || {
        world.telegram().topic(shown.thread).filter(|topic| topic.icon == ended)
    })
    .await;
    assert!(world.message(shown).keyboard.is_empty());
    assert!(world.telegram().messages_in_topic(shown.thread).len() <= 2);
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn garbage_with_status_200_at_every_call_loses_nothing() {
    survives(Fault::Garbage200 { applied: false }).await;
}

#[tokio::test]
async fn a_proxys_page_at_every_call_loses_nothing() {
    survives(Fault::Http502).await;
}

#[tokio::test]
async fn a_reset_before_every_call_loses_nothing() {
    survives(Fault::ResetBefore).await;
}

#[tokio::test]
async fn a_reset_after_every_call_loses_nothing() {
    survives(Fault::ResetAfter).await;
}

#[tokio::test]
async fn a_pause_at_every_call_loses_nothing() {
    survives(Fault::flood(1)).await;
}

#[tokio::test]
async fn polls_that_bring_garbage_resets_and_proxies_pages_lose_no_press() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    for fault in [Fault::Garbage200 { applied: false }, Fault::Http502, Fault::ResetBefore, Fault::Garbage200 { applied: true }] {
        world.telegram().fault("getUpdates", fault);
    }
    world.telegram().write_in_general("Hello").unwrap();
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_refused_reaction_and_a_refused_icon_change_nothing_about_the_answer() {
    let world = World::with_telegram().await;
    world.telegram().set_reactions(FORUM, Some(&["🎉"]));
    world.telegram().fault("editForumTopic", super::refusal(400, "Bad Request: DOCUMENT_INVALID"));
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, "Fine").unwrap();
    world.message_says(shown, "Fine").await;
    until("its buttons are gone", async || world.message(shown).keyboard.is_empty().then_some(())).await;
    assert_eq!(world.saved_answer("rel-1").await["answer"], "Fine");
}

#[tokio::test]
async fn a_lost_reply_to_the_document_makes_at_most_one_more_and_keeps_no_answer_back() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendDocument", Fault::ResetAfter);
    let many = |count: usize| "🎉".repeat(count);
    let option = |number: i32| serde_json::json!({"label": format!("{number}{}", many(99)), "detail": many(300)});
    let options: Vec<serde_json::Value> = (1..=4).map(option).collect();
    world.asks_with(serde_json::json!({"id": "rel-1", "text": many(1000), "options": options, "waiting_on": many(300)})).await;
    let shown = world.shown("rel-1").await;
    let documents = async || world.telegram().calls_of("sendDocument").len();
    until("it was tried again", async || (documents().await == 2).then_some(())).await;
    world.telegram().press(shown.message, 3).unwrap();
    world.closed(shown).await;
    assert_eq!(documents().await, 2);
}
