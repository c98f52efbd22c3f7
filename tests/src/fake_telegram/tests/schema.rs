//! Every object the fake gives against the published Bot API, where its description is at hand.

use std::path::Path;

use serde_json::{Value, json};

use super::super::{BOT, FORUM, OWNER, STRANGER, Standing, media};
use super::{Check, keyboard};

/// The published API as data; it lies beside the workspace and may be missing.
fn published() -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/telegram/api.json");
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// What is wrong with a value that should be of one of these types.
fn fault(api: &Value, types: &[Value], value: &Value, at: &str) -> Option<String> {
    let faults: Vec<_> = types.iter().map(|name| fault_of_one(api, name.as_str().unwrap(), value, at)).collect();
    if faults.iter().any(Option::is_none) { None } else { faults.into_iter().next()? }
}

fn fault_of_one(api: &Value, name: &str, value: &Value, at: &str) -> Option<String> {
    let wrong = |is_right: bool| (!is_right).then(|| format!("{at}: no {name}: {value}"));
    if let Some(inner) = name.strip_prefix("Array of ") {
        let Some(list) = value.as_array() else { return wrong(false) };
        return list.iter().find_map(|value| fault_of_one(api, inner, value, at));
    }
    match name {
        "Integer" => return wrong(value.is_i64()),
        "String" => return wrong(value.is_string()),
        "Boolean" => return wrong(value.is_boolean()),
        "True" => return wrong(*value == json!(true)),
        "Float" => return wrong(value.is_number()),
        _ => {}
    }
    let described = &api["types"][name];
    if let Some(kinds) = described["subtypes"].as_array() {
        return fault(api, kinds, value, at);
    }
    let Some(given) = value.as_object() else { return wrong(false) };
    let none = Vec::new();
    let fields = described["fields"].as_array().unwrap_or(&none);
    for field in fields {
        let key = field["name"].as_str().unwrap();
        match given.get(key) {
            Some(value) => {
                let inner = format!("{at}.{key}");
                let types = field["types"].as_array().unwrap();
                if let Some(fault) = fault(api, types, value, &inner) {
                    return Some(fault);
                }
            }
            None if field["required"] == true => return Some(format!("{at}: no {name}.{key}")),
            None => {}
        }
    }
    let unknown = given.keys().find(|key| !fields.iter().any(|field| field["name"] == **key))?;
    Some(format!("{at}: {name} has no field {unknown}"))
}

#[tokio::test]
async fn every_result_is_as_published() {
    let Some(api) = published() else { return };
    let check = Check::start().await;
    let telegram = &check.telegram;
    let expect = async |method: &str, parameters: Value| {
        let result = check.done(method, parameters).await;
        let types = api["methods"][method]["returns"].as_array().unwrap();
        assert_eq!(fault(&api, types, &result, method), None);
        result
    };
    let thread = expect(
        "createForumTopic",
        json!({
            "chat_id": FORUM, "name": "Topic", "icon_custom_emoji_id": "5377316857231450742",
        }),
    )
    .await["message_thread_id"]
        .as_i64()
        .unwrap();
    let topic = json!({ "chat_id": FORUM, "message_thread_id": thread });
    let message = expect(
        "sendMessage",
        json!({
            "chat_id": FORUM, "message_thread_id": thread, "text": "Deploy?",
            "entities": [{ "type": "bold", "offset": 0, "length": 6 }],
            "link_preview_options": { "is_disabled": true },
            "reply_markup": keyboard(&["Yes", "No"]),
        }),
    )
    .await["message_id"]
        .as_i64()
        .unwrap();
    let of_message = json!({ "chat_id": FORUM, "message_id": message, "text": "Done" });
    for user in [BOT, OWNER, STRANGER] {
        expect("getChatMember", json!({ "chat_id": FORUM, "user_id": user })).await;
    }
    expect("getMe", json!({})).await;
    expect("getForumTopicIconStickers", json!({})).await;
    telegram.set_reactions(FORUM, Some(&["👍"]));
    expect("getChat", json!({ "chat_id": FORUM })).await;
    let press = telegram.press(message, "Yes").unwrap();
    expect("answerCallbackQuery", json!({ "callback_query_id": press })).await;
    expect("editMessageText", of_message.clone()).await;
    let mut markup = of_message.clone();
    markup["reply_markup"] = keyboard(&["Again"]);
    expect("editMessageReplyMarkup", markup).await;
    let form = reqwest::multipart::Form::new()
        .text("chat_id", FORUM.to_string())
        .part("document", reqwest::multipart::Part::bytes(b"text".to_vec()).file_name("a.md"));
    let sent = check.client.post(check.url("sendDocument")).multipart(form).send().await.unwrap();
    let sent: Value = sent.json().await.unwrap();
    assert_eq!(fault(&api, &[json!("Message")], &sent["result"], "sendDocument"), None);
    expect("closeForumTopic", topic.clone()).await;
    expect("reopenForumTopic", topic.clone()).await;
    let mut renamed = topic.clone();
    renamed["name"] = "New".into();
    expect("editForumTopic", renamed).await;
    expect("setMyCommands", json!({ "commands": [{ "command": "a", "description": "b" }] })).await;
    expect("getMyCommands", json!({})).await;
    let text = telegram.write_in_topic(thread, "/help me").unwrap();
    telegram.edit(FORUM, text, "Changed").unwrap();
    for written in [media::photo(), media::voice(), media::forwarded("a"), media::by_nobody("a")] {
        telegram.write(written.in_topic(thread)).unwrap();
    }
    for written in [media::by_anonymous_admin("a"), media::by_channel("a")] {
        telegram.write(written).unwrap();
    }
    telegram.delete_message(FORUM, text);
    telegram.press_data(FORUM, OWNER, text, "late");
    for standing in [Standing::Member, Standing::Left, Standing::administrator()] {
        telegram.set_standing(FORUM, BOT, standing, OWNER);
    }
    let updates = expect("getUpdates", json!({ "timeout": 5 })).await;
    assert!(updates.as_array().unwrap().len() > 12);
    expect("deleteForumTopic", topic).await;
    expect("setWebhook", json!({ "url": "https://pager.example/hook" })).await;
    expect("getWebhookInfo", json!({})).await;
    expect("deleteWebhook", json!({})).await;
}
