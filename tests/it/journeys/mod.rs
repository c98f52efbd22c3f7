//! Whole ways, from asking to the exit code. Across two machines that cannot reach each other, where the agent asks on one,
//! pagerd runs on the other and nothing listens on an open port; and on one machine through every door.

mod catchup;
mod everywhere;
mod git;
mod github;
mod outage;
mod purposes;
mod silence;

use pager_tests::fake_telegram::FakeTelegram;
use serde_json::Value;

use crate::world::Ended;

const ASK: [&str; 8] = ["new", "Release 2.4 now?", "-o", "yes=Yes, release", "-o", "no=No", "--id", "rel-42"];

/// Waits for the question in the chat and presses a button of it.
async fn press(telegram: &FakeTelegram, text: &str, button: &str) -> i64 {
    let is_it = |message: &pager_tests::fake_telegram::Message| message.words().contains(text) && message.labels().len() == 2;
    let question = telegram.wait_for_message(text, is_it).await.unwrap();
    telegram.press(question.id, button).unwrap();
    question.id
}

/// It ended well and printed the chosen answer.
#[track_caller]
fn is_chosen(ended: &Ended, choice: &str) -> Value {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let answer = ended.json();
    assert_eq!((&answer["outcome"], &answer["choice"]), (&Value::from("chosen"), &Value::from(choice)), "{answer}");
    answer
}
