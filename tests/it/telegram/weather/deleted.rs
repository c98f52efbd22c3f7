//! Topics and messages that people delete while their question is open.

use pager_tests::fake_telegram::{FORUM, Fault};
use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use crate::world::{World, until};

/// A question whose topic is there and whose message waits for the end of a pause.
async fn with_an_empty_topic(world: &World, id: &str) -> i64 {
    world.telegram().fault("sendMessage", Fault::flood(2));
    world.asks(id).await;
    let thread = world.telegram().wait_for_topic(&format!("Release {id}?")).await.unwrap().thread;
    world.telegram().wait_for_call("sendMessage", |_| true).await.unwrap();
    thread
}

#[tokio::test]
async fn a_deleted_topic_is_made_anew_and_the_owner_is_told_there() {
    let world = World::with_telegram().await;
    let first = with_an_empty_topic(&world, "rel-1").await;
    world.telegram().delete_topic(first);
    let shown = world.shown("rel-1").await;
    assert_ne!(shown.thread, first);
    let told = world.reply(shown).await;
    assert!(told.words().contains("was deleted while it was open"), "{}", told.words());
    world.telegram().write_in_topic(shown.thread, "Fine").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Fine");
    world.closed(shown).await;
}

#[tokio::test]
async fn a_topic_that_is_deleted_a_second_time_stays_away_and_the_asker_knows() {
    let world = World::with_telegram().await;
    world.telegram().faults("sendMessage", super::refusal(400, "Bad Request: message thread not found"), 2);
    world.asks("rel-1").await;
    let record = world.delivered("rel-1", "undeliverable").await;
    let reason = record["delivery"]["reason"].as_str().unwrap();
    assert!(reason.contains("deleted a second time"), "{reason}");
    assert_eq!(world.telegram().calls_of("createForumTopic").len(), 2);
    // It can still be answered on the page.
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
}

#[tokio::test]
async fn topic_deleted_means_the_same_as_message_thread_not_found() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendMessage", super::refusal(400, "Bad Request: TOPIC_DELETED"));
    world.asks("rel-1").await;
    let shown = world.shown("rel-1").await;
    assert!(world.reply(shown).await.words().contains("was deleted"));
}

#[tokio::test]
async fn a_reply_that_finds_its_topic_deleted_follows_the_question_into_the_new_one() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().write_in_topic(shown.thread, &"long ".repeat(300)).unwrap();
    world.reply(shown).await;
    // The topic goes while the next reply is on its way.
    world.telegram().fault("sendMessage", Fault::flood(2));
    world.telegram().write_in_topic(shown.thread, "/help").unwrap();
    world
        .telegram()
        .wait_for_call("sendMessage", |call| call.parameters["text"].to_string().contains("Each question"))
        .await
        .unwrap();
    world.telegram().delete_topic(shown.thread);
    let anew = until("the question stands in another topic", async || {
        let again = world.shown("rel-1").await;
        (again.thread != shown.thread).then_some(again)
    })
    .await;
    until("both lines are there", async || {
        let words: Vec<String> = world.replies(anew).iter().map(|message| message.words().to_owned()).collect();
        let has = |part: &str| words.iter().any(|line| line.contains(part));
        (has("was deleted while it was open") && has("Each question has a topic")).then_some(())
    })
    .await;
    assert_eq!(world.telegram().calls_of("createForumTopic").len(), 2);
}

#[tokio::test]
async fn a_deleted_message_of_an_ended_question_is_left_alone() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.telegram().delete_message(FORUM, shown.message);
    world.telegram().write_in_topic(shown.thread, "Fine").unwrap();
    world.in_state("rel-1", "answered").await;
    let ended = world.icon("✅").await;
    until("the topic has ✅", async || world.telegram().topic(shown.thread).filter(|topic| topic.icon == ended)).await;
    assert_eq!(world.telegram().calls_of("sendMessage").len(), 1, "nothing is sent again");
    assert_eq!(world.telegram().topics().len(), 1);
}

/// Has the message of an open question edited, as when no agent waits for it any more.
async fn refresh(world: &mut World, id: &str, times: usize) {
    world.terminate().await;
    let path = world.data_dir().join("pager.sqlite");
    let mut connection = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::query(
        "INSERT INTO jobs (id, incarnation, kind, class, state, due_at, attempts) \
         SELECT 'refresh-' || ?1, incarnation, '{\"kind\":\"edit_question\"}', 0, 'waiting', 0, 0 FROM questions WHERE id = ?2",
    )
    .bind(i64::try_from(times).unwrap())
    .bind(id)
    .execute(&mut connection)
    .await
    .unwrap();
    connection.close().await.unwrap();
    world.serve().await;
}

#[tokio::test]
async fn a_deleted_message_of_an_open_question_is_sent_again_once() {
    let mut world = World::with_telegram().await;
    let first = world.asks_and_shows("rel-1").await;
    world.telegram().delete_message(FORUM, first.message);
    refresh(&mut world, "rel-1", 1).await;
    let second = until("it is sent again", async || {
        let shown = world.shown("rel-1").await;
        (shown.message != first.message).then_some(shown)
    })
    .await;
    assert_eq!(second.thread, first.thread);
    world.telegram().delete_message(FORUM, second.message);
    refresh(&mut world, "rel-1", 2).await;
    let record = world.delivered("rel-1", "undeliverable").await;
    assert!(record["delivery"]["reason"].as_str().unwrap().contains("a second time"), "{record}");
    // Its topic still takes an answer.
    world.telegram().write_in_topic(first.thread, "Fine").unwrap();
    assert_eq!(world.in_state("rel-1", "answered").await["answer"]["answer"], "Fine");
}

#[tokio::test]
async fn a_topic_that_was_deleted_with_the_message_in_it_is_made_anew() {
    let mut world = World::with_telegram().await;
    let first = world.asks_and_shows("rel-1").await;
    world.telegram().delete_topic(first.thread);
    refresh(&mut world, "rel-1", 1).await;
    let second = until("it stands in another topic", async || {
        let shown = world.shown("rel-1").await;
        (shown.thread != first.thread).then_some(shown)
    })
    .await;
    assert!(world.reply(second).await.words().contains("was deleted"));
    world.telegram().press(second.message, "No").unwrap();
    world.closed(second).await;
}
