//! Events that come twice, at once, out of order, and over a crash.

use futures_util::future::join_all;
use serde_json::json;

use super::sending::{question, signed_world, withdrawal};
use crate::world::{sent, until};

#[tokio::test]
async fn an_event_that_comes_again_gets_the_same_reply_and_changes_nothing() {
    let world = signed_world().await;
    let (ask, back, early) = (question("rel-1", json!({})), withdrawal("rel-1", json!({})), withdrawal("rel-9", json!({})));
    let asked = world.sends("event-0001", &ask).await;
    let unknown = world.sends("event-0002", &early).await;
    let withdrawn = world.sends("event-0003", &back).await;
    let before = world.held().await;
    for (id, body, first) in [("event-0001", &ask, &asked), ("event-0002", &early, &unknown), ("event-0003", &back, &withdrawn)] {
        let again = world.sends(id, body).await;
        assert_eq!((again.status, &again.text), (first.status, &first.text), "{id}");
        assert_eq!(again.header("content-type"), first.header("content-type"));
    }
    assert_eq!((asked.status, unknown.status, withdrawn.status), (201, 404, 200));
    assert_eq!(world.held().await, before);
}

#[tokio::test]
async fn an_event_s_id_with_another_body_is_refused() {
    let world = signed_world().await;
    world.sends("event-0001", &question("rel-1", json!({}))).await.with(201);
    let before = world.held().await;
    world.sends("event-0001", &question("rel-2", json!({}))).await.problem(409, "event_reused");
    world.sends("event-0001", &withdrawal("rel-1", json!({}))).await.problem(409, "event_reused");
    assert_eq!(world.held().await, before);
}

#[tokio::test]
async fn a_sender_names_its_events_as_it_likes() {
    let world = signed_world().await;
    for (number, id) in ["7", "run:42.1", "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", &"a".repeat(100)].into_iter().enumerate() {
        world.sends(id, &question(&format!("rel-{number}"), json!({}))).await.with(201);
    }
    world.sends(&"a".repeat(101), &question("rel-9", json!({}))).await.problem(400, "malformed");
}

#[tokio::test]
async fn the_same_question_in_two_events_is_one_question() {
    let world = signed_world().await;
    let body = question("rel-1", json!({"sent_at": "2026-11-30T12:00:00Z"}));
    let first = world.sends("event-0001", &body).await.with(201);
    let later = question("rel-1", json!({"sent_at": "2026-11-30T12:00:09Z"}));
    let second = world.sends("event-0002", &later).await.with(200);
    assert_eq!((&second["incarnation"], &second["asked_at"]), (&first["incarnation"], &first["asked_at"]));
    world.sends("event-0003", &question("rel-1", json!({"text": "Another?"}))).await.problem(409, "id_used");
    let published = |text: &str| json!({"type": "ask", "text": text, "waiting_on": "x", "publication_id": "p-1"});
    world.sends("event-0004", &published("Which port?")).await.with(201);
    world.sends("event-0005", &published("Which host?")).await.problem(409, "draft_changed");
}

#[tokio::test]
async fn asked_again_once_it_was_answered_the_answer_comes_back() {
    let world = signed_world().await;
    let body = question("rel-1", json!({}));
    world.sends("event-0001", &body).await.with(201);
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let again = world.sends("event-0002", &body).await.problem(409, "id_used");
    assert_eq!((&again["state"], &again["answer"]), (&json!("answered"), &answer));
}

#[tokio::test]
async fn of_many_copies_at_once_one_is_handled_and_all_get_its_reply() {
    let world = signed_world().await;
    let body = question("rel-1", json!({})).to_string();
    let replies = join_all((0..8).map(|_| sent(world.signed_event("event-0001", body.as_bytes())))).await;
    let texts: Vec<(u16, String)> = replies.into_iter().map(Result::unwrap).map(|reply| (reply.status, reply.text)).collect();
    assert!(texts.iter().all(|each| *each == texts[0] && each.0 == 201), "{texts:?}");
    assert_eq!(world.held().await.iter().filter(|row| row.starts_with("control_events")).count(), 1);
}

#[tokio::test]
async fn whatever_comes_first_a_question_and_its_withdrawal_end_alike() {
    let world = signed_world().await;
    for number in 0..10 {
        let id = format!("rel-{number}");
        let ask = question(&id, json!({"sent_at": "2026-11-30T12:00:00Z"})).to_string();
        let back = withdrawal(&id, json!({"sent_at": "2026-11-30T12:00:01Z"})).to_string();
        let (asks, takes_back) = (format!("event-{number}-ask"), format!("event-{number}-back"));
        let sends = (sent(world.signed_event(&asks, ask.as_bytes())), sent(world.signed_event(&takes_back, back.as_bytes())));
        let (asked, withdrawn) = tokio::join!(sends.0, sends.1);
        assert_eq!(asked.unwrap().status, 201);
        assert!([200, 404].contains(&withdrawn.unwrap().status));
        let record = world.owner().get(&format!("/v1/questions/{id}")).await.with(200);
        assert_eq!((&record["state"], &record["reason"]), (&json!("withdrawn"), &json!("solved")));
    }
}

#[tokio::test]
async fn an_event_that_was_stored_before_a_crash_gets_its_reply_after_it() {
    for body in [question("rel-1", json!({})), withdrawal("rel-9", json!({"sent_at": "5"}))] {
        let mut world = signed_world().await;
        world.terminate().await;
        world.serve_to_crash("control.stored").await;
        let lost = sent(world.signed_event("event-0001", body.to_string().as_bytes())).await;
        assert!(lost.is_err(), "{lost:?}");
        world.until_crashed().await;
        let before = world.held().await;
        world.serve().await;
        let told = world.sends("event-0001", &body).await;
        let again = world.sends("event-0001", &body).await;
        assert_eq!((told.status, &told.text), (again.status, &again.text));
        assert_eq!(told.status, if body["type"] == "ask" { 201 } else { 404 });
        assert_eq!(world.held().await, before, "it was handled once");
    }
}

#[tokio::test]
async fn a_withdrawal_waits_for_an_answer_that_is_being_saved() {
    let world = signed_world().await;
    world.sends("event-0001", &question("rel-1", json!({}))).await.with(201);
    let held = world.hold_writing();
    let owner = world.owner();
    let answering = tokio::spawn(async move { owner.post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await });
    let owner = world.owner();
    until("the answer is being saved", async || {
        (owner.get("/v1/questions/rel-1").await.with(200)["state"] == "answering").then_some(())
    })
    .await;
    let body = withdrawal("rel-1", json!({})).to_string();
    let withdrawing = tokio::spawn(sent(world.signed_event("event-0002", body.as_bytes())));
    // Others are not held up meanwhile.
    world.sends("event-0003", &question("rel-2", json!({}))).await.with(201);
    drop(held);
    let refusal = withdrawing.await.unwrap().unwrap().problem(409, "already_answered");
    assert_eq!(refusal["answer"]["answer"], "Go");
    answering.await.unwrap().with(200);
}
