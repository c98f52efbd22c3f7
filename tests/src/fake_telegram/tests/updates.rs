//! Polling: offsets, kinds, waiting, conflicts, and how long updates live.

use serde_json::{Value, json};

use super::super::{BOT, FORUM, OWNER};
use super::Check;

async fn poll(check: &Check, parameters: Value) -> Vec<Value> {
    check.done("getUpdates", parameters).await.as_array().unwrap().clone()
}

#[tokio::test]
async fn an_offset_confirms_what_lies_below() {
    let check = Check::start().await;
    for text in ["one", "two", "three"] {
        check.telegram.write_in_general(text).unwrap();
    }
    let first = poll(&check, json!({ "limit": 1, "timeout": 3 })).await;
    assert_eq!(first.len(), 1);
    let next = first[0]["update_id"].as_i64().unwrap() + 1;
    let rest = poll(&check, json!({ "offset": next, "timeout": 3 })).await;
    let texts: Vec<_> = rest.iter().map(|update| &update["message"]["text"]).collect();
    assert_eq!(texts, ["two", "three"]);
    let far = poll(&check, json!({ "offset": next + 100, "timeout": 3 })).await;
    assert_eq!(far.len(), 2, "an offset far beyond the newest confirms nothing");
    let last = poll(&check, json!({ "offset": -1, "timeout": 3 })).await;
    assert_eq!(last[0]["message"]["text"], "three");
    assert_eq!(check.telegram.waiting_updates().len(), 1);
}

#[tokio::test]
async fn a_waiting_poll_ends_with_the_first_update() {
    let check = Check::start().await;
    let (updates, ()) = tokio::join!(poll(&check, json!({ "timeout": 50 })), async {
        check.telegram.wait_for("poll", |state| (!state.calls.is_empty()).then_some(())).await.unwrap();
        check.telegram.write_in_general("Hello").unwrap();
    });
    assert_eq!(updates[0]["message"]["text"], "Hello");
    assert_eq!(check.telegram.finished_polls(), 1);
}

#[tokio::test]
async fn the_older_of_two_pollers_is_sent_away() {
    let check = Check::start().await;
    let older = async { check.refused("getUpdates", json!({ "timeout": 50 })).await };
    let newer = async {
        check.telegram.wait_for("poll", |state| (!state.calls.is_empty()).then_some(())).await.unwrap();
        poll(&check, json!({ "offset": 1, "timeout": 50 })).await
    };
    let after = async {
        check.telegram.wait_for_call("getUpdates", |_| true).await.unwrap();
        check.telegram.write_in_general("Hello").unwrap();
    };
    let (older, newer, ()) = tokio::join!(older, newer, after);
    assert_eq!(
        older,
        "409 Conflict: terminated by other getUpdates request; make sure that only one bot \
         instance is running"
    );
    assert_eq!(newer.len(), 1);
}

#[tokio::test]
async fn a_webhook_forbids_polls_and_ends_a_waiting_one() {
    let check = Check::start().await;
    let waiting = check.refused("getUpdates", json!({ "timeout": 50 }));
    let set = async {
        check.telegram.wait_for("poll", |state| (!state.calls.is_empty()).then_some(())).await.unwrap();
        check.done("setWebhook", json!({ "url": "https://pager.example:8443/hook" })).await;
    };
    let (waiting, ()) = tokio::join!(waiting, set);
    assert_eq!(waiting, "409 Conflict: terminated by setWebhook request");
    check.telegram.age(10);
    assert_eq!(
        check.refused("getUpdates", json!({})).await,
        "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to \
         delete the webhook first"
    );
    check.telegram.write_in_general("kept").unwrap();
    let info = check.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["url"], "https://pager.example:8443/hook");
    assert_eq!(info["pending_update_count"], 1);
    check.done("deleteWebhook", json!({})).await;
    assert_eq!(poll(&check, json!({ "timeout": 3 })).await.len(), 1);
}

#[tokio::test]
async fn webhooks_are_checked() {
    let check = Check::start().await;
    let url = "https://pager.example/hook";
    for (call, refusal) in [
        (json!({ "url": "http://pager.example" }), "bad webhook: An HTTPS URL must be provided for webhook"),
        (json!({ "url": "https://pager.example:9000" }), "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"),
        (json!({ "url": url, "secret_token": "x".repeat(257) }), "secret token is too long"),
        (json!({ "url": url, "secret_token": "a b" }), "secret token contains unallowed characters"),
    ] {
        let refused = check.refused("setWebhook", call).await;
        assert_eq!(refused, format!("400 Bad Request: {refusal}"));
    }
}

#[tokio::test]
async fn the_kinds_asked_for_are_remembered_and_the_rest_is_never_queued() {
    let check = Check::start().await;
    let message = check.question().await;
    let only = json!({ "timeout": 0, "allowed_updates": ["callback_query", "no_such_kind"] });
    check.telegram.press(message, 0).unwrap();
    poll(&check, only).await;
    check.telegram.write_in_general("unheard").unwrap();
    check.telegram.press(message, 1).unwrap();
    let updates = poll(&check, json!({ "offset": -5 })).await;
    assert_eq!(updates.len(), 2);
    assert!(updates.iter().all(|update| update.get("callback_query").is_some()));
    let info = check.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["allowed_updates"], json!(["callback_query"]));
}

#[tokio::test]
async fn presses_live_150_seconds_and_messages_a_day() {
    let check = Check::start().await;
    let message = check.question().await;
    check.telegram.press(message, 0).unwrap();
    check.telegram.write_in_general("Hello").unwrap();
    check.telegram.age(151);
    let updates = poll(&check, json!({ "offset": 1 })).await;
    assert_eq!(updates.len(), 1);
    assert_eq!(updates[0]["message"]["text"], "Hello");
    check.telegram.age(24 * 3600);
    let info = check.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["pending_update_count"], 0);
}

#[tokio::test]
async fn a_bot_hears_of_its_own_service_messages_and_of_no_others() {
    let check = Check::start().await;
    let thread = check.topic("Topic").await;
    check.question().await;
    check.done("closeForumTopic", json!({ "chat_id": FORUM, "message_thread_id": thread })).await;
    let updates = check.telegram.waiting_updates();
    assert_eq!(updates.len(), 2, "{updates:?}");
    assert_eq!(updates[0]["message"]["forum_topic_created"]["name"], "Topic");
    assert_eq!(updates[0]["message"]["from"]["id"], BOT);
    assert_eq!(updates[1]["message"]["forum_topic_closed"], json!({}));
}

#[tokio::test]
async fn an_update_comes_again_with_its_id_when_replayed() {
    let check = Check::start().await;
    check.telegram.write_in_general("Hello").unwrap();
    let id = check.telegram.waiting_updates()[0]["update_id"].as_i64().unwrap();
    assert!(poll(&check, json!({ "offset": id + 1, "limit": 5, "timeout": 1 })).await.is_empty());
    check.telegram.replay(id).unwrap();
    let again = poll(&check, json!({ "offset": id + 1, "timeout": 9 })).await;
    assert_eq!(again[0]["update_id"], id);
    assert!(check.telegram.waiting_updates().is_empty());
    assert!(check.telegram.replay(1).is_err());
    let raw = check.telegram.inject(json!({ "message": { "message_id": 5 } }));
    assert_eq!(raw, id + 1);
}

#[tokio::test]
async fn the_bot_is_told_when_its_rights_change() {
    let check = Check::start().await;
    check.telegram.demote_bot(OWNER);
    let update = check.telegram.waiting_updates().pop().unwrap();
    let member = &update["my_chat_member"]["new_chat_member"];
    assert_eq!((&member["status"], &member["can_manage_topics"]), (&json!("administrator"), &json!(false)));
    check.telegram.kick_bot(OWNER);
    check.telegram.write_in_general("unheard").unwrap();
    let update = check.telegram.waiting_updates().pop().unwrap();
    assert_eq!(update["my_chat_member"]["new_chat_member"]["status"], "kicked");
}
