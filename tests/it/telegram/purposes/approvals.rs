//! Approvals whose subject fits the message.

use serde_json::{Value, json};

use super::asks;
use crate::world::World;

#[tokio::test]
async fn an_approval_shows_category_subject_and_digest_and_its_answer_carries_the_digest() {
    let world = World::with_telegram().await;
    let subject = "git push --force origin main\u{202e}";
    let shown = asks(&world, "approval", "push", json!({"subject": subject, "gate": "external_write"})).await;
    let record = world.record("push").await;
    let digest = record["digest"].as_str().unwrap().to_owned();
    let message = world.message(shown);
    for words in ["git push --force origin main\\u{202e}", "external_write", &digest, "A text in this topic is an answer, too"] {
        assert!(message.words().contains(words), "{words:?} in {}", message.words());
    }
    assert_eq!(message.labels(), ["Approve", "Decline"]);
    assert_eq!(world.telegram().calls_of("sendDocument").len(), 0);
    world.telegram().press(shown.message, "Decline").unwrap();
    let saved = world.in_state("push", "answered").await["answer"].clone();
    assert_eq!((&saved["choice"], &saved["digest"]), (&json!("decline"), &json!(digest)));
    assert_eq!(world.saved_answer("push").await, saved);
}

#[tokio::test]
async fn an_approval_without_a_subject_shows_no_digest_and_can_be_approved() {
    let world = World::with_telegram().await;
    let shown = asks(&world, "approval", "spend", json!({"gate": "spend"})).await;
    assert!(!world.message(shown).words().contains("sha256:"), "{}", world.message(shown).words());
    world.telegram().press(shown.message, "Approve").unwrap();
    let saved = world.in_state("spend", "answered").await["answer"].clone();
    assert_eq!((&saved["choice"], &saved["digest"]), (&json!("approve"), &Value::Null));
}
