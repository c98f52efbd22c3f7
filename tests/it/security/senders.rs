//! In Telegram: only an owner, in the configured chat, in their own words. A press of anybody else is answered with a
//! toast, a text with nothing.

use pager_tests::fake_telegram::{ChatKind, FORUM, OWNER, STRANGER, Written, media};
use serde_json::json;

use crate::world::{Shown, World};

/// After whatever was tried: the question is open, its buttons are there, nobody was replied to.
async fn nothing_happened(world: &World, shown: Shown) {
    assert_eq!(world.replies_by_now(shown).await, [""; 0]);
    assert_eq!(world.record("rel-1").await["state"], "open");
    assert_eq!(world.message(shown).labels().len(), 2);
    assert_eq!(world.answer_file("rel-1"), None);
}

async fn data_of_second_button(world: &World, shown: Shown) -> String {
    world.message(shown).buttons().nth(1).unwrap().callback_data.clone().unwrap()
}

/// What a press of somebody else is answered with.
async fn toast(world: &World, press: &str) -> String {
    world.telegram().wait_for_callback_answer(press).await.unwrap().text
}

async fn text_is_nothing(written: Written) {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write(written.in_topic(shown.thread)).unwrap();
    nothing_happened(&world, shown).await;
}

#[tokio::test]
async fn a_press_of_somebody_who_is_no_owner_decides_nothing() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let press = world.telegram().press_as(FORUM, STRANGER, shown.message, "No").unwrap();
    assert!(toast(&world, &press).await.contains("not yours"));
    nothing_happened(&world, shown).await;
}

#[tokio::test]
async fn a_text_of_somebody_who_is_no_owner_decides_nothing() {
    text_is_nothing(Written::text("No").by(STRANGER)).await;
}

#[tokio::test]
async fn a_command_of_somebody_who_is_no_owner_decides_nothing() {
    text_is_nothing(Written::text("/decline").by(STRANGER)).await;
}

#[tokio::test]
async fn an_anonymous_administrator_decides_nothing() {
    text_is_nothing(media::by_anonymous_admin("No")).await;
}

#[tokio::test]
async fn a_post_in_the_name_of_a_channel_decides_nothing() {
    text_is_nothing(media::by_channel("No")).await;
}

#[tokio::test]
async fn another_bot_decides_nothing() {
    text_is_nothing(media::by_bot("No")).await;
}

#[tokio::test]
async fn an_owners_id_that_claims_to_be_a_bot_decides_nothing() {
    text_is_nothing(Written::text("No").with(json!({"from": {"id": OWNER, "is_bot": true, "first_name": "X"}}))).await;
}

#[tokio::test]
async fn a_text_without_a_sender_decides_nothing() {
    text_is_nothing(media::by_nobody("No")).await;
}

#[tokio::test]
async fn a_forwarded_text_is_not_the_owners_words() {
    text_is_nothing(media::forwarded("No")).await;
}

#[tokio::test]
async fn a_text_written_by_way_of_a_bot_is_not_the_owners_words() {
    text_is_nothing(Written::text("No").with(json!({"via_bot": {"id": 555, "is_bot": true, "first_name": "Other"}}))).await;
}

#[tokio::test]
async fn a_press_without_a_sender_decides_nothing() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let data = data_of_second_button(&world, shown).await;
    for from in [json!(null), json!({}), json!({"id": "4242"}), json!({"first_name": "Olga"})] {
        let message = json!({"message_id": shown.message, "chat": {"id": FORUM, "type": "supergroup"}, "date": 1});
        let query = json!({"id": "77", "from": from, "message": message, "chat_instance": "1", "data": data});
        world.telegram().inject(json!({"callback_query": query}));
    }
    nothing_happened(&world, shown).await;
}

#[tokio::test]
async fn an_owners_press_in_another_chat_decides_nothing() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let data = data_of_second_button(&world, shown).await;
    let elsewhere = -1_005_000_000_005;
    world.telegram().add_chat(elsewhere, ChatKind::Supergroup, "Elsewhere");
    let copy = world.telegram().write(Written::text("a copy").in_chat(elsewhere)).unwrap();
    let press = world.telegram().press_data(elsewhere, OWNER, copy, &data);
    assert!(toast(&world, &press).await.contains("not yours"));
    nothing_happened(&world, shown).await;
}

#[tokio::test]
async fn an_owners_text_in_another_chat_decides_nothing() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().add_private_chat(OWNER);
    let fields = json!({"message_thread_id": shown.thread, "is_topic_message": true});
    world.telegram().write(Written::text("No").in_chat(OWNER).with(fields)).unwrap();
    nothing_happened(&world, shown).await;
}

#[tokio::test]
async fn forged_callback_data_decides_nothing_and_is_answered() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let data = data_of_second_button(&world, shown).await;
    let stem = data.trim_end_matches('1');
    let forged = [
        "".to_owned(),
        "x".to_owned(),
        format!("{stem}2"),
        format!("{stem}99999999999999999999"),
        format!("{stem}-1"),
        format!("{stem}01"),
        format!(" {data}"),
        format!("{data} "),
        data.to_uppercase(),
        data.replace("a:", "b:"),
        "a:0123456789abcdef:0".to_owned(),
        "a:../../../etc/pass:0".to_owned(),
        "a:' OR 1=1 --:0".to_owned(),
    ];
    for data in forged {
        let press = world.telegram().press_data(FORUM, OWNER, shown.message, &data);
        assert!(toast(&world, &press).await.contains("no question that is known"), "{data:?}");
    }
    nothing_happened(&world, shown).await;
}

#[tokio::test]
async fn a_button_of_a_lost_stores_record_decides_nothing() {
    let first = World::with_telegram().await;
    let shown = first.asks_and_shows("rel-1").await;
    let foreign = data_of_second_button(&first, shown).await;
    // The same id lives again in another store, as another record.
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let press = world.telegram().press_data(FORUM, OWNER, shown.message, &foreign);
    assert!(toast(&world, &press).await.contains("no question that is known"));
    nothing_happened(&world, shown).await;
}

#[tokio::test]
async fn a_replayed_update_is_not_handled_again() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, &"x".repeat(1001)).unwrap();
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
    let ids: Vec<i64> = world.telegram().all_updates().iter().map(|update| update["update_id"].as_i64().unwrap()).collect();
    for id in &ids {
        world.telegram().replay(*id).unwrap();
    }
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
    world.restart().await;
    for id in &ids {
        world.telegram().replay(*id).unwrap();
    }
    assert_eq!(world.replies_by_now(shown).await.len(), 1);
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn an_update_whose_id_is_lower_than_the_last_still_counts() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.replies_by_now(shown).await;
    world.telegram().jump_update_ids(5);
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    world.saved_answer("rel-1").await;
}
