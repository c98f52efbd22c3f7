//! Topics: rights, names, icons, states.

use serde_json::json;

use super::super::{BOT, ChatKind, FORUM, FakeTelegram, OWNER, Standing, Written};
use super::Check;

const TICK: &str = "5237699328843200968";

#[tokio::test]
async fn a_topic_is_the_id_of_its_first_message() {
    let check = Check::start().await;
    let thread = check.topic("  Deploy\n\n now? ").await;
    let first = check.telegram.message(FORUM, thread).unwrap();
    assert_eq!(first.thread, Some(thread));
    assert_ne!(thread, 1, "1 is General, which cannot be sent to by number");
    assert_eq!(first.extra["forum_topic_created"]["name"], "Deploy now?");
    assert_eq!(check.telegram.topic(thread).unwrap().name, "Deploy now?");
}

#[tokio::test]
async fn names_are_cleaned_cut_and_never_empty() {
    let check = Check::start().await;
    for name in ["", "  \n "] {
        let refused = check.refused("createForumTopic", json!({ "chat_id": FORUM, "name": name })).await;
        assert_eq!(refused, "400 Bad Request: name must be non-empty");
    }
    let thread = check.topic(&"x".repeat(200)).await;
    assert_eq!(check.telegram.topic(thread).unwrap().name.len(), 128);
}

#[tokio::test]
async fn icons_and_colours_are_of_the_servers_list() {
    let check = Check::start().await;
    let stickers = check.done("getForumTopicIconStickers", json!({})).await;
    let emoji = |sticker: &serde_json::Value| sticker["emoji"].as_str().unwrap().to_owned();
    let emoji: Vec<_> = stickers.as_array().unwrap().iter().map(emoji).collect();
    assert!(emoji.contains(&"❓".into()) && emoji.contains(&"❗\u{fe0f}".into()), "{emoji:?}");
    for (field, value, refusal) in [
        ("icon_color", json!(5), "400 Bad Request: invalid icon color specified"),
        ("icon_custom_emoji_id", json!("12345"), "400 Bad Request: DOCUMENT_INVALID"),
        ("icon_custom_emoji_id", json!("tick"), "400 Bad Request: invalid custom emoji identifier specified"),
    ] {
        let topic = json!({ "chat_id": FORUM, "name": "Topic", field: value });
        assert_eq!(check.refused("createForumTopic", topic).await, refusal);
    }
}

#[tokio::test]
async fn an_edit_says_what_changed_and_refuses_what_does_not() {
    let check = Check::start().await;
    let thread = check.topic("Topic").await;
    let edit = |fields: serde_json::Value| {
        let mut all = json!({ "chat_id": FORUM, "message_thread_id": thread });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    check.done("editForumTopic", edit(json!({}))).await;
    check.done("editForumTopic", edit(json!({ "icon_custom_emoji_id": TICK }))).await;
    assert_eq!(check.telegram.topic(thread).unwrap().icon, TICK);
    let last = check.telegram.messages(FORUM).pop().unwrap();
    assert_eq!(last.extra["forum_topic_edited"], json!({ "icon_custom_emoji_id": TICK }));
    for fields in [json!({ "icon_custom_emoji_id": TICK }), json!({ "name": "Topic" })] {
        let refused = check.refused("editForumTopic", edit(fields)).await;
        assert_eq!(refused, "400 Bad Request: TOPIC_NOT_MODIFIED");
    }
    check.done("editForumTopic", edit(json!({ "icon_custom_emoji_id": "" }))).await;
    assert_eq!(check.telegram.topic(thread).unwrap().icon, "");
    let without = json!({ "chat_id": FORUM, "name": "New" });
    assert_eq!(check.refused("editForumTopic", without).await, "400 Bad Request: invalid forum topic identifier specified");
}

#[tokio::test]
async fn closing_twice_and_reopening_twice_are_refused() {
    let check = Check::start().await;
    let topic = json!({ "chat_id": FORUM, "message_thread_id": check.topic("Topic").await });
    for method in ["closeForumTopic", "reopenForumTopic"] {
        check.done(method, topic.clone()).await;
        let refused = check.refused(method, topic.clone()).await;
        assert_eq!(refused, "400 Bad Request: TOPIC_NOT_MODIFIED");
    }
}

#[tokio::test]
async fn a_closed_topic_is_closed_to_those_without_the_right() {
    let check = Check::start().await;
    let thread = check.telegram.open_topic("By hand");
    check.telegram.close_topic(thread, true).unwrap();
    let text = json!({ "chat_id": FORUM, "message_thread_id": thread, "text": "Hello" });
    check.done("sendMessage", text.clone()).await;
    check.telegram.demote_bot(OWNER);
    let closed = "400 Bad Request: TOPIC_CLOSED";
    assert_eq!(check.refused("sendMessage", text.clone()).await, closed);
    check.telegram.set_standing(FORUM, BOT, Standing::administrator(), OWNER);
    check.telegram.close_topics_to_everyone(true);
    assert_eq!(check.refused("sendMessage", text).await, closed);
    check.telegram.close_general(true);
    let text = json!({ "chat_id": FORUM, "text": "Hello" });
    assert_eq!(check.refused("sendMessage", text).await, closed);
}

#[tokio::test]
async fn rights_are_needed_for_topics() {
    let check = Check::start().await;
    let theirs = check.telegram.open_topic("By hand");
    let own = check.topic("Own").await;
    check.telegram.demote_bot(OWNER);
    let of = |thread: i64| json!({ "chat_id": FORUM, "message_thread_id": thread, "name": "New" });
    for (method, parameters, what) in [
        ("createForumTopic", json!({ "chat_id": FORUM, "name": "T" }), "to create a topic"),
        ("editForumTopic", of(theirs), "to edit the topic"),
        ("closeForumTopic", of(theirs), "to close or open the topic"),
        ("reopenForumTopic", of(theirs), "to close or open the topic"),
        ("deleteForumTopic", of(theirs), "to delete the topic"),
    ] {
        let refused = check.refused(method, parameters).await;
        assert_eq!(refused, format!("400 Bad Request: not enough rights {what}"));
    }
    check.done("editForumTopic", of(own)).await;
}

#[tokio::test]
async fn a_deleted_or_unknown_topic_is_not_found() {
    let check = Check::start().await;
    let deleted = check.topic("Topic").await;
    check.telegram.delete_topic(deleted);
    assert!(check.telegram.message(FORUM, deleted).is_none());
    for thread in [1, deleted, 9999] {
        let text = json!({ "chat_id": FORUM, "message_thread_id": thread, "text": "Hello" });
        let refused = check.refused("sendMessage", text).await;
        assert_eq!(refused, "400 Bad Request: message thread not found", "{thread}");
    }
    for (thread, refusal) in [(deleted, "TOPIC_DELETED"), (9999, "TOPIC_ID_INVALID")] {
        let topic = json!({ "chat_id": FORUM, "message_thread_id": thread, "name": "New" });
        let refused = check.refused("editForumTopic", topic).await;
        assert_eq!(refused, format!("400 Bad Request: {refusal}"));
    }
}

#[tokio::test]
async fn without_topics_the_thread_is_dropped_in_silence() {
    let check = Check::start().await;
    let thread = check.topic("Topic").await;
    check.telegram.set_topics(FORUM, false);
    let text = json!({ "chat_id": FORUM, "message_thread_id": thread, "text": "Hello" });
    let sent = check.done("sendMessage", text).await;
    assert!(sent.get("message_thread_id").is_none() && sent.get("is_topic_message").is_none());
    let topic = json!({ "chat_id": FORUM, "name": "Topic" });
    let refused = check.refused("createForumTopic", topic).await;
    assert_eq!(refused, "400 Bad Request: the chat is not a forum");
}

#[tokio::test]
async fn private_topics_neither_close_nor_reply_by_themselves() {
    let check = Check::start().await;
    check.telegram.add_private_chat(OWNER);
    let refused = check.refused("createForumTopic", json!({ "chat_id": OWNER, "name": "T" })).await;
    assert_eq!(refused, "400 Bad Request: the chat is not a forum");
    check.telegram.set_topics(OWNER, true);
    assert_eq!(check.done("getMe", json!({})).await["has_topics_enabled"], true);
    let topic = check.done("createForumTopic", json!({ "chat_id": OWNER, "name": "T" })).await;
    let thread = topic["message_thread_id"].as_i64().unwrap();
    let closed = json!({ "chat_id": OWNER, "message_thread_id": thread });
    let refused = check.refused("closeForumTopic", closed).await;
    assert_eq!(refused, "400 Bad Request: the chat is not a supergroup forum");
    check.telegram.write(Written::text("Hi").in_chat(OWNER).in_topic(thread)).unwrap();
    let update = check.telegram.waiting_updates().pop().unwrap();
    assert_eq!(update["message"]["is_topic_message"], true);
    assert!(update["message"].get("reply_to_message").is_none());
    check.telegram.write(Written::text("Elsewhere").in_chat(OWNER)).unwrap();
    let update = check.telegram.waiting_updates().pop().unwrap();
    assert_ne!(update["message"]["message_thread_id"], thread, "a text outside begins a topic");
    assert_eq!(update["message"]["is_topic_message"], true);
}

#[tokio::test]
async fn refusals_of_whole_chats() {
    let check = Check::start().await;
    let send = |chat: serde_json::Value| json!({ "chat_id": chat, "text": "Hello" });
    let telegram = &check.telegram;
    let group = -5;
    telegram.add_chat(group, ChatKind::Group, "Group");
    telegram.add_chat(-1_001_000_000_009, ChatKind::Supergroup, "Other");
    telegram.add_private_chat(OWNER);
    let leave = |telegram: &FakeTelegram, chat, standing| {
        telegram.set_standing(chat, BOT, standing, OWNER);
    };
    for chat in [json!(""), json!("-77"), json!("@nobody")] {
        let refused = check.refused("sendMessage", send(chat.clone())).await;
        let text = if chat == "" { "chat_id is empty" } else { "chat not found" };
        assert_eq!(refused, format!("400 Bad Request: {text}"));
    }
    leave(telegram, OWNER, Standing::Blocked);
    leave(telegram, -1_001_000_000_009, Standing::Left);
    telegram.kick_bot(OWNER);
    for (chat, text) in [
        (OWNER, "bot was blocked by the user"),
        (-1_001_000_000_009, "bot is not a member of the supergroup chat"),
        (FORUM, "bot was kicked from the supergroup chat"),
    ] {
        let refused = check.refused("sendMessage", send(json!(chat))).await;
        assert_eq!(refused, format!("403 Forbidden: {text}"));
    }
    let new = telegram.migrate(group);
    let body = check.body("sendMessage", send(json!(group))).await;
    assert_eq!(body["parameters"]["migrate_to_chat_id"], new);
    assert_eq!(body["description"], "Bad Request: group chat was upgraded to a supergroup chat");
    check.done("sendMessage", send(json!(new))).await;
    leave(telegram, new, Standing::Kicked);
    let refused = check.refused("sendMessage", send(json!(new))).await;
    assert_eq!(refused, "403 Forbidden: bot was kicked from the supergroup chat");
}
