//! Sending, editing, deleting, reacting, and the limits of each.

use serde_json::{Value, json};

use super::super::{FORUM, STRANGER, Written};
use super::{Check, keyboard};

async fn refused_text(check: &Check, fields: Value) -> String {
    let mut call = json!({ "chat_id": FORUM, "text": "a😀b" });
    call.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let refused = check.refused("sendMessage", call).await;
    refused.strip_prefix("400 Bad Request: ").unwrap().to_owned()
}

#[tokio::test]
async fn texts_are_bounded() {
    let check = Check::start().await;
    for (text, refusal) in [
        (String::new(), "message text is empty"),
        (" \n\u{202e}".into(), "text must be non-empty"),
        ("😀".repeat(4097), "message is too long"),
        ("x".repeat(32_769), "text is too long"),
    ] {
        assert_eq!(refused_text(&check, json!({ "text": text })).await, refusal);
    }
    check.done("sendMessage", json!({ "chat_id": FORUM, "text": "😀".repeat(4096) })).await;
    let html = json!({ "parse_mode": "HTML" });
    assert_eq!(refused_text(&check, html).await, "unsupported parse_mode");
}

#[tokio::test]
async fn entities_must_fit_the_text() {
    let check = Check::start().await;
    let one = |offset: i64, length: i64| json!([{ "type": "bold", "offset": offset, "length": length }]);
    for (entities, refusal) in [
        (one(0, 5), "ends after the end of the text at UTF-16 offset 4"),
        (one(2, 1), "entity begins in a middle of a UTF-16 symbol"),
        (one(0, 2), "ends in a middle of a UTF-16 symbol"),
        (one(-1, 2), "field \"offset\" must be a non-negative number"),
        (one(0, 0), "field \"length\" must be positive"),
        (json!([{ "type": "shout", "offset": 0, "length": 1 }]), "unsupported type \"shout\""),
        (json!([{ "type": "text_link", "offset": 0, "length": 1 }]), "field \"url\""),
        (json!({}), "expected an Array"),
        (
            json!([
                { "type": "bold", "offset": 0, "length": 3 },
                { "type": "italic", "offset": 1, "length": 3 },
            ]),
            "italic at UTF-16 offset 1 overlaps bold at UTF-16 offset 0",
        ),
        (
            json!([
                { "type": "bold", "offset": 0, "length": 4 },
                { "type": "code", "offset": 0, "length": 1 },
            ]),
            "overlaps",
        ),
    ] {
        let refused = refused_text(&check, json!({ "entities": entities })).await;
        assert!(refused.contains(refusal), "{refused}");
    }
}

#[tokio::test]
async fn texts_are_cleaned_and_their_entities_move_along() {
    let check = Check::start().await;
    let sent = check
        .done(
            "sendMessage",
            json!({
                "chat_id": FORUM, "text": " \n😀\r\u{202e}\tbold \n",
                "entities": [{ "type": "bold", "offset": 7, "length": 6 }],
            }),
        )
        .await;
    assert_eq!(sent["text"], "😀 bold");
    assert_eq!(sent["entities"], json!([{ "type": "bold", "offset": 3, "length": 4 }]));
}

#[tokio::test]
async fn buttons_are_checked() {
    let check = Check::start().await;
    let one = |button: Value| json!({ "reply_markup": { "inline_keyboard": [[button]] } });
    let with = |data: &str| one(json!({ "text": "A", "callback_data": data }));
    for (markup, refusal) in [
        (with(&"x".repeat(65)), "BUTTON_DATA_INVALID"),
        (with(&"é".repeat(33)), "BUTTON_DATA_INVALID"),
        (with(""), "BUTTON_DATA_INVALID"),
        (one(json!({ "text": "A" })), "text buttons are unallowed in the inline keyboard"),
        (
            one(json!({ "text": "A", "callback_data": "a", "url": "https://example.org" })),
            "can't parse inline keyboard button: exactly one of the type fields must be used",
        ),
        (
            one(json!({ "text": "A", "url": "http://localhost/x" })),
            "inline keyboard button URL 'http://localhost/x' is invalid: Wrong HTTP URL",
        ),
        (one(json!({ "text": "A", "web_app": { "url": "https://a.example" } })), "BUTTON_TYPE_INVALID"),
        (
            one(json!({ "text": "A", "callback_data": "a", "style": "loud" })),
            "can't parse inline keyboard button: invalid button style specified",
        ),
        (json!({ "reply_markup": [] }), "object expected as reply markup"),
        (json!({ "reply_markup": "{" }), "can't parse reply keyboard markup JSON object"),
        (json!({ "reply_markup": keyboard(&[&"x".repeat(11_000)[..], "b"]) }), "BUTTON_DATA_INVALID"),
        (one(json!({ "text": "x".repeat(11_000), "callback_data": "a" })), "reply markup is too long"),
    ] {
        assert_eq!(refused_text(&check, markup).await, refusal);
    }
    let kept = check
        .done(
            "sendMessage",
            json!({
                "chat_id": FORUM, "text": "Text", "reply_markup": { "inline_keyboard": [
                    [{ "text": "", "callback_data": "a" }],
                    [{ "text": "B", "callback_data": "é".repeat(32) }],
                ] },
            }),
        )
        .await;
    assert_eq!(kept["reply_markup"]["inline_keyboard"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_edit_without_buttons_takes_them_away() {
    let check = Check::start().await;
    let id = check.question().await;
    let edit = json!({ "chat_id": FORUM, "message_id": id, "text": "Deploy?" });
    let edited = check.done("editMessageText", edit.clone()).await;
    assert!(edited.get("reply_markup").is_none() && edited["edit_date"].is_i64());
    assert!(check.telegram.message(FORUM, id).unwrap().keyboard.is_empty());
    let exact = "400 Bad Request: message is not modified: specified new message content and reply \
                 markup are exactly the same as a current content and reply markup of the message";
    assert_eq!(check.refused("editMessageText", edit).await, exact);
    let markup = json!({ "chat_id": FORUM, "message_id": id });
    assert_eq!(check.refused("editMessageReplyMarkup", markup).await, exact);
}

#[tokio::test]
async fn only_own_texts_that_exist_can_be_edited() {
    let check = Check::start().await;
    let thread = check.topic("Topic").await;
    let theirs = check.telegram.write_in_general("Hello").unwrap();
    let force = json!({ "chat_id": FORUM, "text": "Say", "reply_markup": { "force_reply": true } });
    let forced = check.done("sendMessage", force).await["message_id"].as_i64().unwrap();
    let own = check.question().await;
    check.telegram.delete_message(FORUM, own);
    let edit = |id: i64| json!({ "chat_id": FORUM, "message_id": id, "text": "New" });
    for (id, refusal) in [
        (0, "message identifier is not specified"),
        (own, "message to edit not found"),
        (theirs, "message can't be edited"),
        (forced, "message can't be edited"),
        (thread, "message can't be edited"),
    ] {
        let refused = check.refused("editMessageText", edit(id)).await;
        assert_eq!(refused, format!("400 Bad Request: {refusal}"));
    }
    let own = check.question().await;
    let mut forcing = edit(own);
    forcing["reply_markup"] = json!({ "force_reply": true });
    let refused = check.refused("editMessageText", forcing).await;
    assert_eq!(refused, "400 Bad Request: inline keyboard expected");
}

#[tokio::test]
async fn deleting_has_its_bounds() {
    let check = Check::start().await;
    let thread = check.topic("Topic").await;
    let own = check.question().await;
    let delete = |id: i64| json!({ "chat_id": FORUM, "message_id": id });
    for (id, refusal) in
        [(0, "message identifier is not specified"), (999, "message to delete not found"), (thread, "message can't be deleted")]
    {
        let refused = check.refused("deleteMessage", delete(id)).await;
        assert_eq!(refused, format!("400 Bad Request: {refusal}"));
    }
    check.done("deleteMessage", delete(own)).await;
    check.telegram.demote_bot(super::super::OWNER);
    let old = check.question().await;
    check.telegram.age(49 * 3600);
    let refused = check.refused("deleteMessage", delete(old)).await;
    assert_eq!(refused, "400 Bad Request: message can't be deleted");
}

#[tokio::test]
async fn replies_need_their_message() {
    let check = Check::start().await;
    let thread = check.topic("Topic").await;
    let text = check.telegram.write_in_topic(thread, "Hello").unwrap();
    let reply = |id: i64| json!({ "reply_parameters": { "message_id": id } });
    assert_eq!(refused_text(&check, reply(999)).await, "message to be replied not found");
    let mut call = json!({ "chat_id": FORUM, "text": "Hi" });
    call["reply_parameters"] = json!({ "message_id": text });
    let sent = check.done("sendMessage", call.clone()).await;
    assert_eq!(sent["reply_to_message"]["message_id"], text);
    assert_eq!(sent["message_thread_id"], thread, "a reply goes where its message is");
    call["reply_parameters"] = json!({ "message_id": 999, "allow_sending_without_reply": true });
    let sent = check.done("sendMessage", call).await;
    assert!(sent.get("reply_to_message").is_none());
}

#[tokio::test]
async fn documents_come_whole_and_captions_are_bounded() {
    let check = Check::start().await;
    let part = |content: &str| reqwest::multipart::Part::bytes(content.as_bytes().to_vec()).file_name("question.md");
    let form = |caption: String, content: &str| {
        reqwest::multipart::Form::new()
            .text("chat_id", FORUM.to_string())
            .text("document", "attach://file0")
            .text("caption", caption)
            .part("file0", part(content))
    };
    let send = async |form| {
        let request = check.client.post(check.url("sendDocument")).multipart(form);
        request.send().await.unwrap().json::<Value>().await.unwrap()
    };
    let sent = send(form("The whole".into(), "Everything")).await;
    assert_eq!(sent["result"]["document"]["file_name"], "question.md");
    let id = sent["result"]["message_id"].as_i64().unwrap();
    let message = check.telegram.message(FORUM, id).unwrap();
    assert_eq!(message.document.unwrap().content, b"Everything");
    assert_eq!(message.caption.unwrap(), "The whole");
    let too_long = send(form("x".repeat(1025), "Everything")).await;
    assert_eq!(too_long["description"], "Bad Request: message caption is too long");
    let empty = send(form(String::new(), "")).await;
    assert_eq!(empty["description"], "Bad Request: file must be non-empty");
    let refused = check.refused("sendDocument", json!({ "chat_id": FORUM })).await;
    assert_eq!(refused, "400 Bad Request: there is no document in the request");
    let edit = json!({ "chat_id": FORUM, "message_id": id, "text": "New" });
    let refused = check.refused("editMessageText", edit).await;
    assert_eq!(refused, "400 Bad Request: there is no text in the message to edit");
}

#[tokio::test]
async fn reactions_are_of_the_list() {
    let check = Check::start().await;
    let theirs = check.telegram.write(Written::text("Hello").by(STRANGER)).unwrap();
    let react = |id: i64, emoji: &str| {
        json!({ "chat_id": FORUM, "message_id": id,
                "reaction": [{ "type": "emoji", "emoji": emoji }] })
    };
    for emoji in ["👍", "👀", "👀", "✍\u{fe0f}"] {
        check.done("setMessageReaction", react(theirs, emoji)).await;
    }
    assert_eq!(check.telegram.message(FORUM, theirs).unwrap().reactions, ["✍"]);
    for emoji in ["✅", "❌", "❓"] {
        let refused = check.refused("setMessageReaction", react(theirs, emoji)).await;
        assert_eq!(refused, "400 Bad Request: REACTION_INVALID");
    }
    let refused = check.refused("setMessageReaction", react(999, "👍")).await;
    assert_eq!(refused, "400 Bad Request: message to react not found");
    let mut odd = react(theirs, "👍");
    odd["reaction"][0]["type"] = "smile".into();
    assert!(check.refused("setMessageReaction", odd).await.contains("can't parse ReactionType"));
    check.telegram.set_reactions(FORUM, Some(&["❤"]));
    let refused = check.refused("setMessageReaction", react(theirs, "👍")).await;
    assert_eq!(refused, "400 Bad Request: REACTION_INVALID");
    check.done("setMessageReaction", json!({ "chat_id": FORUM, "message_id": theirs })).await;
    assert!(check.telegram.message(FORUM, theirs).unwrap().reactions.is_empty());
}

#[tokio::test]
async fn a_group_takes_twenty_writing_calls_a_minute() {
    let check = Check::start().await;
    let text = json!({ "chat_id": FORUM, "text": "Hello" });
    let thread = check.topic("Topic").await;
    let icon = json!({ "chat_id": FORUM, "message_thread_id": thread, "name": "New" });
    check.done("editForumTopic", icon.clone()).await;
    check.refused("editForumTopic", icon).await;
    for _ in 0..17 {
        check.done("sendMessage", text.clone()).await;
    }
    let request = check.client.post(check.url("sendMessage")).json(&text);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 429);
    let header: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["parameters"]["retry_after"], header);
    assert_eq!(body["description"], format!("Too Many Requests: retry after {header}"));
    assert!((50..=60).contains(&header), "{header}");
    check.telegram.age(60);
    check.done("sendMessage", text.clone()).await;
    check.telegram.set_group_budget(1);
    check.refused("sendMessage", text.clone()).await;
    check.telegram.enforce_flood(false);
    check.done("sendMessage", text).await;
}

#[tokio::test]
async fn commands_are_checked_and_kept() {
    let check = Check::start().await;
    let one = |name: &str, about: &str| json!({ "commands": [{ "command": name, "description": about }] });
    check.done("setMyCommands", one("help", "What there is")).await;
    let kept = check.done("getMyCommands", json!({})).await;
    assert_eq!(kept, json!([{ "command": "help", "description": "What there is" }]));
    for (commands, refusal) in [(one("Help!", "x"), "BOT_COMMAND_INVALID"), (one("help", ""), "BOT_COMMAND_DESCRIPTION_INVALID")]
    {
        let refused = check.refused("setMyCommands", commands).await;
        assert_eq!(refused, format!("400 Bad Request: {refusal}"));
    }
}

#[tokio::test]
async fn a_menu_belongs_to_its_scope_and_a_scope_is_checked() {
    let check = Check::start().await;
    let scoped = |scope: Value| json!({ "commands": [{ "command": "help", "description": "x" }], "scope": scope });
    check.done("setMyCommands", scoped(json!({ "type": "chat", "chat_id": FORUM }))).await;
    let kept = check.done("getMyCommands", json!({ "scope": { "type": "chat", "chat_id": FORUM } })).await;
    assert_eq!(kept.as_array().unwrap().len(), 1);
    assert_eq!(check.done("getMyCommands", json!({})).await, json!([]));
    for (scope, refusal) in [
        (json!({ "type": "chat", "chat_id": -5 }), "chat not found"),
        (json!({ "type": "planet" }), "can't parse BotCommandScope: unsupported type specified"),
    ] {
        let refused = check.refused("setMyCommands", scoped(scope)).await;
        assert_eq!(refused, format!("400 Bad Request: {refusal}"));
    }
}
