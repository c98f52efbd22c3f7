//! `pager-forward.yml` with an address: what is sent, and what each reply makes of the run.

use std::time::Duration;

use serde_json::{Value, json};

use super::door::{Answer, Door, nobody};
use super::event::{EVENT, event, question, signing};
use super::runner::{Outcome, Runner};
use super::steps::step;

async fn forward(runner: &Runner) -> Outcome {
    runner.run(&step("pager-forward.yml", "forward")).await
}

async fn forward_to(url: &str) -> Outcome {
    forward(&signing(&event("pager-ask", &question()), url)).await
}

#[tokio::test]
async fn the_body_is_the_fields_with_type_and_sender_and_without_the_event_id() {
    for kind in ["ask", "withdraw", "update", "request", "reply", "offer"] {
        let door = Door::with_status(201).await;
        let outcome = forward(&signing(&event(&format!("pager-{kind}"), &question()), &door.url)).await;
        assert!(outcome.succeeded, "{outcome:?}");
        let [received] = &door.received()[..] else { panic!("{:?}", door.lines()) };
        assert_eq!(received.line, "POST /v1/control");
        assert_eq!(received.header("webhook-id"), EVENT);
        assert_eq!(received.header("content-type"), "application/json");
        let mut expected = question();
        expected["type"] = json!(kind);
        expected["sent_at"] = json!("2026-11-30T13:22:15.004Z");
        expected["sender"] = json!({"login": "olga", "id": 4711});
        assert_eq!(received.json(), expected);
        assert!(received.body.starts_with(format!("{{\"type\":\"{kind}\",").as_bytes()) && received.body.ends_with(b"}"));
    }
}

#[tokio::test]
async fn what_an_event_says_about_its_type_and_its_sender_does_not_count() {
    let door = Door::with_status(200).await;
    let forged = json!({"id": "rel-42", "reason": "done", "type": "ask", "sender": {"login": "somebody", "id": 1}});
    let outcome = forward(&signing(&event("pager-withdraw", &forged), &door.url)).await;
    assert!(outcome.succeeded, "{outcome:?}");
    let body = door.received()[0].json();
    assert_eq!((&body["type"], &body["sender"]), (&json!("withdraw"), &json!({"login": "olga", "id": 4711})));
}

#[tokio::test]
async fn a_slash_at_the_end_of_the_address_does_no_harm() {
    let door = Door::with_status(200).await;
    assert!(forward_to(&format!("{}/", door.url)).await.succeeded);
    assert_eq!(door.lines(), ["POST /v1/control"]);
}

#[tokio::test]
async fn what_pagerd_settled_is_a_success_with_one_line() {
    let cases = [(200, ""), (201, ""), (404, " not_found"), (409, " already_answered"), (409, " withdrawn")];
    for (status, code) in cases {
        let door = Door::answering(move |_, _| match code {
            "" => Answer::json(status, &json!({"id": "rel-42", "title": "Release 2.4 now?"})),
            code => Answer::problem(status, code.trim()),
        })
        .await;
        let outcome = forward_to(&door.url).await;
        assert!(outcome.succeeded, "{status}: {outcome:?}");
        assert_eq!(outcome.log, format!("pager-forward: ask {EVENT}: {status}{code}"));
        assert_eq!(door.lines().len(), 1);
    }
}

#[tokio::test]
async fn while_an_answer_is_being_saved_the_same_event_comes_again() {
    let door = Door::answering(|_, before| match before {
        0 | 1 => Answer::problem(409, "answering"),
        _ => Answer::json(200, &json!({"id": "rel-42"})),
    })
    .await;
    let outcome = forward_to(&door.url).await;
    assert!(outcome.succeeded, "{outcome:?}");
    assert_eq!(outcome.log, format!("pager-forward: ask {EVENT}: 200"));
    let received = door.received();
    assert_eq!(received.len(), 3);
    assert!(received.iter().all(|each| each.header("webhook-id") == EVENT && each.body == received[0].body));
}

#[tokio::test]
async fn an_answer_that_is_being_saved_after_the_last_pause_is_a_success() {
    let door = Door::answering(|_, _| Answer::problem(409, "answering")).await;
    let outcome = forward_to(&door.url).await;
    assert!(outcome.succeeded, "{outcome:?}");
    assert_eq!(outcome.log, format!("pager-forward: ask {EVENT}: 409 answering, even after pauses"));
    assert_eq!(door.lines().len(), 3);
}

#[tokio::test]
async fn what_pagerd_refuses_fails_at_once_and_is_not_repeated() {
    for status in [400, 401, 403, 405, 413, 422] {
        let problem =
            json!({"code": "sender_not_allowed", "field": "options[1].label", "detail": "Release 2.4 now? is too long"});
        let door = Door::answering(move |_, _| Answer::json(status, &problem)).await;
        let outcome = forward_to(&door.url).await;
        assert!(!outcome.succeeded, "{status}");
        let said = format!("::error::pager-forward: ask {EVENT}: {status} sender_not_allowed options[1].label");
        assert_eq!(outcome.log, said);
        assert_eq!(door.lines().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn an_address_that_leads_on_is_not_followed() {
    let elsewhere = Door::with_status(200).await;
    let target = format!("{}/v1/control", elsewhere.url);
    let door = Door::answering(move |_, _| Answer::json(308, &Value::Null).with("location", &target)).await;
    let outcome = forward_to(&door.url).await;
    assert!(!outcome.succeeded && outcome.log.contains("308: PAGER_URL must be the address that answers itself"), "{outcome:?}");
    assert!(elsewhere.lines().is_empty());
}

#[tokio::test]
async fn trouble_is_met_by_the_same_event_again_and_then_fails() {
    for status in [429, 500, 502, 503, 504] {
        let door = Door::with_status(status).await;
        let outcome = forward_to(&door.url).await;
        assert!(!outcome.succeeded, "{status}");
        assert_eq!(outcome.log, format!("::error::pager-forward: ask {EVENT}: {status}, even after pauses"));
        let received = door.received();
        assert_eq!(received.len(), 3, "{status}");
        assert!(received.iter().all(|each| each.header("webhook-id") == EVENT && each.body == received[0].body));
    }
}

#[tokio::test]
async fn trouble_that_ends_is_no_failure() {
    let door = Door::answering(|_, before| Answer::json([503, 429, 201][before], &json!({}))).await;
    let outcome = forward_to(&door.url).await;
    assert!(outcome.succeeded && outcome.log.ends_with(": 201"), "{outcome:?}");
    assert_eq!(door.lines().len(), 3);
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_no_reply() {
    let door = Door::answering(|_, before| match before {
        0 => Answer::json(201, &json!({"id": "rel-42"})).with("content-length", "4000"),
        _ => Answer::json(200, &json!({})),
    })
    .await;
    let outcome = forward_to(&door.url).await;
    assert!(outcome.succeeded && outcome.log.ends_with(": 200"), "{outcome:?}");
    assert_eq!(door.lines().len(), 2);
}

#[tokio::test]
async fn nobody_at_the_address_is_a_failure_after_the_pauses() {
    let outcome = forward_to(&nobody().await).await;
    assert!(!outcome.succeeded);
    assert!(outcome.log.ends_with("PAGER_URL, or the issuer of tokens, could not be reached"), "{outcome:?}");
    assert_eq!(outcome.arguments.matches("curl ").count(), 3);
}

#[tokio::test]
async fn the_pause_that_pagerd_asks_for_is_kept() {
    let door = Door::answering(|_, before| match before {
        0 => Answer::json(429, &json!({})).with("retry-after", "1"),
        _ => Answer::json(200, &json!({})),
    })
    .await;
    assert!(forward_to(&door.url).await.succeeded);
    let received = door.received();
    assert!(received[1].at - received[0].at >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_pause_longer_than_the_job_is_a_failure_that_says_so() {
    let door = Door::answering(|_, _| Answer::json(429, &json!({})).with("retry-after", "4000")).await;
    let outcome = forward_to(&door.url).await;
    assert!(!outcome.succeeded && outcome.log.contains("no further attempt is wanted for 4000 s"), "{outcome:?}");
    assert_eq!(door.lines().len(), 1);
}

#[tokio::test]
async fn an_address_without_encryption_is_refused_before_anything_is_sent() {
    for url in ["http://pager.example", "http://127.0.0.1.example", "ftp://pager.example", "-o/tmp/x", "pager.example"] {
        let outcome = forward_to(url).await;
        assert!(!outcome.succeeded, "{url}");
        assert_eq!(outcome.log, "::error::pager-forward: the variable PAGER_URL must begin with https://");
        assert!(!outcome.arguments.contains("curl"), "{url}");
    }
}
