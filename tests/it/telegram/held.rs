//! Words that look like a secret, in Telegram: held back with a button that sends them anyway, for a while and by their author.

use pager_tests::fake_telegram::{BOT, FORUM, Fault, Message, OWNER, STRANGER, Written};
use serde_json::json;
use sqlx::Connection as _;

use crate::world::{Shown, World, until};

/// Made up here, and joined so that no scanner takes it for a real one.
fn secret() -> String {
    format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6")
}

/// The reply to this message, once it is there.
async fn held(world: &World, message: i64) -> Message {
    let reply = world.reply_to(FORUM, message).await;
    assert!(reply.words().contains("looks like a GitHub token"), "{}", reply.words());
    assert!(!reply.words().contains(&secret()), "{}", reply.words());
    assert_eq!(reply.labels(), ["Send anyway"]);
    reply
}

async fn written(world: &World, shown: Shown, words: &str) -> (i64, Message) {
    let text = world.telegram().write_in_topic(shown.thread, words).unwrap();
    (text, held(world, text).await)
}

/// What a press is answered with.
async fn toast(world: &World, query: &str) -> String {
    world.telegram().wait_for_callback_answer(query).await.unwrap().text
}

fn data(reply: &Message) -> String {
    reply.keyboard[0][0].callback_data.clone().unwrap()
}

/// Waits until the reply has no button any more, and still its words.
async fn is_taken(world: &World, reply: &Message) {
    let fits = |message: &Message| message.id == reply.id && message.keyboard.is_empty() && message.words() == reply.words();
    world.telegram().wait_for_message("reply without its button", fits).await.unwrap();
}

/// Makes everything that was received or waits this much older.
async fn age(world: &World, millis: i64) {
    let path = world.data_dir().join("pager.sqlite");
    let mut store = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    for statement in ["UPDATE updates SET received_at = received_at - ?", "UPDATE jobs SET due_at = due_at - ?"] {
        sqlx::query(statement).bind(millis).execute(&mut store).await.unwrap();
    }
    store.close().await.unwrap();
}

#[tokio::test]
async fn held_words_leave_the_question_open_and_go_through_at_a_press_also_after_a_restart() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let words = format!("  Use {} for it ", secret());
    let (text, reply) = written(&world, shown, &words).await;
    assert_eq!(world.record("rel-1").await["state"], "open");
    assert_eq!(world.message(shown).labels().len(), 2, "the question keeps its buttons");
    assert_eq!(world.answer_file("rel-1"), None);
    let data = reply.keyboard[0][0].callback_data.clone().unwrap();
    assert!(data.len() < 64 && !words.contains(&data) && !data.contains("ghp_"), "{data}");
    world.restart().await;
    world.telegram().press(reply.id, "Send anyway").unwrap();
    let record = world.in_state("rel-1", "answered").await;
    assert_eq!(record["answer"]["answer"], words, "saved unchanged");
    let thumbed = |message: &Message| message.id == text && message.reactions == ["👍"];
    world.telegram().wait_for_message("text with 👍", thumbed).await.unwrap();
    assert!(!world.log().contains(&secret()));
}

#[tokio::test]
async fn the_button_goes_with_the_end_and_a_press_that_crossed_it_is_told_the_end() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let (_, reply) = written(&world, shown, &secret()).await;
    world.telegram().press(shown.message, "No").unwrap();
    world.in_state("rel-1", "answered").await;
    is_taken(&world, &reply).await;
    let query = world.telegram().press_data(FORUM, OWNER, reply.id, &data(&reply));
    let told = toast(&world, &query).await;
    assert!(told.contains("You answered: No"), "{told}");
    assert_eq!(world.record("rel-1").await["answer"]["answer"], "No");
}

#[tokio::test]
async fn after_ten_minutes_the_button_goes_and_a_press_that_crossed_it_is_too_late() {
    let mut world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let (_, reply) = written(&world, shown, &secret()).await;
    world.rests().await;
    world.kill9().await;
    age(&world, 9 * 60 * 1000).await;
    age(&world, 61 * 1000).await;
    world.serve().await;
    is_taken(&world, &reply).await;
    let query = world.telegram().press_data(FORUM, OWNER, reply.id, &data(&reply));
    let told = toast(&world, &query).await;
    assert!(told.starts_with("Too late"), "{told}");
    assert_eq!(world.record("rel-1").await["state"], "open");
    // Written again they are held back again, and good again.
    let (_, reply) = written(&world, shown, &secret()).await;
    world.telegram().press(reply.id, "Send anyway").unwrap();
    world.in_state("rel-1", "answered").await;
}

#[tokio::test]
async fn only_their_author_sends_them() {
    let owners = format!("{OWNER},{STRANGER}");
    let world = World::with_telegram_and(&[("PAGER_TELEGRAM__OWNERS", &owners)]).await;
    let shown = world.asks_and_shows("rel-1").await;
    let (_, reply) = written(&world, shown, &secret()).await;
    let query = world.telegram().press_as(FORUM, STRANGER, reply.id, "Send anyway").unwrap();
    let told = toast(&world, &query).await;
    assert!(told.contains("Only whoever wrote these words"), "{told}");
    assert_eq!(world.record("rel-1").await["state"], "open");
    world.telegram().press(reply.id, "Send anyway").unwrap();
    let record = world.in_state("rel-1", "answered").await;
    assert_eq!(record["resolved_by"]["id"], format!("telegram:{OWNER}"));
}

#[tokio::test]
async fn edited_words_are_held_anew_and_the_earlier_button_counts_no_more() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    let (text, first) = written(&world, shown, &secret()).await;
    let edited = format!("{} please", secret());
    world.telegram().edit(FORUM, text, &edited).unwrap();
    let second = until("there is a second reply", async || {
        let replies = world.telegram().messages(FORUM).into_iter();
        replies.filter(|message| message.from == BOT && message.reply_to == Some(text)).find(|message| message.id != first.id)
    })
    .await;
    let query = world.telegram().press(first.id, "Send anyway").unwrap();
    assert!(toast(&world, &query).await.starts_with("Too late"));
    is_taken(&world, &first).await;
    assert_eq!(world.record("rel-1").await["state"], "open");
    world.telegram().press(second.id, "Send anyway").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], edited);
}

#[tokio::test]
async fn when_the_topic_was_deleted_the_button_stands_in_the_new_one() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().fault("sendMessage", Fault::flood(1));
    world.telegram().write_in_topic(shown.thread, &secret()).unwrap();
    world.telegram().wait_for_call("sendMessage", |call| call.parameters.to_string().contains("Send anyway")).await.unwrap();
    world.telegram().delete_topic(shown.thread);
    let offers = |message: &Message| message.labels() == ["Send anyway"] && message.thread != Some(shown.thread);
    let reply = world.telegram().wait_for_message("the button in the new topic", offers).await.unwrap();
    world.telegram().press(reply.id, "Send anyway").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], secret());
}

#[tokio::test]
async fn words_behind_a_command_are_held_back_too() {
    let world = World::with_telegram().await;
    let record = world.asks("rel-1").await;
    world.shown("rel-1").await;
    let key = record["incarnation"].as_str().unwrap();
    let text = world.telegram().write(Written::text(format!("/answer {key} {}", secret()))).unwrap();
    let reply = held(&world, text).await;
    assert_eq!(world.record("rel-1").await["state"], "open");
    world.telegram().press(reply.id, "Send anyway").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], secret());
}

#[tokio::test]
async fn a_button_that_nobody_was_given_sends_nothing() {
    let world = World::with_telegram().await;
    let one = world.asks_and_shows("rel-1").await;
    let two = world.asks("rel-2").await;
    let (_, reply) = written(&world, one, &secret()).await;
    let data = reply.keyboard[0][0].callback_data.clone().unwrap();
    let (_, update) = data.rsplit_once(':').unwrap();
    let forged = format!("h:{}:{update}", two["incarnation"].as_str().unwrap());
    for data in [forged.as_str(), "h:0123456789abcdef:1"] {
        let query = world.telegram().press_data(FORUM, OWNER, reply.id, data);
        assert!(!toast(&world, &query).await.is_empty(), "{data}");
    }
    assert_eq!((&world.record("rel-1").await["state"], &world.record("rel-2").await["state"]), (&json!("open"), &json!("open")));
}
