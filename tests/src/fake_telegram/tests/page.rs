//! The page and the reins over HTTP.

use serde_json::{Value, json};

use super::super::{FORUM, OWNER, STRANGER};
use super::Check;

async fn act(check: &Check, act: &str, body: Value) -> (u16, Value) {
    let url = format!("{}/_fake/{act}", check.telegram.base_url());
    let response = check.client.post(url).json(&body).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

async fn page(check: &Check, path: &str) -> String {
    let url = format!("{}{path}", check.telegram.base_url());
    check.client.get(url).send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn the_page_shows_topics_with_buttons_to_press() {
    let check = Check::start().await;
    let thread = check.topic("Deploy <now>?").await;
    check
        .done(
            "sendMessage",
            json!({
                "chat_id": FORUM, "message_thread_id": thread, "text": "Really & truly?",
                "entities": [{ "type": "bold", "offset": 0, "length": 6 }],
                "reply_markup": super::keyboard(&["Yes", "No"]),
            }),
        )
        .await;
    let html = page(&check, "/").await;
    assert!(html.contains("Deploy &lt;now&gt;?"), "{html}");
    assert!(html.contains("<b>Really</b> &amp; truly?"), "{html}");
    assert!(html.contains("<button>Yes</button>"), "{html}");
    let message = check.telegram.messages_in_topic(thread)[0].id;
    let form = |body: String| {
        let path = if body.contains("data=") { "press" } else { "write" };
        check
            .client
            .post(format!("{}/page/{path}", check.telegram.base_url()))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
    };
    form(format!("user={STRANGER}&message={message}&data=yes")).await.unwrap();
    let press = check.telegram.look(|state| state.callbacks.last().cloned()).unwrap();
    assert_eq!((press.from, press.data.as_str()), (STRANGER, "yes"));
    let shown = form(format!("user={OWNER}&thread={thread}&text=Hello+there")).await.unwrap();
    assert!(shown.text().await.unwrap().contains("Hello there"));
}

#[tokio::test]
async fn everything_can_be_ruled_over_http() {
    let check = Check::start().await;
    let message = check.question().await;
    let thread = check.topic("Topic").await;
    for (name, body) in [
        ("press", json!({ "message": message, "button": "Yes", "user": STRANGER })),
        ("press", json!({ "message": message, "button": 1 })),
        ("press", json!({ "message": message, "data": "forged" })),
        ("write", json!({ "thread": thread, "text": "Blue", "extra": { "via_bot": null } })),
        ("edit", json!({ "message": message, "text": "Changed" })),
        ("close_topic", json!({ "thread": thread })),
        ("reopen_topic", json!({ "thread": thread })),
        ("delete_topic", json!({ "thread": thread })),
        ("open_topic", json!({ "name": "By hand" })),
        ("topics", json!({ "on": false })),
        ("budget", json!({ "calls": 5 })),
        ("fault", json!({ "method": "getMe", "fault": "http502" })),
        ("fault", json!({ "method": "getMe", "fault": { "hang": { "milliseconds": 5 } } })),
        ("clear_faults", json!({})),
        ("release", json!({})),
        ("age", json!({ "seconds": 5 })),
        ("update", json!({ "update": { "message": {} } })),
        ("replay", json!({ "update_id": 700_000_001 })),
        ("bot", json!({ "standing": "demoted" })),
        ("delete_message", json!({ "message": message })),
        ("down", json!({ "on": false })),
    ] {
        let (status, reply) = act(&check, name, body).await;
        assert_eq!(status, 200, "{name}: {reply}");
    }
    let (status, reply) = act(&check, "write", json!({ "txt": "?" })).await;
    assert_eq!(status, 400);
    assert!(reply["error"].as_str().unwrap().contains("txt"), "{reply}");
    let state: Value = serde_json::from_str(&page(&check, "/_fake/state").await).unwrap();
    assert_eq!(state["presses"].as_array().unwrap().len(), 3);
    let calls: Value = serde_json::from_str(&page(&check, "/_fake/calls").await).unwrap();
    assert_eq!(calls[0]["method"], "sendmessage");
}
