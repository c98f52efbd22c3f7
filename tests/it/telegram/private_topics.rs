//! A private chat with the bot in threaded mode: a topic per question, own words in it, no closing.

use pager_tests::fake_telegram::{ChatKind, OWNER, STRANGER, Written};

use crate::world::{World, until};

#[tokio::test]
async fn each_question_gets_a_topic_and_a_text_in_it_is_the_answer() {
    let world = World::in_chat(OWNER, ChatKind::Private, true).await;
    world.asks("rel-1").await;
    world.delivered("rel-1", "shown").await;
    let message = world.message_in(OWNER, "Release rel-1?").await;
    let thread = message.thread.expect("it stands in a topic");
    assert!(
        message.words().contains("Write your answer in this topic")
            || message.words().contains("write your answer in this topic")
    );
    let text = world.telegram().write(Written::text("After lunch").in_chat(OWNER).in_topic(thread)).unwrap();
    world.ended_in(OWNER, "You answered: After lunch").await;
    let thumbed = async || world.telegram().message(OWNER, text).filter(|message| message.reactions == ["👍"]);
    until("the text has 👍", thumbed).await;
    let ended = world.icon("✅").await;
    let marked = async || {
        let icon = world.telegram().look(|state| state.chats[&OWNER].topics[&thread].icon.clone());
        (icon == ended).then_some(())
    };
    until("the topic has ✅", marked).await;
    assert!(world.telegram().calls_of("closeForumTopic").is_empty());
    assert!(world.telegram().calls_of("getChatMember").is_empty(), "no right is needed there");
}

#[tokio::test]
async fn a_press_counts_and_so_do_the_commands_in_the_topic() {
    let world = World::in_chat(OWNER, ChatKind::Private, true).await;
    world.asks("rel-1").await;
    let message = world.message_in(OWNER, "Release rel-1?").await;
    world.telegram().press_as(OWNER, OWNER, message.id, "No").unwrap();
    world.ended_in(OWNER, "You answered: No").await;
    world.asks("rel-2").await;
    let thread = world.message_in(OWNER, "Release rel-2?").await.thread.unwrap();
    world.telegram().write(Written::text("/decline").in_chat(OWNER).in_topic(thread)).unwrap();
    world.in_state("rel-2", "declined").await;
}

#[tokio::test]
async fn a_text_that_begins_a_topic_of_its_own_is_no_answer() {
    let world = World::in_chat(OWNER, ChatKind::Private, true).await;
    world.asks("rel-1").await;
    world.message_in(OWNER, "Release rel-1?").await;
    world.says(OWNER, "Hello");
    let help = world.says(OWNER, "/help");
    assert!(world.reply_to(OWNER, help).await.words().starts_with("Each question has a topic"));
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_login_link_is_given_in_the_topic_where_it_was_asked_for() {
    let world = World::in_chat(OWNER, ChatKind::Private, true).await;
    let said = world.says(OWNER, "/login");
    let reply = world.reply_to(OWNER, said).await;
    assert!(reply.words().contains("/login/"), "{}", reply.words());
    assert_eq!(reply.thread, world.telegram().message(OWNER, said).unwrap().thread);
}

#[tokio::test]
async fn the_private_chat_of_somebody_who_is_no_owner_is_refused_with_the_setting() {
    let mut world = World::prepared_in(STRANGER, ChatKind::Private, true, &[]).await;
    world.serve().await;
    let told = until("the health says so", async || {
        let ready = world.nobody().get("/readyz").await.json().to_string();
        ready.contains("telegram.owners").then_some(ready)
    })
    .await;
    assert!(told.contains("a private chat serves one owner"), "{told}");
    world.asks("rel-1").await;
    assert_eq!(world.record("rel-1").await["delivery"]["state"], "queued");
    assert!(world.telegram().messages(STRANGER).is_empty());
}
