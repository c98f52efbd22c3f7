//! Private words in Telegram: taken from the message, which is deleted, given to the agent, and kept nowhere on the way.

use pager_tests::fake_telegram::{BOT, ChatKind, FORUM, Message, OWNER, Written, media};
use serde_json::{Value, json};

use crate::world::{GROUP, PLAIN, Shown, World, until};

const ANSWER: &str = "/v1/questions/key/answer";

/// Made up here; nothing looks for words of this shape.
const WORDS: &str = "marzipan-velocipede";

async fn asking(world: &World) -> Shown {
    world.asks_in_secret("key").await;
    world.shown("key").await
}

/// What the agent gets.
async fn got(world: &World) -> Value {
    let answer = world.agent().held(ANSWER, 20).await.with(200);
    answer["private_answer"].clone()
}

/// Waits until this message is deleted.
async fn is_gone(world: &World, chat: i64, message: i64) {
    until("the message is deleted", async || world.telegram().message(chat, message).is_none().then_some(())).await;
}

/// The bot's words in a topic, once these are among them.
async fn told(world: &World, shown: Shown, words: &str) -> Message {
    until(&format!("the bot says {words:?}"), async || {
        world.replies(shown).into_iter().find(|message| message.words().contains(words))
    })
    .await
}

fn requests(world: &World) -> impl Future<Output = Value> {
    let owner = world.owner();
    async move { owner.get("/v1/requests").await.with(200)["items"].clone() }
}

#[tokio::test]
async fn a_text_reaches_the_agent_its_message_is_deleted_and_it_lies_in_no_file() {
    let world = World::with_telegram_and(&[("PAGER_LOG", "trace")]).await;
    let shown = asking(&world).await;
    assert!(world.message(shown).words().contains("stored nowhere"), "{}", world.message(shown).words());
    let text = world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
    assert_eq!(got(&world).await, WORDS);
    is_gone(&world, FORUM, text).await;
    world.closed(shown).await;
    let message = world.message(shown);
    assert!(message.words().contains("Private answer") && !message.words().contains(WORDS), "{}", message.words());
    assert!(world.telegram().calls_of("setMessageReaction").is_empty(), "there is nothing to put one on");
    assert_eq!(requests(&world).await, json!([]));
    world.holds_nowhere(WORDS);
    assert!(!world.log().contains(WORDS));
}

#[tokio::test]
async fn the_same_by_webhook_and_in_a_private_chat() {
    let world = World::with_webhook_and("s-3cret", &[]).await;
    let shown = asking(&world).await;
    let text = world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
    assert_eq!(got(&world).await, WORDS);
    is_gone(&world, FORUM, text).await;
    world.holds_nowhere(WORDS);

    let world = World::in_chat(OWNER, ChatKind::Private, true).await;
    world.asks_in_secret("key").await;
    let message = world.message_in(OWNER, "Which key").await;
    let written = Written::text(WORDS).in_chat(OWNER).in_topic(message.thread.unwrap());
    let text = world.telegram().write(written).unwrap();
    assert_eq!(got(&world).await, WORDS);
    is_gone(&world, OWNER, text).await;
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn a_chat_without_topics_takes_them_behind_the_key() {
    for (chat, kind) in [(PLAIN, ChatKind::Supergroup), (GROUP, ChatKind::Group), (OWNER, ChatKind::Private)] {
        let world = World::in_chat(chat, kind, false).await;
        world.asks_in_secret("key").await;
        let key = World::key_in(&world.message_in(chat, "Which key").await);
        // What stands where the key should be is not told back: it may be one of the words.
        let without_key = world.says(chat, &format!("/answer {WORDS} x"));
        let reply = world.reply_to(chat, without_key).await;
        assert!(reply.words().contains("Write the key"), "{}", reply.words());
        let mistyped = world.says(chat, &format!("/answer 0000 {WORDS}"));
        world.reply_to(chat, mistyped).await;
        let text = world.says(chat, &format!("/answer {key} {WORDS}"));
        assert_eq!(got(&world).await, WORDS);
        let ended = world.ended_in(chat, "Private answer").await;
        assert!(!ended.words().contains(WORDS), "{}", ended.words());
        world.holds_nowhere(WORDS);
        if kind == ChatKind::Private {
            is_gone(&world, chat, text).await;
        }
    }
}

#[tokio::test]
async fn a_caption_is_taken_and_a_picture_alone_is_not() {
    let world = World::with_telegram().await;
    let shown = asking(&world).await;
    let photo = world.telegram().write(media::photo().in_topic(shown.thread)).unwrap();
    assert!(world.reply_to(FORUM, photo).await.words().contains("Only a text counts"));
    let photo = world.telegram().write(media::photo().captioned(WORDS).in_topic(shown.thread)).unwrap();
    assert_eq!(got(&world).await, WORDS);
    is_gone(&world, FORUM, photo).await;
    told(&world, shown, "The caption is taken").await;
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn words_that_cannot_be_taken_are_deleted_and_kept_nowhere_also_their_tail_and_edits() {
    let world = World::with_telegram().await;
    let shown = asking(&world).await;
    let long = Written::text(format!("{WORDS} ").repeat(300)).in_topic(shown.thread);
    let parts = world.telegram().write_long(long).unwrap();
    assert!(parts.len() > 1);
    told(&world, shown, "too long").await;
    for part in parts {
        is_gone(&world, FORUM, part).await;
    }
    assert_eq!(world.record("key").await["state"], "open");
    assert_eq!(requests(&world).await, json!([]));
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn an_edited_text_counts_while_the_question_is_open() {
    let world = World::with_telegram().await;
    // The bot may not delete, so that the first version stays.
    demote(&world);
    let shown = asking(&world).await;
    let text = world.telegram().write_in_topic(shown.thread, &"x".repeat(1001)).unwrap();
    told(&world, shown, "too long").await;
    world.telegram().edit(FORUM, text, WORDS).unwrap();
    assert_eq!(got(&world).await, WORDS);
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn a_text_after_the_end_is_no_request() {
    let world = World::with_telegram().await;
    let shown = asking(&world).await;
    world.agent().post("/v1/questions/key/withdraw", &json!({})).await.with(200);
    world.closed(shown).await;
    let text = world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
    told(&world, shown, "nothing was kept").await;
    is_gone(&world, FORUM, text).await;
    assert_eq!(requests(&world).await, json!([]));
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn commands_work_in_its_topic_and_leave_nothing_of_what_stands_behind_them() {
    let world = World::with_telegram().await;
    let shown = asking(&world).await;
    let text = world.telegram().write_in_topic(shown.thread, &format!("/answer {WORDS} x")).unwrap();
    told(&world, shown, "Write the key").await;
    is_gone(&world, FORUM, text).await;
    world.telegram().write_in_topic(shown.thread, &format!("/decline {WORDS}")).unwrap();
    world.in_state("key", "declined").await;
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn a_copy_in_a_reply_elsewhere_is_not_stored() {
    let world = World::with_telegram().await;
    demote(&world);
    let shown = asking(&world).await;
    let text = world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
    assert_eq!(got(&world).await, WORDS);
    let copy = json!({
        "message_id": text, "date": 1, "message_thread_id": shown.thread, "is_topic_message": true, "text": WORDS,
        "chat": {"id": FORUM, "type": "supergroup"},
    });
    let fields = json!({"reply_to_message": copy, "quote": {"text": WORDS, "position": 0}});
    world.telegram().write(Written::text("What was that?").with(fields)).unwrap();
    until("the text is a request", async || {
        let requests = requests(&world).await;
        requests.to_string().contains("What was that?").then_some(())
    })
    .await;
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn a_text_that_a_restart_lost_is_asked_for_again() {
    for point in ["update.stored", "claim.decided"] {
        let mut world = World::with_telegram().await;
        let shown = asking(&world).await;
        world.kill9().await;
        world.serve_to_crash(point).await;
        let text = world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
        world.until_crashed().await;
        world.holds_nowhere(WORDS);
        // Telegram gives again what was not confirmed; that was handled by then, or is taken now. Either way the owner knows.
        world.serve().await;
        is_gone(&world, FORUM, text).await;
        if world.record("key").await["state"] == "open" {
            told(&world, shown, "write it again").await;
            world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
        }
        assert_eq!(got(&world).await, WORDS, "{point}");
        world.holds_nowhere(WORDS);
    }
}

#[tokio::test]
async fn an_answer_that_a_restart_lost_is_asked_for_once_for_each_loss() {
    let mut world = World::with_telegram().await;
    let shown = asking(&world).await;
    world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
    world.closed(shown).await;
    let lines = |world: &World| {
        let replies = world.replies(shown).into_iter();
        replies.filter(|message| message.words().contains("Write it here once more")).count()
    };
    world.restart().await;
    told(&world, shown, "Write it here once more").await;
    world.restart().await;
    world.replies_by_now(shown).await;
    assert_eq!(lines(&world), 1, "it is the same loss");
    assert_eq!(world.agent().get(ANSWER).await.status, 204);
    let text = world.telegram().write_in_topic(shown.thread, "marzipan-tricycle").unwrap();
    assert_eq!(got(&world).await, "marzipan-tricycle");
    is_gone(&world, FORUM, text).await;
    world.restart().await;
    until("it is asked for once more", async || (lines(&world) == 2).then_some(())).await;
    world.telegram().write_in_topic(shown.thread, "marzipan-unicycle").unwrap();
    assert_eq!(got(&world).await, "marzipan-unicycle");
    world.agent().post_empty("/v1/questions/key/private/confirm").await.with(204);
    world.restart().await;
    world.replies_by_now(shown).await;
    assert_eq!(lines(&world), 2, "what the agent has is not lost");
    world.holds_nowhere("marzipan");
}

#[tokio::test]
async fn a_chat_without_topics_is_asked_for_lost_words_with_the_key() {
    let mut world = World::in_chat(OWNER, ChatKind::Private, false).await;
    world.asks_in_secret("key").await;
    let key = World::key_in(&world.message_in(OWNER, "Which key").await);
    world.says(OWNER, &format!("/answer {key} {WORDS}"));
    world.ended_in(OWNER, "Private answer").await;
    world.restart().await;
    let line = world.message_in(OWNER, "before your private answer reached the agent").await;
    world.says(OWNER, &format!("/answer {} marzipan-tricycle", World::key_in(&line)));
    assert_eq!(got(&world).await, "marzipan-tricycle");
    world.holds_nowhere("marzipan");
}

#[tokio::test]
async fn a_message_that_the_bot_may_not_delete_is_left_to_its_owner() {
    let world = World::with_telegram().await;
    demote(&world);
    let shown = asking(&world).await;
    let text = world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
    let reply = told(&world, shown, "please delete it by hand").await;
    assert_eq!((reply.reply_to, reply.from), (Some(text), BOT));
    assert_eq!(got(&world).await, WORDS);
    world.closed(shown).await;
}

#[tokio::test]
async fn a_message_is_deleted_also_when_pagerd_died_over_it_or_somebody_was_first() {
    let mut world = World::with_telegram().await;
    let shown = asking(&world).await;
    world.kill9().await;
    world.serve_to_crash("delete.called").await;
    let text = world.telegram().write_in_topic(shown.thread, WORDS).unwrap();
    world.until_crashed().await;
    world.serve().await;
    is_gone(&world, FORUM, text).await;
    // The second call finds it gone, which is what was wanted.
    told(&world, shown, "Write it here once more").await;
    assert!(world.replies_by_now(shown).await.iter().all(|reply| !reply.contains("by hand")));
}

/// Takes the right to delete messages from the bot; it keeps the one to make topics.
fn demote(world: &World) {
    use pager_tests::fake_telegram::Standing;
    let standing = Standing::Administrator { can_manage_topics: true, can_delete_messages: false };
    world.telegram().set_standing(FORUM, BOT, standing, OWNER);
}
