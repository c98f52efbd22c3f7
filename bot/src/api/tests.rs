//! Calls against a server that answers once, as told.
#![expect(clippy::unwrap_used, reason = "tests")]

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::*;
use crate::outcome::Kind;
use crate::render::{Button, Document, Message};

const TOKEN: &str = "12345:very-secret";

/// A server that takes one call, answers these bytes and closes; what it was sent comes back.
async fn server(answer: Vec<u8>) -> (Telegram, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/prefix/", listener.local_addr().unwrap())).unwrap();
    let heard = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !is_whole(&request) {
            let mut part = [0; 4096];
            match stream.read(&mut part).await.unwrap() {
                0 => break,
                length => request.extend_from_slice(&part[..length]),
            }
        }
        stream.write_all(&answer).await.unwrap();
        String::from_utf8_lossy(&request).into_owned()
    });
    (Telegram::new(&url, SecretString::from(TOKEN)).unwrap(), heard)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    let body = request.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| request.len() - at - 4);
    length.is_some_and(|length| body >= length)
}

fn http(status: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len()).into_bytes()
}

fn ok(result: Value) -> Vec<u8> {
    http("200 OK", &json!({"ok": true, "result": result}).to_string())
}

fn refusal(status: &str, description: &str) -> Vec<u8> {
    let code: u16 = status.split(' ').next().unwrap().parse().unwrap();
    http(status, &json!({"ok": false, "error_code": code, "description": description}).to_string())
}

fn body(request: &str) -> Value {
    serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn a_message() -> Message {
    let keyboard = vec![vec![Button { label: "Yes".to_owned(), data: "a:x:0".to_owned() }]];
    Message { entities: vec![teloxide::types::MessageEntity::bold(0, 2)], keyboard, ..Message::plain("Hi there") }
}

#[tokio::test]
async fn a_message_is_sent_with_entities_buttons_and_no_preview() {
    let (telegram, heard) = server(ok(json!({"message_id": 5, "message_thread_id": 7, "is_topic_message": true}))).await;
    let sent = telegram.send(-1001, Some(7), &a_message()).await.unwrap();
    assert_eq!(sent, Sent { message_id: 5, thread: Some(7) });
    let request = heard.await.unwrap();
    assert!(request.starts_with("POST /prefix/bot12345:very-secret/sendMessage HTTP/1.1"), "{request}");
    let expected = json!({
        "chat_id": -1001,
        "message_thread_id": 7,
        "text": "Hi there",
        "entities": [{"type": "bold", "offset": 0, "length": 2}],
        "link_preview_options": {"is_disabled": true},
        "reply_markup": {"inline_keyboard": [[{"text": "Yes", "callback_data": "a:x:0"}]]},
    });
    assert_eq!(body(&request), expected);
}

#[tokio::test]
async fn a_message_that_landed_outside_of_its_topic_says_so() {
    let (telegram, _heard) = server(ok(json!({"message_id": 5, "message_thread_id": 7}))).await;
    assert_eq!(telegram.send(-1001, Some(7), &a_message()).await.unwrap().thread, None);
}

#[tokio::test]
async fn an_edit_without_buttons_takes_the_keyboard_away() {
    let (telegram, heard) = server(ok(json!(true))).await;
    telegram.edit(-1001, 5, &Message::plain("x")).await.unwrap();
    assert_eq!(body(&heard.await.unwrap())["reply_markup"], json!({"inline_keyboard": []}));
}

#[tokio::test]
async fn what_is_so_already_is_success() {
    let (telegram, _heard) = server(refusal("400 Bad Request", "Bad Request: message is not modified: specified …")).await;
    assert_eq!(telegram.edit(-1001, 5, &Message::plain("x")).await, Ok(()));
    let (telegram, _heard) = server(refusal("400 Bad Request", "Bad Request: TOPIC_NOT_MODIFIED")).await;
    assert_eq!(telegram.edit_topic_icon(-1001, 7, "5").await, Ok(()));
}

#[tokio::test]
async fn a_deleted_topic_is_told_by_its_text() {
    let (telegram, _heard) = server(refusal("400 Bad Request", "Bad Request: message thread not found")).await;
    let failure = telegram.send(-1001, Some(7), &a_message()).await.unwrap_err();
    assert_eq!(failure.kind(), Some(&Kind::ThreadNotFound));
}

#[tokio::test]
async fn a_document_goes_as_a_file_in_reply_to_its_question() {
    let (telegram, heard) = server(ok(json!({"message_id": 6}))).await;
    let document = Document { name: "question-a.txt".to_owned(), bytes: b"the whole".to_vec(), caption: "sha256:0".to_owned() };
    telegram.send_document(-1001, Some(7), Some(5), &document).await.unwrap();
    let request = heard.await.unwrap();
    for part in ["filename=\"question-a.txt\"", "the whole", "sha256:0", "\"message_id\":5", "name=\"message_thread_id\""] {
        assert!(request.contains(part), "{part} in {request}");
    }
}

#[tokio::test]
async fn updates_come_raw_and_are_asked_for_by_name() {
    let update = json!({"update_id": 9, "message": {"text": "x", "unheard_of": [1]}});
    let (telegram, heard) = server(ok(json!([update.clone()]))).await;
    let updates = telegram.get_updates(Some(9), 25, &crate::intake::ALLOWED_UPDATES).await.unwrap();
    assert_eq!(updates, [update]);
    let allowed = ["message", "edited_message", "callback_query", "my_chat_member"];
    let expected = json!({"offset": 9, "limit": 100, "timeout": 25, "allowed_updates": allowed});
    assert_eq!(body(&heard.await.unwrap()), expected);
}

#[tokio::test]
async fn a_success_that_cannot_be_read_may_have_happened() {
    for result in [json!({"message_id": 0}), json!(true), json!([])] {
        let (telegram, _heard) = server(ok(result)).await;
        assert!(matches!(telegram.send(-1001, None, &a_message()).await, Err(Failure::Unknown { .. })));
    }
    let (telegram, _heard) = server(ok(json!({"name": "q"}))).await;
    assert!(matches!(telegram.create_topic(-1001, "q", None).await, Err(Failure::Unknown { .. })));
}

#[tokio::test]
async fn a_connection_that_breaks_off_after_the_call_was_sent_may_have_happened() {
    for answer in
        [Vec::new(), b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"ok\"".to_vec(), http("502 Bad Gateway", "<html>")]
    {
        let (telegram, _heard) = server(answer).await;
        assert!(matches!(telegram.send(-1001, None, &a_message()).await, Err(Failure::Unknown { .. })));
    }
}

#[tokio::test]
async fn a_call_that_gets_no_answer_ends_by_itself_and_may_have_happened() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let patience = std::time::Duration::from_millis(50);
    let telegram = Telegram::new(&url, SecretString::from(TOKEN)).unwrap().with_patience(patience);
    let failure = telegram.get_updates(None, 0, &[]).await.unwrap_err();
    assert_eq!(failure, Failure::Unknown { reason: "no answer in time".to_owned() });
}

#[tokio::test]
async fn nobody_there_is_not_applied() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let telegram = Telegram::new(&url, SecretString::from(TOKEN)).unwrap();
    let failure = telegram.send(-1001, None, &a_message()).await.unwrap_err();
    assert!(matches!(failure, Failure::NotApplied { retry_after: None, .. }), "{failure:?}");
}

#[tokio::test]
async fn the_token_is_in_no_error_and_cannot_be_printed() {
    let base = Url::parse("http://127.0.0.1:1/").unwrap();
    let unreachable = Telegram::new(&base, SecretString::from(TOKEN)).unwrap();
    let (broken, _heard) = server(Vec::new()).await;
    for telegram in [unreachable, broken] {
        let failure = telegram.get_me().await.unwrap_err();
        for text in [format!("{failure} {failure:?}"), format!("{telegram:?}")] {
            assert!(!text.contains("very-secret") && !text.contains("127.0.0.1"), "{text}");
        }
    }
}

#[tokio::test]
async fn an_address_that_takes_no_path_is_refused() {
    let telegram = Telegram::new(&Url::parse("mailto:x@y.example").unwrap(), SecretString::from(TOKEN)).unwrap();
    assert!(matches!(telegram.get_me().await, Err(Failure::Permanent { .. })));
}

#[tokio::test]
async fn the_right_to_make_topics_is_read_from_the_membership() {
    let (telegram, _heard) = server(ok(json!({"status": "administrator", "can_manage_topics": true, "more": {}}))).await;
    assert!(telegram.get_chat_member(-1001, 99).await.unwrap().makes_topics());
    let (telegram, _heard) = server(ok(json!({"status": "member"}))).await;
    assert!(!telegram.get_chat_member(-1001, 99).await.unwrap().makes_topics());
}

#[test]
fn an_icon_is_found_without_its_variation_selector() {
    let icons: Vec<Icon> = serde_json::from_value(json!([
        {"emoji": "⚡️", "custom_emoji_id": "1"}, {"emoji": "❓", "custom_emoji_id": "2"}, {}
    ]))
    .unwrap();
    assert_eq!(icon_of(&icons, "⚡"), Some("1"));
    assert_eq!(icon_of(&icons, "❓\u{fe0f}"), Some("2"));
    assert_eq!(icon_of(&icons, "✅"), None);
}

#[tokio::test]
async fn a_webhook_is_set_with_its_secret_and_kinds_and_keeps_what_waits() {
    let (telegram, heard) = server(ok(json!(true))).await;
    telegram.set_webhook("https://pager.example/hook", "s-1", 20, &["message"]).await.unwrap();
    let expected = json!({
        "url": "https://pager.example/hook", "secret_token": "s-1", "max_connections": 20, "allowed_updates": ["message"],
        "drop_pending_updates": false,
    });
    assert_eq!(body(&heard.await.unwrap()), expected);
}

#[tokio::test]
async fn what_telegram_tells_of_a_webhook_may_be_little() {
    let (telegram, _) = server(ok(json!({"url": "", "pending_update_count": 3}))).await;
    let info = telegram.webhook_info().await.unwrap();
    assert_eq!((info.url.as_str(), info.pending_update_count, info.last_error_date), ("", 3, None));
}

#[tokio::test]
async fn the_servers_date_comes_with_who_the_bot_is() {
    let body = json!({"ok": true, "result": {"id": 100, "username": "pager_test_bot"}}).to_string();
    for (date, seconds) in [("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)), ("yesterday", None)] {
        let answer =
            format!("HTTP/1.1 200 OK\r\ndate: {date}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
        let (telegram, _heard) = server(answer.into_bytes()).await;
        let (me, time) = telegram.get_me_and_time().await.unwrap();
        assert_eq!((me.id, time.map(jiff::Timestamp::as_second)), (100, seconds), "{date}");
    }
}

#[tokio::test]
async fn whoever_watches_hears_of_each_call_and_how_it_ended() {
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let watch = || -> Watch {
        let heard = Arc::clone(&heard);
        Arc::new(move |method, outcome| {
            heard.lock().unwrap().push((method.to_owned(), outcome.err().and_then(|failure| failure.kind().cloned())));
        })
    };
    let (telegram, _request) = server(ok(json!(true))).await;
    telegram.watched(watch()).delete_webhook().await.unwrap();
    let (telegram, _request) = server(refusal("401 Unauthorized", "Unauthorized")).await;
    telegram.watched(watch()).get_me().await.unwrap_err();
    let expected = [("deleteWebhook".to_owned(), None), ("getMe".to_owned(), Some(Kind::BadToken))];
    assert_eq!(*heard.lock().unwrap(), expected);
}
