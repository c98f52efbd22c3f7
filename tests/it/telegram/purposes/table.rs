//! The table: each purpose with each act, its outcome, its file, its texts and its mark.

use serde_json::{Value, json};

use super::{asks, data, draft, told};
use crate::world::{PLAIN, World};

/// What somebody does.
#[derive(Debug, Clone, Copy)]
enum Act {
    Press(&'static str),
    Write(&'static str),
    Withdraw,
}

/// One row: the act, the state, the outcome, the choice, and what the message says in the end.
type Row = (Act, &'static str, &'static str, &'static str, &'static str);

const WORDS: Act = Act::Write("After lunch");
const CANCEL: Row = (Act::Write("/cancel"), "cancelled", "cancelled", "", "Cancelled by telegram:4242.");
const WITHDRAW: Row = (Act::Withdraw, "withdrawn", "", "", "The agent took it back: found it");
const BY_ITS_OWN: &str = "Declined: the agent goes on by its own judgement.";

const QUESTION: [Row; 6] = [
    (Act::Press("Yes"), "answered", "chosen", "1", "You answered: Yes"),
    (Act::Press("No"), "answered", "chosen", "2", "You answered: No"),
    (WORDS, "answered", "own_words", "", "Your answer, in your own words\nYou answered: After lunch"),
    (Act::Write("/decline"), "declined", "declined", "", BY_ITS_OWN),
    CANCEL,
    WITHDRAW,
];
const CLARIFICATION: [Row; 4] = [
    (WORDS, "answered", "own_words", "", "Your answer, in your own words\nYou answered: After lunch"),
    (Act::Write("/decline"), "declined", "declined", "", BY_ITS_OWN),
    CANCEL,
    WITHDRAW,
];
const DECISION: [Row; 5] = [
    (Act::Press("SQLite"), "answered", "chosen", "1", "You answered: SQLite"),
    (Act::Press("PostgreSQL"), "answered", "chosen", "2", "You answered: PostgreSQL"),
    (Act::Write("/decline"), "declined", "declined", "", BY_ITS_OWN),
    CANCEL,
    WITHDRAW,
];
const APPROVAL: [Row; 6] = [
    (Act::Press("Approve"), "answered", "chosen", "approve", "You answered: Approve\ntelegram:4242"),
    (Act::Press("Decline"), "answered", "chosen", "decline", "You answered: Decline\nNot approved."),
    (WORDS, "answered", "own_words", "", "You answered: After lunch\nNot approved."),
    (Act::Write("/decline"), "declined", "declined", "", "Declined: not approved."),
    CANCEL,
    WITHDRAW,
];
const ACTION: [Row; 6] = [
    (Act::Press("Done"), "answered", "chosen", "done", "You answered: Done\ntelegram:4242"),
    (Act::Press("Can't do"), "answered", "chosen", "cant", "You answered: Can't do\nNot done."),
    (WORDS, "answered", "own_words", "", "You answered: After lunch\nNot done."),
    (Act::Write("/decline"), "declined", "declined", "", "Declined: not done."),
    CANCEL,
    WITHDRAW,
];
const VERIFY: [Row; 5] = [
    (Act::Press("It works"), "answered", "chosen", "works", "You answered: It works\ntelegram:4242"),
    (WORDS, "answered", "own_words", "", "You answered: After lunch\nNot verified."),
    (Act::Write("/decline"), "declined", "declined", "", "Declined: not verified."),
    CANCEL,
    WITHDRAW,
];

#[tokio::test]
async fn a_question_ends_as_its_row_says() {
    check("question", &QUESTION).await;
}

#[tokio::test]
async fn a_clarification_ends_as_its_row_says() {
    check("clarification", &CLARIFICATION).await;
}

#[tokio::test]
async fn a_decision_ends_as_its_row_says() {
    check("decision", &DECISION).await;
}

#[tokio::test]
async fn an_approval_ends_as_its_row_says() {
    check("approval", &APPROVAL).await;
}

#[tokio::test]
async fn an_action_ends_as_its_row_says() {
    check("action", &ACTION).await;
}

#[tokio::test]
async fn a_verification_ends_as_its_row_says() {
    check("verify", &VERIFY).await;
}

/// Each row in a chat with topics, where the end puts ✅ on the topic.
async fn check(purpose: &str, rows: &[Row]) {
    let world = World::with_telegram().await;
    for (number, (act, state, outcome, choice, says)) in rows.iter().enumerate() {
        let id = format!("{purpose}-{number}");
        eprintln!("{id}: {act:?}");
        let shown = asks(&world, purpose, &id, json!({})).await;
        match act {
            Act::Press(label) => drop(world.telegram().press(shown.message, *label).unwrap()),
            Act::Write(text) => drop(world.telegram().write_in_topic(shown.thread, text).unwrap()),
            Act::Withdraw => {
                world.agent().post(&format!("/v1/questions/{id}/withdraw"), &json!({"reason": "found it"})).await.with(200);
            }
        }
        let record = world.in_state(&id, state).await;
        world.message_says(shown, says).await;
        world.closed(shown).await;
        is_filed(&world, &id, &record, outcome, choice).await;
        let toast = told(&world, shown.message, &data(&world, &id, "a:*:0").await).await;
        let what = says.lines().find(|line| !line.starts_with("Your answer")).unwrap();
        assert!(purpose == "clarification" || toast.contains(what), "{id}: {what:?} in {toast}");
    }
}

/// The file says the same as the record; of what was withdrawn there is none.
async fn is_filed(world: &World, id: &str, record: &Value, outcome: &str, choice: &str) {
    if outcome.is_empty() {
        assert_eq!((world.answer_file(id), &record["answer"]), (None, &Value::Null));
        return;
    }
    let saved = world.saved_answer(id).await;
    assert_eq!(saved, record["answer"], "{id}");
    assert_eq!(saved["outcome"], outcome, "{id}");
    let choice = if choice.is_empty() { Value::Null } else { json!(choice) };
    assert_eq!(saved["choice"], choice, "{id}");
    let answer = match outcome {
        "chosen" => saved["options"].as_array().unwrap().iter().find(|option| option["id"] == choice).unwrap()["label"].clone(),
        "own_words" => json!("After lunch"),
        _ => Value::Null,
    };
    assert_eq!(saved["answer"], answer, "{id}");
}

#[tokio::test]
async fn in_a_chat_without_topics_words_come_by_command_and_mean_the_same() {
    let world = World::in_chat(PLAIN, pager_tests::fake_telegram::ChatKind::Supergroup, false).await;
    for (purpose, says) in [
        ("question", "\ntelegram:4242"),
        ("clarification", "\ntelegram:4242"),
        ("approval", "\nNot approved."),
        ("action", "\nNot done."),
        ("verify", "\nNot verified."),
    ] {
        world.asks_with(draft(purpose, purpose, json!({}))).await;
        let message = world.message_in(PLAIN, &format!("{purpose} {purpose}?")).await;
        world.says(PLAIN, &format!("/answer {} After {purpose}", World::key_in(&message)));
        let record = world.in_state(purpose, "answered").await;
        assert_eq!(record["answer"]["outcome"], "own_words", "{purpose}");
        world.ended_in(PLAIN, &format!("Your answer, in your own words\nYou answered: After {purpose}{says}")).await;
    }
}
