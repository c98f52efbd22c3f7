//! Scripted faults as a client meets them.

use std::time::Duration;

use serde_json::json;

use super::super::{FORUM, Fault, Outcome};
use super::Check;

fn text() -> serde_json::Value {
    json!({ "chat_id": FORUM, "text": "Hello" })
}

#[tokio::test]
async fn a_reset_drops_the_connection_before_or_after_the_effect() {
    let check = Check::start().await;
    for (fault, applied) in [(Fault::ResetBefore, 0), (Fault::ResetAfter, 1)] {
        check.telegram.fault("sendMessage", fault);
        let error = check.try_call("sendMessage", text()).await.unwrap_err();
        assert!(error.is_request() && error.status().is_none(), "{error:?}");
        assert!(!error.is_decode() && !error.is_timeout(), "{error:?}");
        assert_eq!(check.telegram.messages(FORUM).len(), applied);
    }
    let spoilt = check.telegram.calls_of("sendmessage").pop().unwrap();
    assert_eq!(spoilt.outcome, Outcome::Spoilt { applied: true });
    check.done("sendMessage", text()).await;
}

#[tokio::test]
async fn a_scripted_status_comes_with_its_seconds_and_only_as_often_as_told() {
    let check = Check::start().await;
    check.telegram.faults("sendMessage", Fault::flood(7), 2);
    for _ in 0..2 {
        let body = check.body("sendMessage", text()).await;
        assert_eq!(body["parameters"]["retry_after"], 7);
    }
    check.done("sendMessage", text()).await;
}

#[tokio::test]
async fn garbage_and_a_proxys_page_are_no_json() {
    let check = Check::start().await;
    for (fault, status) in
        [(Fault::Garbage200 { applied: true }, 200), (Fault::Garbage200 { applied: false }, 200), (Fault::Http502, 502)]
    {
        check.telegram.fault("*", fault);
        let response = check.client.post(check.url("sendMessage")).json(&text()).send().await.unwrap();
        assert_eq!(response.status(), status);
        assert!(response.json::<serde_json::Value>().await.is_err());
    }
    assert_eq!(check.telegram.messages(FORUM).len(), 1);
}

#[tokio::test]
async fn a_hanging_call_goes_on_when_released() {
    let check = Check::start().await;
    for (fault, early) in [(Fault::hang(), 0), (Fault::hang_after(), 1)] {
        let before = check.telegram.messages(FORUM).len();
        check.telegram.fault("sendMessage", fault);
        let (reply, ()) = tokio::join!(check.done("sendMessage", text()), async {
            check
                .telegram
                .wait_for("hanging call", |state| {
                    let is_open = state.calls.last()?.outcome == Outcome::Open;
                    (is_open && state.chats[&FORUM].messages.len() == before + early).then_some(())
                })
                .await
                .unwrap();
            check.telegram.release();
        });
        assert_eq!(reply["text"], "Hello");
        assert_eq!(check.telegram.messages(FORUM).len(), before + 1);
    }
}

#[tokio::test]
async fn a_client_that_gives_up_leaves_a_held_call_undone() {
    let check = Check::start().await;
    check.telegram.fault("sendMessage", Fault::hang());
    let request = check.client.post(check.url("sendMessage")).json(&text());
    let error = request.timeout(Duration::from_millis(100)).send().await.unwrap_err();
    assert!(error.is_timeout());
    check.telegram.wait_for_call("sendMessage", |call| call.outcome == Outcome::Abandoned).await.unwrap();
    check.telegram.release();
    check.done("sendMessage", text()).await;
    assert_eq!(check.telegram.messages(FORUM).len(), 1);
}

#[tokio::test]
async fn a_server_that_is_down_cuts_every_connection() {
    let check = Check::start().await;
    check.telegram.set_down(true);
    assert!(check.try_call("getMe", json!({})).await.is_err());
    check.telegram.set_down(false);
    check.done("getMe", json!({})).await;
}

#[tokio::test]
async fn waiting_in_vain_tells_the_last_calls() {
    let check = Check::start().await;
    check.done("sendMessage", text()).await;
    let error = check.telegram.wait_for_within(Duration::from_millis(20), "miracle", |_| None::<()>).await.unwrap_err();
    assert!(error.to_string().contains("no miracle"), "{error}");
    assert!(error.to_string().contains("sendmessage"), "{error}");
}

#[tokio::test]
async fn a_fault_for_some_words_waits_for_the_call_that_has_them() {
    let check = Check::start().await;
    check.telegram.fault_where("sendMessage", "second", Fault::flood(3));
    check.done("sendMessage", json!({ "chat_id": FORUM, "text": "the first" })).await;
    let body = check.body("sendMessage", json!({ "chat_id": FORUM, "text": "the second" })).await;
    assert_eq!(body["parameters"]["retry_after"], 3);
    check.done("sendMessage", json!({ "chat_id": FORUM, "text": "the second" })).await;
}
