//! The group gets a new id, or the settings name another chat or another bot.

use pager_tests::fake_telegram::{BOT, ChatKind, FORUM, FakeTelegram, Message, OWNER, Standing, TOKEN};
use serde_json::json;

use crate::world::{World, until};

/// The question's message in this chat, once it is there.
async fn message_in(world: &World, chat: i64, words: &str) -> Message {
    until(&format!("{words:?} stands in the other chat"), async || {
        world
            .telegram()
            .messages(chat)
            .into_iter()
            .find(|message| message.words().contains(words) && !message.keyboard.is_empty())
    })
    .await
}

#[tokio::test]
async fn a_group_that_became_a_supergroup_is_followed_and_its_open_questions_are_shown_there() {
    let mut world = World::with_telegram().await;
    let old = world.asks_and_shows("rel-1").await;
    let new = world.telegram().migrate(FORUM);
    world.telegram().set_topics(new, true);
    let message = message_in(&world, new, "Release rel-1?").await;
    // The old copy decides nothing.
    let data = world.message(old).buttons().next().unwrap().callback_data.clone().unwrap();
    let press = world.telegram().press_data(FORUM, OWNER, old.message, &data);
    let toast = world.telegram().wait_for_callback_answer(&press).await.unwrap();
    assert!(!toast.text.is_empty());
    assert_eq!(world.record("rel-1").await["state"], "open");
    // The new id outlives a restart, though the setting names the old one.
    world.restart().await;
    world.telegram().press_as(new, OWNER, message.id, "No").unwrap();
    world.in_state("rel-1", "answered").await;
    until("the new copy is closed", async || world.telegram().message(new, message.id)?.keyboard.is_empty().then_some(())).await;
    assert_eq!(world.saved_answer("rel-1").await["choice"], "2");
}

#[tokio::test]
async fn a_new_id_that_only_a_refusal_tells_is_followed() {
    let world = World::with_telegram().await;
    world.asks_and_shows("rel-0").await;
    world.telegram().set_down(true);
    let new = world.telegram().migrate(FORUM);
    world.telegram().set_topics(new, true);
    // A day passes, and the news of it is gone.
    world.telegram().age(90_000);
    world.asks("rel-1").await;
    world.telegram().set_down(false);
    for words in ["Release rel-0?", "Release rel-1?"] {
        message_in(&world, new, words).await;
    }
}

#[tokio::test]
async fn a_new_id_is_found_when_the_move_happened_while_nothing_served() {
    let telegram = FakeTelegram::start().await;
    let new = telegram.migrate(FORUM);
    telegram.set_topics(new, true);
    let mut world = World::prepare(&[], Some(telegram)).await;
    world.serve().await;
    world.asks("rel-1").await;
    message_in(&world, new, "Release rel-1?").await;
}

#[tokio::test]
async fn a_changed_chat_in_the_settings_shows_open_questions_there_and_old_copies_decide_nothing() {
    const OTHER: i64 = -1_001_000_000_777;
    let mut world = World::with_telegram().await;
    let old = world.asks_and_shows("rel-1").await;
    let ended = world.asks_and_shows("rel-2").await;
    world.telegram().press(ended.message, "No").unwrap();
    world.closed(ended).await;
    world.telegram().add_chat(OTHER, ChatKind::Supergroup, "Another");
    world.telegram().set_topics(OTHER, true);
    world.telegram().set_standing(OTHER, BOT, Standing::administrator(), OWNER);
    world.terminate().await;
    world.set("PAGER_TELEGRAM__CHAT_ID", &OTHER.to_string());
    world.serve().await;
    let message = message_in(&world, OTHER, "Release rel-1?").await;
    let press = world.telegram().press(old.message, "Yes, release").unwrap();
    world.telegram().wait_for_callback_answer(&press).await.unwrap();
    world.telegram().write_in_topic(old.thread, "Fine").unwrap();
    world.telegram().press_as(OTHER, OWNER, message.id, "No").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["choice"], "2");
    let elsewhere = world.telegram().messages(OTHER);
    assert!(elsewhere.iter().all(|message| !message.words().contains("rel-2")), "what ended is not shown again");
}

#[tokio::test]
async fn a_changed_bot_shows_open_questions_anew() {
    const ANOTHER: &str = "200:another-token";
    let mut world = World::with_telegram().await;
    let old = world.asks_and_shows("rel-1").await;
    let bot = world.telegram().add_bot(ANOTHER, "another_bot");
    world.telegram().set_standing(FORUM, bot, Standing::administrator(), OWNER);
    world.terminate().await;
    world.telegram().revoke(TOKEN);
    world.set("PAGER_TELEGRAM__TOKEN", ANOTHER);
    world.serve().await;
    let anew = until("it is shown anew", async || {
        let messages = world.telegram().messages(FORUM);
        messages.into_iter().find(|message| message.from == bot && !message.keyboard.is_empty())
    })
    .await;
    assert_ne!(anew.thread, Some(old.thread));
    world.telegram().press(anew.id, "No").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["choice"], "2");
}

#[tokio::test]
async fn the_same_seat_after_a_restart_shows_nothing_twice() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.restart().await;
    world.asks_and_shows("rel-2").await;
    assert_eq!(world.telegram().topics().len(), 2);
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    world.closed(shown).await;
}
