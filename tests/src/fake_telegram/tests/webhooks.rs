//! Delivery to a webhook: the secret, lanes, repetitions, expiry, and calls in a reply.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State as Held;
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::super::{FORUM, OWNER, STRANGER, State};
use super::{Check, keyboard};

/// A webhook of the test's own: what it got, and what it replies with, in order; 200 without a body when nothing is left.
#[derive(Clone, Default)]
struct Hook {
    got: Arc<Mutex<Vec<(String, Value)>>>,
    replies: Arc<Mutex<VecDeque<(u16, String)>>>,
}

impl Hook {
    async fn start(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let router = Router::new().fallback(take).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    fn replies(&self, status: u16, body: &str, times: usize) {
        let mut replies = self.replies.lock().unwrap();
        replies.extend(std::iter::repeat_n((status, body.to_owned()), times));
    }

    fn texts(&self) -> Vec<String> {
        let got = self.got.lock().unwrap();
        let text = |update: &Value| update.pointer("/message/text").or(update.pointer("/callback_query/data")).cloned();
        got.iter().map(|(_, update)| text(update).unwrap_or_default().as_str().unwrap_or_default().to_owned()).collect()
    }
}

async fn take(Held(hook): Held<Hook>, headers: HeaderMap, body: String) -> (StatusCode, String) {
    let secret = headers.get("x-telegram-bot-api-secret-token").map(|value| value.to_str().unwrap().to_owned());
    hook.got.lock().unwrap().push((secret.unwrap_or_default(), serde_json::from_str(&body).unwrap()));
    let (status, body) = hook.replies.lock().unwrap().pop_front().unwrap_or((200, String::new()));
    (StatusCode::from_u16(status).unwrap(), body)
}

async fn set(check: &Check, hook: &Hook) {
    check.telegram.be_kind_about_webhook_urls();
    check.done("setWebhook", json!({ "url": hook.start().await, "secret_token": "s-1" })).await;
}

async fn tries(check: &Check, count: usize) {
    let enough = |state: &State| (state.deliveries.len() >= count).then_some(());
    check.telegram.wait_for(&format!("{count} tries"), enough).await.unwrap();
}

#[tokio::test]
async fn an_update_is_posted_with_the_secret_and_is_gone_once_taken() {
    let (check, hook) = (Check::start().await, Hook::default());
    check.telegram.write_in_general("before").unwrap();
    set(&check, &hook).await;
    check.telegram.write_in_general("after").unwrap();
    tries(&check, 2).await;
    assert_eq!(hook.texts(), ["before", "after"]);
    assert!(hook.got.lock().unwrap().iter().all(|(secret, _)| secret == "s-1"));
    let info = check.done("getWebhookInfo", json!({})).await;
    assert_eq!((&info["pending_update_count"], &info["last_error_message"]), (&json!(0), &Value::Null));
}

#[tokio::test]
async fn a_refused_update_comes_at_once_and_then_after_two_and_four_seconds_and_holds_up_its_chat_alone() {
    let (check, hook) = (Check::start().await, Hook::default());
    let message = check.question().await;
    hook.replies(503, "", 4);
    set(&check, &hook).await;
    check.telegram.write_in_general("first").unwrap();
    tries(&check, 2).await;
    check.telegram.write_in_general("second").unwrap();
    let info = check.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["pending_update_count"], 2);
    assert_eq!(info["last_error_message"], "Wrong response from the webhook: 503 Service Unavailable");
    check.telegram.age(2);
    tries(&check, 3).await;
    check.telegram.age(4);
    tries(&check, 4).await;
    // Presses stand in another lane.
    check.telegram.press(message, "Yes").unwrap();
    tries(&check, 5).await;
    check.telegram.age(8);
    tries(&check, 7).await;
    assert_eq!(hook.texts(), ["first", "first", "first", "first", "yes", "first", "second"]);
}

#[tokio::test]
async fn what_nobody_takes_is_dropped_after_its_time() {
    let (check, hook) = (Check::start().await, Hook::default());
    let message = check.question().await;
    hook.replies(500, "", 4);
    set(&check, &hook).await;
    check.telegram.press_as(FORUM, STRANGER, message, 0).unwrap();
    tries(&check, 2).await;
    check.telegram.age(151);
    check.telegram.press_as(FORUM, OWNER, message, 1).unwrap();
    tries(&check, 4).await;
    assert_eq!(hook.texts(), ["yes", "yes", "no", "no"]);
    check.telegram.age(24 * 3600);
    assert_eq!(check.done("getWebhookInfo", json!({})).await["pending_update_count"], 0);
}

#[tokio::test]
async fn a_call_in_a_reply_is_carried_out_unless_it_changes_how_updates_come() {
    let (check, hook) = (Check::start().await, Hook::default());
    hook.replies(200, &json!({ "method": "deleteWebhook" }).to_string(), 1);
    let call = json!({ "method": "sendMessage", "chat_id": FORUM, "text": "Said in a reply", "reply_markup": keyboard(&["A"]) });
    hook.replies(200, &call.to_string(), 1);
    set(&check, &hook).await;
    check.telegram.write_in_general("one").unwrap();
    check.telegram.write_in_general("two").unwrap();
    let said = |message: &super::super::Message| message.words() == "Said in a reply";
    check.telegram.wait_for_message("message of a reply", said).await.unwrap();
    assert!(check.telegram.calls_of("deleteWebhook").is_empty());
    assert_ne!(check.done("getWebhookInfo", json!({})).await["url"], "");
}

#[tokio::test]
async fn plain_http_and_a_second_call_within_a_second_are_refused() {
    let check = Check::start().await;
    let plain = json!({ "url": "http://127.0.0.1:9/hook" });
    let refusal = "400 Bad Request: bad webhook: An HTTPS URL must be provided for webhook";
    assert_eq!(check.refused("setWebhook", plain.clone()).await, refusal);
    check.telegram.be_kind_about_webhook_urls();
    assert_eq!(check.refused("setWebhook", json!({ "url": "http://pager.example/hook" })).await, refusal);
    check.done("setWebhook", plain.clone()).await;
    assert!(check.refused("setWebhook", plain.clone()).await.starts_with("429 "));
    check.telegram.age(1);
    check.done("setWebhook", plain).await;
}

#[tokio::test]
async fn a_webhook_elsewhere_or_behind_a_closed_port_fails_with_its_reason() {
    let check = Check::start().await;
    check.telegram.be_kind_about_webhook_urls();
    check.telegram.write_in_general("kept").unwrap();
    for (url, why) in [
        ("https://pager.example/hook", "Failed to resolve host: Name or service not known"),
        ("http://127.0.0.1:1/hook", "Connection refused"),
    ] {
        check.telegram.age(2);
        let before = check.telegram.deliveries().len();
        check.done("setWebhook", json!({ "url": url })).await;
        tries(&check, before + 2).await;
        let info = check.done("getWebhookInfo", json!({})).await;
        assert_eq!((&info["last_error_message"], &info["pending_update_count"]), (&json!(why), &json!(1)));
    }
}
