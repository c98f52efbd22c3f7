//! Events that are dispatched, and the Apps that hear of them.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::{Value, json};

use super::super::{Progress, Rights, signature};
use super::{ANSWERS, Check};
use crate::keys::Key;

#[tokio::test]
async fn a_dispatch_is_taken_without_a_word_and_kept() {
    let check = Check::start().await;
    let body = json!({ "event_type": "pager-ask", "client_payload": { "pager": { "id": "a" } } });
    let reply = check.call("POST", "/dispatches", body).await;
    assert_eq!((reply.status, reply.text.as_str()), (204, ""));
    assert_eq!(check.call("POST", "/dispatches", json!({ "event_type": "bare" })).await.status, 204);
    let events = check.github.events();
    assert_eq!((events[0].event_type.as_str(), &events[0].client_payload), ("pager-ask", &json!({ "pager": { "id": "a" } })));
    assert_eq!((events[0].sender.login.as_str(), &events[1].client_payload), ("me", &json!({})));
    assert_eq!(check.github.wait_for_event("bare", 0).await.unwrap(), events[1]);
}

#[tokio::test]
async fn a_dispatch_beyond_githubs_bounds_is_refused() {
    let check = Check::start().await;
    let dispatch = async |body: Value| check.call("POST", "/dispatches", body).await.told();
    let many =
        |count: usize| -> Value { (0..count).map(|n| (n.to_string(), json!(n))).collect::<serde_json::Map<_, _>>().into() };
    assert_eq!(dispatch(json!({})).await, "422 Invalid request.\n\n\"event_type\" wasn't supplied.");
    assert_eq!(
        dispatch(json!({ "event_type": "a".repeat(101) })).await,
        "422 Invalid request.\n\nOnly 100 characters are allowed; 101 were supplied."
    );
    assert_eq!(
        dispatch(json!({ "event_type": "a", "client_payload": many(11) })).await,
        "422 Invalid request.\n\nNo more than 10 properties are allowed; 11 were supplied."
    );
    assert_eq!(
        dispatch(json!({ "event_type": "a", "client_payload": [] })).await,
        "422 Invalid request.\n\nFor 'client_payload', [] is not an object."
    );
    let text = |length: usize| json!({ "event_type": "a", "client_payload": { "t": "a".repeat(length) } });
    assert_eq!(dispatch(text(65_528)).await, "422 client_payload is too large.");
    assert!(check.github.events().is_empty());
    assert_eq!(dispatch(text(65_527)).await, "204 ");
    assert_eq!(dispatch(json!({ "event_type": "a", "client_payload": many(10) })).await, "204 ");
}

#[tokio::test]
async fn dispatching_needs_the_right_to_write() {
    let check = Check::start().await;
    check.github.set_rights(&check.token, ANSWERS, Some(Rights::read()));
    let reply = check.call("POST", "/dispatches", json!({ "event_type": "a" })).await;
    assert_eq!(reply.told(), "403 Resource not accessible by personal access token");
    assert_eq!(reply.header("x-accepted-github-permissions"), "contents=write");
}

type Heard = Arc<Mutex<Vec<(HeaderMap, Bytes)>>>;

async fn listener() -> (String, Heard) {
    let heard = Heard::default();
    let keeping = Arc::clone(&heard);
    let hook = post(move |headers: HeaderMap, body: Bytes| async move {
        keeping.lock().unwrap().push((headers, body));
        "heard"
    });
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", socket.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(socket, Router::new().route("/hook", hook)).await });
    (url, heard)
}

#[tokio::test]
async fn an_app_hears_of_a_dispatch_once_signed_and_again_under_the_same_id() {
    let check = Check::start().await;
    let (url, heard) = listener().await;
    let app = check.github.add_app("pager", Key::number(0), &[(ANSWERS, Rights::read())]);
    check.github.set_hook(app, &url, "secret");
    let answered = async |count: usize| {
        let done = |state: &super::super::State| {
            let done = state.deliveries.iter().filter(|it| it.progress == Progress::Answered(200, "heard".to_owned()));
            (done.count() == count).then_some(())
        };
        check.github.wait_for("delivery", done).await.unwrap();
    };
    answered(1).await;
    let body = json!({ "event_type": "pager-ask", "client_payload": { "pager": "ä" } });
    assert_eq!(check.call("POST", "/dispatches", body).await.status, 204);
    answered(2).await;
    let guid = check.github.deliveries()[1].guid.clone();
    check.github.redeliver(&guid);
    answered(3).await;
    let heard = heard.lock().unwrap().clone();
    let event = |place: usize| heard[place].0["x-github-event"].to_str().unwrap();
    assert_eq!((event(0), event(1), event(2)), ("ping", "repository_dispatch", "repository_dispatch"));
    let (headers, bytes) = &heard[1];
    assert_eq!(headers["x-hub-signature-256"], signature("secret", bytes));
    assert_eq!((&headers["x-github-delivery"], &heard[2].0["x-github-delivery"]), (&guid, &guid));
    let payload: Value = serde_json::from_slice(bytes).unwrap();
    assert_eq!((&payload["action"], &payload["client_payload"]), (&json!("pager-ask"), &json!({ "pager": "ä" })));
    assert_eq!(payload["repository"]["id"], check.github.repository_id(ANSWERS));
    assert_eq!(payload["sender"]["id"], check.github.user_id("me"));
    assert!(payload["installation"]["id"].is_u64());
}

#[test]
fn the_signature_is_githubs() {
    let published = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    assert_eq!(signature("It's a Secret to Everybody", b"Hello, World!"), published);
}
