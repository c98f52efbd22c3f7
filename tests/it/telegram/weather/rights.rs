//! A bot that lost its place or its rights, and gets them back.

use pager_tests::fake_telegram::{BOT, FORUM, FakeTelegram, OWNER, Standing};

use crate::browser::plain::Plain;
use crate::world::{World, until};

#[tokio::test]
async fn a_kicked_bot_shows_what_it_could_not_once_it_is_let_in_again() {
    let world = World::with_telegram().await;
    let before = world.asks_and_shows("rel-0").await;
    world.telegram().kick_bot(OWNER);
    for id in ["rel-1", "rel-2"] {
        world.asks(id).await;
        let record = world.delivered(id, "undeliverable").await;
        assert!(record["delivery"]["reason"].as_str().unwrap().contains("add it again"), "{record}");
    }
    assert!(world.degraded().await.contains("not in the chat"), "{}", world.degraded().await);
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    let (first, second) = (world.shown("rel-1").await, world.shown("rel-2").await);
    assert!(before.message < first.message && first.message < second.message);
    until("all is well", async || (world.degraded().await == "[]").then_some(())).await;
    world.telegram().press(second.message, "No").unwrap();
    world.closed(second).await;
}

#[tokio::test]
async fn a_demoted_bot_is_an_alarm_before_anybody_asks_and_shows_what_waited_when_it_is_promoted() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().demote_bot(OWNER);
    until("there is an alarm", async || world.degraded().await.contains("may not manage topics").then_some(())).await;
    world.asks("rel-1").await;
    world.delivered("rel-1", "undeliverable").await;
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.shown("rel-1").await;
    until("all is well", async || (world.degraded().await == "[]").then_some(())).await;
}

#[tokio::test]
async fn rights_that_come_back_without_a_word_are_found_by_looking_again() {
    let world = World::with_telegram().await;
    world.telegram().fault("createForumTopic", super::refusal(403, "Forbidden: bot was kicked from the supergroup chat"));
    world.asks("rel-1").await;
    world.delivered("rel-1", "undeliverable").await;
    world.shown("rel-1").await;
}

#[tokio::test]
async fn an_end_that_could_not_be_shown_is_shown_when_the_bot_is_back() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().kick_bot(OWNER);
    world.owner().post("/v1/questions/rel-1/answer", &serde_json::json!({"answer": "Go"})).await.with(200);
    world.telegram().wait_for_call("editMessageText", |_| true).await.unwrap();
    assert_eq!(world.message(shown).labels().len(), 2);
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.message_says(shown, "Your answer, in your own words").await;
}

#[tokio::test]
async fn a_question_that_was_withdrawn_while_the_bot_was_away_is_not_shown() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().kick_bot(OWNER);
    world.asks("rel-1").await;
    world.delivered("rel-1", "undeliverable").await;
    world.agent().post("/v1/questions/rel-1/withdraw", &serde_json::json!({})).await.with(200);
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.asks_and_shows("rel-2").await;
    assert_eq!(world.telegram().topics().len(), 2);
}

#[tokio::test]
async fn the_page_says_why_a_question_is_not_in_telegram_and_no_more_once_it_is() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().kick_bot(OWNER);
    world.asks("rel-1").await;
    world.delivered("rel-1", "undeliverable").await;
    let owner = Plain::logged_in(&world).await;
    let page = async || owner.get("/").await.text().await.unwrap();
    let before = page().await;
    assert_eq!(before.matches("Not in Telegram: the bot is not in the chat any more").count(), 1, "{before}");
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.shown("rel-1").await;
    assert!(!page().await.contains("Not in Telegram"));
}

#[tokio::test]
async fn a_bot_that_has_no_place_at_the_start_tells_askers_why_their_questions_wait() {
    let telegram = FakeTelegram::start().await;
    telegram.kick_bot(OWNER);
    let mut world = World::prepare(&[], Some(telegram)).await;
    world.serve().await;
    world.asks("rel-1").await;
    let told = |record: &serde_json::Value| record["delivery"]["reason"].as_str().is_some_and(|reason| reason.contains("kicked"));
    let record = world.record_when("rel-1", "told why it waits", told).await;
    assert_eq!(record["delivery"]["state"], "queued");
    world.telegram().set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    world.shown("rel-1").await;
}
