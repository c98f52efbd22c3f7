//! What is to be approved does not fit the message: nobody approves before it stands in the chat whole.

use pager_tests::fake_telegram::{ChatKind, FORUM, Fault, Message, OWNER};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{asks, begun, data, draft, has_buttons, told};
use crate::world::{PLAIN, Shown, World, until};

/// The crash points that only a document passes.
pub const POINTS: [&str; 1] = ["document.called"];

const BOTH: [&str; 2] = ["Approve", "Decline"];
const DECLINE: [&str; 1] = ["Decline"];
const REFUSED: &str = "was not shown here whole";

fn subject() -> String {
    format!("-- the plan\n{}", "DELETE FROM orders WHERE id = 17;\n".repeat(300))
}

fn refusal(description: &str) -> Fault {
    Fault::Status { code: 400, description: format!("Bad Request: {description}"), retry_after: None }
}

async fn asks_for_much(world: &World, id: &str) -> Shown {
    asks(world, "approval", id, json!({"subject": subject(), "gate": "destructive_action"})).await
}

fn documents(world: &World, chat: i64) -> Vec<Message> {
    let mut messages = world.telegram().messages(chat);
    messages.retain(|message| message.document.is_some());
    messages
}

#[tokio::test]
async fn approve_appears_only_once_the_document_is_there_and_its_bytes_have_the_digest_that_is_shown() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendDocument", Fault::hang());
    let shown = asks_for_much(&world, "drop").await;
    begun(&world, "sendDocument", 1).await;
    let message = has_buttons(&world, shown.message, &DECLINE).await;
    assert!(message.words().contains("Approve appears here"), "{}", message.words());
    let forged = told(&world, shown.message, &data(&world, "drop", "a:*:0").await).await;
    assert!(forged.contains(REFUSED), "{forged}");
    assert_eq!(world.record("drop").await["state"], "open");

    world.telegram().release();
    let message = has_buttons(&world, shown.message, &BOTH).await;
    let sent = documents(&world, FORUM).pop().unwrap();
    assert_eq!(sent.thread, Some(shown.thread));
    let content = &sent.document.as_ref().unwrap().content;
    assert_eq!(content, subject().as_bytes());
    let hex: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    let digest = format!("sha256:{hex}");
    assert!(message.words().contains(&digest) && sent.words().contains(&digest), "{}", message.words());
    assert_eq!(world.record("drop").await["digest"], json!(digest));

    world.telegram().press(shown.message, "Approve").unwrap();
    let answer = world.in_state("drop", "answered").await["answer"].clone();
    assert_eq!((&answer["choice"], &answer["digest"]), (&json!("approve"), &json!(digest)));
    world.closed(shown).await;
    assert_eq!(documents(&world, FORUM).len(), 1);
}

#[tokio::test]
async fn a_document_that_is_refused_for_good_leaves_no_approve_button_and_the_asker_sees_why() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendDocument", refusal("file must be non-empty"));
    let shown = asks_for_much(&world, "drop").await;
    is_missing(&world, shown, "drop", "non-empty").await;
    // On the page it is whole.
    world.owner().post("/v1/questions/drop/answer", &json!({"answer": "yes", "option": "approve"})).await.with(200);
    assert!(world.closed(shown).await.words().contains("You answered: Approve"));
}

#[tokio::test]
async fn what_was_not_shown_whole_cannot_be_approved_while_another_answer_is_being_saved() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendDocument", refusal("file must be non-empty"));
    let shown = asks_for_much(&world, "drop").await;
    is_missing(&world, shown, "drop", "non-empty").await;
    let held = world.hold_writing();
    world.telegram().press(shown.message, "Decline").unwrap();
    world.in_state("drop", "answering").await;
    // Should that answer be refused, the question is open again by the time this press is taken.
    let forged = told(&world, shown.message, &data(&world, "drop", "a:*:0").await).await;
    assert!(forged.contains(REFUSED), "{forged}");
    drop(held);
    world.closed(shown).await;
}

#[tokio::test]
async fn a_document_of_which_nobody_knows_whether_it_is_there_leaves_no_approve_button() {
    let world = World::with_telegram().await;
    for _ in 0..2 {
        world.telegram().fault("sendDocument", Fault::ResetBefore);
    }
    let shown = asks_for_much(&world, "drop").await;
    is_missing(&world, shown, "drop", "").await;
    world.telegram().write_in_topic(shown.thread, "/decline").unwrap();
    world.in_state("drop", "declined").await;
    assert!(world.closed(shown).await.words().contains("Declined: not approved."));
}

/// The message has no Approve button and says where to approve, a forged press is refused, and the agent sees the reason.
async fn is_missing(world: &World, shown: Shown, id: &str, why: &str) {
    let record = world.record_when(id, "told why", |record| record["delivery"]["reason"].is_string()).await;
    assert_eq!(record["delivery"]["state"], "shown");
    let reason = record["delivery"]["reason"].as_str().unwrap();
    assert!(reason.contains("could not be sent as a document") && reason.contains(why), "{reason}");
    let page = format!("{}/#q-{}", world.address.url(), record["incarnation"].as_str().unwrap());
    let message = world.message_says(shown, &format!("Approve it on the page: {page}")).await;
    assert_eq!(message.labels(), DECLINE);
    let forged = told(world, shown.message, &data(world, id, "a:*:0").await).await;
    assert!(forged.contains(REFUSED), "{forged}");
    assert_eq!(world.record(id).await["state"], "open");
}

#[tokio::test]
async fn a_document_whose_first_try_has_no_known_outcome_is_sent_again_and_then_it_can_be_approved() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendDocument", Fault::ResetAfter);
    let shown = asks_for_much(&world, "drop").await;
    has_buttons(&world, shown.message, &BOTH).await;
    assert_eq!(documents(&world, FORUM).len(), 2, "at most one duplicate");
    assert_eq!(world.record("drop").await["delivery"]["reason"], Value::Null);
}

#[tokio::test]
async fn a_flood_and_a_broken_proxy_only_delay_the_approve_button() {
    let world = World::with_telegram().await;
    for fault in [Fault::flood(1), Fault::Http502] {
        world.telegram().fault("sendDocument", fault);
    }
    let shown = asks_for_much(&world, "drop").await;
    has_buttons(&world, shown.message, &BOTH).await;
}

#[tokio::test]
async fn in_a_topic_that_is_made_anew_approve_waits_for_the_document_there() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendDocument", refusal("message thread not found"));
    asks_for_much(&world, "drop").await;
    // By then it may stand in the new topic already.
    let first = world.telegram().topics().iter().map(|topic| topic.thread).min().unwrap();
    let record = world
        .record_when("drop", "shown in another topic", |record| {
            let link = record["delivery"]["link"].as_str().unwrap_or_default();
            record["delivery"]["state"] == "shown" && !link.contains(&format!("/{first}/"))
        })
        .await;
    assert_eq!(record["state"], "open");
    let shown = world.shown("drop").await;
    has_buttons(&world, shown.message, &BOTH).await;
    assert_eq!(documents(&world, FORUM).pop().unwrap().thread, Some(shown.thread));
}

#[tokio::test]
async fn a_message_that_is_sent_again_has_no_approve_button_until_its_document_is_too() {
    let mut world = World::with_telegram().await;
    let shown = asks_for_much(&world, "drop").await;
    has_buttons(&world, shown.message, &BOTH).await;
    world.telegram().set_topics(FORUM, false);
    world.telegram().fault("sendDocument", Fault::hang());
    world.telegram().delete_message(FORUM, shown.message);
    // Another kind of chat: the message is edited to say how to answer, and is found gone.
    world.restart().await;
    let is_copy = |message: &&Message| message.words().starts_with("approval drop?") && message.document.is_none();
    let copy = until("the message stands there again", async || {
        world.telegram().messages(FORUM).iter().find(is_copy).map(|message| message.id)
    })
    .await;
    let forged = told(&world, copy, &data(&world, "drop", "a:*:0").await).await;
    assert!(forged.contains(REFUSED), "{forged}");
    assert_eq!(world.telegram().message(FORUM, copy).unwrap().labels(), DECLINE);
    begun(&world, "sendDocument", 2).await;
    world.telegram().release();
    has_buttons(&world, copy, &BOTH).await;
}

#[tokio::test]
async fn without_topics_the_document_replies_to_its_message_and_then_it_can_be_approved() {
    let world = World::in_chat(PLAIN, ChatKind::Supergroup, false).await;
    world.asks_with(draft("approval", "drop", json!({"subject": subject()}))).await;
    let message = until("the message can be approved", async || {
        world.telegram().messages(PLAIN).into_iter().find(|message| message.labels() == BOTH)
    })
    .await;
    assert_eq!(documents(&world, PLAIN).pop().unwrap().reply_to, Some(message.id));
    world.telegram().press_as(PLAIN, OWNER, message.id, "Approve").unwrap();
    assert_eq!(world.in_state("drop", "answered").await["answer"]["choice"], "approve");
}

#[tokio::test]
async fn what_does_not_show_comes_with_escapes_and_approve_waits_for_both_documents() {
    let world = World::with_telegram().await;
    world.telegram().fault_where("sendDocument", "Exactly what is to be approved", Fault::hang());
    let hidden = format!("{}\u{202e}", subject());
    let shown = asks(&world, "approval", "drop", json!({"subject": hidden})).await;
    begun(&world, "sendDocument", 2).await;
    assert_eq!(has_buttons(&world, shown.message, &DECLINE).await.labels(), DECLINE);
    world.telegram().release();
    has_buttons(&world, shown.message, &BOTH).await;
    let contents: Vec<Vec<u8>> = documents(&world, FORUM).into_iter().map(|message| message.document.unwrap().content).collect();
    assert_eq!(contents, [hidden.replace('\u{202e}', "\\u{202e}").into_bytes(), hidden.into_bytes()]);
}

#[tokio::test]
async fn an_approval_that_ended_while_its_document_was_sent_gets_no_buttons() {
    let world = World::with_telegram().await;
    world.telegram().fault("sendDocument", Fault::hang());
    let shown = asks_for_much(&world, "drop").await;
    begun(&world, "sendDocument", 1).await;
    world.agent().post("/v1/questions/drop/withdraw", &json!({})).await.with(200);
    world.telegram().release();
    assert!(world.closed(shown).await.words().contains("The agent took it back."));
    world.replies_by_now(shown).await;
    assert!(world.message(shown).keyboard.is_empty());
}

/// An approval with a document, with a death at each of these points, one life after the other: it can be approved in the
/// end, or says that it cannot.
async fn story(points: &[&str]) {
    eprintln!("approval: {points:?}");
    let mut world = World::with_telegram().await;
    world.kill9().await;
    world.serve_to_crash(points[0]).await;
    world.asks_with(draft("approval", "drop", json!({"subject": subject()}))).await;
    for next in points.iter().skip(1).map(Some).chain([None]) {
        world.until_crashed().await;
        match next {
            Some(point) => world.serve_to_crash(point).await,
            None => world.serve().await,
        }
    }
    let shown = world.shown("drop").await;
    assert!(documents(&world, FORUM).len() <= 2, "{points:?}: at most one duplicate");
    if points.len() > 1 {
        return is_missing(&world, shown, "drop", "pagerd ended").await;
    }
    has_buttons(&world, shown.message, &BOTH).await;
    world.restart().await;
    world.telegram().press(shown.message, "Approve").unwrap();
    assert_eq!(world.in_state("drop", "answered").await["answer"]["choice"], "approve");
    world.closed(shown).await;
}

#[tokio::test]
async fn kills_around_the_document_and_the_edit_never_show_approve_too_early_nor_lose_it() {
    // The third call that makes something is the document; the first edit is the one that adds the button.
    for point in ["job.attempted:3", "document.called", "edit.called", "edit.stored"] {
        story(&[point]).await;
    }
    story(&["document.called", "document.called"]).await;
}
