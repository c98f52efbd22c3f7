//! `pager-forward.yml` against the real pagerd: what it sends is what pagerd takes, with a signature and with a token.

use pager_tests::fake_oidc::FakeOidc;
use serde_json::{Value, json};

use super::event::{event, secret, signing};
use super::runner::{Outcome, Runner};
use super::steps::step;
use crate::world::{World, until};

const WORKFLOW: &str = "acme/control/.github/workflows/pager-forward.yml@refs/heads/main";

/// A pagerd that takes events of account 4711 alone, signed or with the tokens of this issuer.
async fn pagerd(issuer: &FakeOidc) -> World {
    World::start_with(&[
        ("PAGER_CONTROL__SECRETS", &secret(&[7; 32])),
        ("PAGER_CONTROL__MAINTAINERS", "4711"),
        ("PAGER_CONTROL__OIDC__ISSUER", &issuer.issuer()),
        ("PAGER_CONTROL__OIDC__REPOSITORY_ID", "99"),
        ("PAGER_CONTROL__OIDC__WORKFLOW_REF", WORKFLOW),
        ("PAGER_CONTROL__OIDC__EVENT_NAME", "repository_dispatch"),
        ("PAGER_CONTROL__OIDC__REF", "refs/heads/main"),
    ])
    .await
}

fn question() -> Value {
    json!({"id": "rel-42", "text": "Release $(id) `2.4`? 🚨", "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]})
}

/// The event of this type and number; repeats have the same number.
fn numbered(kind: &str, number: u8, fields: &Value) -> Value {
    let mut event = event(kind, fields);
    event["client_payload"]["pager"]["event"] = json!(format!("0191d2a4-6b1e-7c3f-8a55-{number:012x}"));
    event
}

fn with_token(event: &Value, world: &World, issuer: &FakeOidc, workflow: &str) -> Runner {
    let claims = json!({
        "repository_id": "99", "repository": "acme/control", "workflow_ref": workflow, "event_name": "repository_dispatch",
        "ref": "refs/heads/main",
    });
    let (url, bearer) = issuer.for_job(claims);
    let mut runner = signing(event, &world.address.url());
    runner.context.set("secrets.PAGER_SECRET", "");
    runner.set("ACTIONS_ID_TOKEN_REQUEST_URL", &url);
    runner.set("ACTIONS_ID_TOKEN_REQUEST_TOKEN", &bearer);
    runner
}

async fn forward(runner: &Runner) -> Outcome {
    runner.run(&step("pager-forward.yml", "forward")).await
}

/// Forwards it; whether the job is green, and the end of its line after the event's id.
async fn result(runner: &Runner) -> (bool, String) {
    let outcome = forward(runner).await;
    let (_, end) = outcome.log.rsplit_once(": ").unwrap_or_else(|| panic!("{outcome:?}"));
    (outcome.succeeded, end.to_owned())
}

fn said(succeeded: bool, end: &str) -> (bool, String) {
    (succeeded, end.to_owned())
}

#[tokio::test]
async fn a_question_is_asked_and_taken_back_by_signed_events_that_count_once() {
    let issuer = FakeOidc::start().await;
    let world = pagerd(&issuer).await;
    let url = world.address.url();
    let ask = signing(&numbered("pager-ask", 1, &question()), &url);
    assert_eq!(result(&ask).await, said(true, "201"));
    assert!(result(&ask).await.0, "a repeat is no failure");
    let record = world.owner().get("/v1/questions/rel-42").await.with(200);
    assert_eq!((&record["state"], &record["text"]), (&json!("open"), &question()["text"]));
    let back = json!({"id": "rel-42", "reason": "settled"});
    assert_eq!(result(&signing(&numbered("pager-withdraw", 2, &back), &url)).await, said(true, "200"));
    assert_eq!(world.owner().get("/v1/questions/rel-42").await.with(200)["state"], "withdrawn");
}

#[tokio::test]
async fn a_question_is_asked_with_a_token_for_exactly_its_body() {
    let issuer = FakeOidc::start().await;
    let world = pagerd(&issuer).await;
    let ask = numbered("pager-ask", 1, &question());
    assert_eq!(result(&with_token(&ask, &world, &issuer, WORKFLOW)).await, said(true, "201"));
    assert_eq!(world.owner().get("/v1/questions/rel-42").await.with(200)["state"], "open");
}

#[tokio::test]
async fn what_is_unknown_or_answered_is_a_success_that_says_so() {
    let issuer = FakeOidc::start().await;
    let world = pagerd(&issuer).await;
    let url = world.address.url();
    let back = json!({"id": "rel-42", "reason": "settled"});
    assert_eq!(result(&signing(&numbered("pager-withdraw", 1, &back), &url)).await, said(true, "404 not_found"));
    let mut later = numbered("pager-ask", 2, &question());
    later["client_payload"]["pager"]["sent_at"] = json!("2100-01-01T00:00:00Z");
    assert_eq!(result(&signing(&later, &url)).await, said(true, "201"));
    world.owner().post("/v1/questions/rel-42/answer", &json!({"answer": "Yes"})).await.with(200);
    until("it is answered", async || {
        let record = world.owner().get("/v1/questions/rel-42").await.with(200);
        (record["state"] == "answered").then_some(())
    })
    .await;
    assert_eq!(result(&signing(&numbered("pager-withdraw", 3, &back), &url)).await, said(true, "409 already_answered"));
}

#[tokio::test]
async fn what_pagerd_does_not_take_fails_and_asks_nothing() {
    let issuer = FakeOidc::start().await;
    let world = pagerd(&issuer).await;
    let url = world.address.url();
    let ask = numbered("pager-ask", 1, &question());
    let mut forged = signing(&ask, &url);
    forged.context.set("secrets.PAGER_SECRET", &secret(&[8; 32]));
    assert_eq!(result(&forged).await, said(false, "401 unauthenticated"));
    let other = with_token(&ask, &world, &issuer, "acme/control/.github/workflows/other.yml@refs/heads/main");
    assert_eq!(result(&other).await, said(false, "401 unauthenticated"));
    let mut stranger = numbered("pager-ask", 2, &question());
    stranger["sender"] = json!({"login": "mallory", "id": 666});
    let mut stranger = signing(&stranger, &url);
    stranger.context.set("vars.PAGER_MAINTAINER", "4711,666");
    assert_eq!(result(&stranger).await, said(false, "403 sender_not_allowed"));
    let (succeeded, end) = result(&signing(&numbered("pager-ask", 3, &json!({"id": "rel-42"})), &url)).await;
    assert!(!succeeded && end.starts_with("422 ") && end.split(' ').count() == 3, "{end}");
    world.owner().get("/v1/questions/rel-42").await.problem(404, "not_found");
}
