//! Idempotency keys of owners' writes: one decision a key, told again as often as it is sent.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Caller, Reply, World, sent};

/// POST under a key, with a body or without one.
async fn keyed(caller: &Caller, path: &str, key: &str, body: Option<&Value>) -> Reply {
    try_keyed(caller, path, key, body).await.unwrap()
}

async fn try_keyed(caller: &Caller, path: &str, key: &str, body: Option<&Value>) -> reqwest::Result<Reply> {
    let request = caller.request(Method::POST, path).header("idempotency-key", key);
    sent(body.into_iter().fold(request, reqwest::RequestBuilder::json)).await
}

const ANSWER: &str = "/v1/questions/rel-1/answer";

#[tokio::test]
async fn the_same_key_and_body_get_the_same_answer_and_anything_else_is_refused() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.asks("rel-2").await;
    let (owner, go) = (world.owner(), json!({"answer": "Go", "option": "1"}));
    let answer = keyed(&owner, ANSWER, "k-1", Some(&go)).await.with(200);
    // The same JSON, written otherwise, is the same body.
    let request = owner.request(Method::POST, ANSWER).header("idempotency-key", "k-1");
    let again = request.header("content-type", "application/json").body("{ \"option\":\"1\",\n\"answer\":\"Go\" }");
    assert_eq!(sent(again).await.unwrap().with(200), answer);
    assert_eq!(world.commits_of("rel-1").len(), 1);

    owner.post(ANSWER, &go).await.problem(409, "already_answered");
    keyed(&owner, ANSWER, "k-2", Some(&go)).await.problem(409, "already_answered");
    let reused = keyed(&owner, ANSWER, "k-1", Some(&json!({"answer": "Go", "option": "2"}))).await.problem(422, "key_reused");
    assert_eq!(reused["field"], "Idempotency-Key");
    keyed(&owner, "/v1/questions/rel-2/answer", "k-1", Some(&go)).await.problem(422, "key_reused");
    keyed(&owner, "/v1/questions/rel-1/decline", "k-1", None).await.problem(422, "key_reused");
    keyed(&owner, "/v1/questions/rel-2/cancel", "k-1", None).await.problem(422, "key_reused");
    assert_eq!(world.record("rel-2").await["state"], "open", "nothing was decided under another's key");

    let otto = Caller::new(world.address.clone(), Some(&world.new_token("owner", "otto").await));
    keyed(&otto, "/v1/questions/rel-2/answer", "k-1", Some(&go)).await.with(200);
}

#[tokio::test]
async fn a_decline_and_a_cancel_are_told_again_too() {
    let world = World::start().await;
    for (id, call, outcome) in [("rel-1", "decline", "declined"), ("rel-2", "cancel", "cancelled")] {
        world.asks(id).await;
        let path = format!("/v1/questions/{id}/{call}");
        let first = keyed(&world.owner(), &path, id, None).await.with(200);
        assert_eq!(first["outcome"], outcome);
        assert_eq!(keyed(&world.owner(), &path, id, None).await.with(200), first);
    }
}

#[tokio::test]
async fn a_write_that_is_sent_twice_at_once_is_made_once() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let (owner, body) = (world.owner(), json!({"answer": "Go"}));
    let (one, other, third) = tokio::join!(
        keyed(&owner, ANSWER, "k-1", Some(&body)),
        keyed(&owner, ANSWER, "k-1", Some(&body)),
        keyed(&owner, ANSWER, "k-1", Some(&body))
    );
    let answer = one.with(200);
    assert_eq!((&other.with(200), &third.with(200)), (&answer, &answer));
    assert_eq!(world.saved_answer("rel-1").await, answer);
}

#[tokio::test]
async fn what_was_refused_for_another_reason_leaves_its_key_free() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let owner = world.owner();
    keyed(&owner, ANSWER, "k-1", Some(&json!({"answer": "x", "option": "9"}))).await.problem(422, "invalid");
    keyed(&owner, "/v1/questions/none/answer", "k-1", Some(&json!({"answer": "x"}))).await.problem(404, "not_found");
    keyed(&owner, ANSWER, "k-1", Some(&json!({"answer": "Go"}))).await.with(200);
}

#[tokio::test]
async fn a_key_is_one_to_two_hundred_visible_characters() {
    let world = World::start().await;
    world.asks("rel-1").await;
    for key in ["", "a key", "\u{e9}", &"k".repeat(201)] {
        let problem = keyed(&world.owner(), ANSWER, key, Some(&json!({"answer": "Go"}))).await.problem(422, "invalid");
        assert_eq!(problem["field"], "Idempotency-Key", "{key}");
    }
    let twice = world.owner().request(Method::POST, ANSWER).header("idempotency-key", "a").header("idempotency-key", "b");
    sent(twice.json(&json!({"answer": "Go"}))).await.unwrap().problem(422, "invalid");
    keyed(&world.owner(), ANSWER, &"k".repeat(200), Some(&json!({"answer": "Go"}))).await.with(200);
}

#[tokio::test]
async fn a_key_holds_over_a_kill_between_the_claim_and_the_save() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    let held = world.hold_writing();
    let (owner, body) = (world.owner(), json!({"answer": "Go"}));
    let cut_off = tokio::spawn(async move { try_keyed(&owner, ANSWER, "k-1", Some(&json!({"answer": "Go"}))).await });
    world.in_state("rel-1", "answering").await;
    world.kill9().await;
    assert!(cut_off.await.unwrap().is_err(), "nobody was told");
    drop(held);
    world.serve().await;
    let answer = keyed(&world.owner(), ANSWER, "k-1", Some(&body)).await.with(200);
    assert_eq!(world.saved_answer("rel-1").await, answer);
    world.restart().await;
    assert_eq!(keyed(&world.owner(), ANSWER, "k-1", Some(&body)).await.with(200), answer);
    keyed(&world.owner(), ANSWER, "k-1", Some(&json!({"answer": "Stop"}))).await.problem(422, "key_reused");
}

#[tokio::test]
async fn a_crash_right_behind_the_claim_keeps_its_key() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    world.kill9().await;
    world.serve_to_crash("claim.stored").await;
    let body = json!({"answer": "Go"});
    assert!(try_keyed(&world.owner(), ANSWER, "k-1", Some(&body)).await.is_err());
    world.until_crashed().await;
    world.serve().await;
    let answer = keyed(&world.owner(), ANSWER, "k-1", Some(&body)).await.with(200);
    assert_eq!(world.saved_answer("rel-1").await, answer);
}

#[tokio::test]
async fn a_slow_save_is_told_as_such_and_the_same_key_gets_the_answer_later() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let held = world.hold_writing();
    let (owner, body) = (world.owner(), json!({"answer": "Go"}));
    assert_eq!(keyed(&owner, ANSWER, "k-1", Some(&body)).await.with(202)["state"], "answering");
    drop(held);
    let answer = keyed(&owner, ANSWER, "k-1", Some(&body)).await.with(200);
    assert_eq!(world.saved_answer("rel-1").await, answer);
}

#[tokio::test]
async fn an_answer_that_the_repository_refused_frees_its_key() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.break_repository();
    let (owner, body) = (world.owner(), json!({"answer": "Go"}));
    keyed(&owner, ANSWER, "k-1", Some(&body)).await.problem(502, "save_refused");
    world.mend_repository();
    // It is another decision by now, and may be about something else.
    let answer = keyed(&owner, ANSWER, "k-1", Some(&json!({"answer": "Stop"}))).await.with(200);
    assert_eq!(answer["answer"], "Stop");
    assert_eq!(world.saved_answer("rel-1").await, answer);
}

#[tokio::test]
async fn a_key_of_a_private_answer_stands_for_its_question_and_its_words_alone() {
    let world = World::start().await;
    for id in ["q-1", "q-2"] {
        world.asks_with(json!({"id": id, "text": "Which password?", "waiting_on": "the deploy", "secret": true})).await;
    }
    let send = async |id: &str, words: &str| {
        let request = world.owner().request(reqwest::Method::POST, &format!("/v1/questions/{id}/answer"));
        crate::world::sent(request.header("idempotency-key", "k-1").json(&json!({"answer": words}))).await.unwrap()
    };
    let first = send("q-1", "hunter2").await.with(200);
    assert_eq!(send("q-1", "hunter2").await.with(200), first);
    send("q-1", "hunter3").await.problem(422, "key_reused");
    send("q-2", "hunter2").await.problem(422, "key_reused");
    assert_eq!(world.record("q-2").await["state"], "open");
}
