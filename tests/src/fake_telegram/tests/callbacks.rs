//! Presses and their answers.

use serde_json::json;

use super::super::{FORUM, STRANGER};
use super::Check;

const TOO_OLD: &str = "400 Bad Request: query is too old and response timeout expired or query ID is invalid";

#[tokio::test]
async fn a_press_is_answered_once() {
    let check = Check::start().await;
    let message = check.question().await;
    let id = check.telegram.press(message, "Yes").unwrap();
    let update = check.telegram.waiting_updates().pop().unwrap();
    assert_eq!(update["callback_query"]["data"], "yes");
    assert_eq!(update["callback_query"]["from"]["id"], 4242);
    assert_eq!(update["callback_query"]["message"]["message_id"], message);
    let answer = json!({ "callback_query_id": id, "text": "Saved", "show_alert": true });
    check.done("answerCallbackQuery", answer.clone()).await;
    assert!(check.telegram.wait_for_callback_answer(&id).await.unwrap().show_alert);
    let answered = check.telegram.answered_callbacks();
    assert_eq!(answered[0].answer.as_ref().unwrap().text, "Saved");
    assert_eq!(check.refused("answerCallbackQuery", answer).await, TOO_OLD);
}

#[tokio::test]
async fn unknown_late_and_wordy_answers_are_refused() {
    let check = Check::start().await;
    let message = check.question().await;
    let unknown = json!({ "callback_query_id": "12" });
    assert_eq!(check.refused("answerCallbackQuery", unknown).await, TOO_OLD);
    let late = check.telegram.press(message, 0).unwrap();
    let wordy = json!({ "callback_query_id": late, "text": "x".repeat(201) });
    let refused = check.refused("answerCallbackQuery", wordy).await;
    assert_eq!(refused, "400 Bad Request: MESSAGE_TOO_LONG");
    check.telegram.age(30);
    let late = json!({ "callback_query_id": late });
    assert_eq!(check.refused("answerCallbackQuery", late).await, TOO_OLD);
}

#[tokio::test]
async fn a_button_must_be_there_unless_its_data_is_forged() {
    let check = Check::start().await;
    let message = check.question().await;
    assert!(check.telegram.press(message, "Perhaps").is_err());
    assert!(check.telegram.press(message, 2).is_err());
    let id = check.telegram.press_data(FORUM, STRANGER, message, "forged");
    assert_eq!(check.telegram.callback(&id).unwrap().data, "forged");
    check.telegram.delete_message(FORUM, message);
    check.telegram.press_data(FORUM, STRANGER, message, "late");
    let update = check.telegram.waiting_updates().pop().unwrap();
    let seen = &update["callback_query"]["message"];
    assert_eq!(seen["date"], 0, "an inaccessible message");
    assert!(seen.get("message_thread_id").is_none());
}
