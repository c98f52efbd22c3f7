//! Events that GitHub itself sends to an App, without any workflow.

use pager_tests::fake_oidc::FakeOidc;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::sending::{APP_SECRET, PATH, guarded_world, hub_signature, question};
use crate::world::{Reply, World, sent};

const DELIVERY: &str = "72d3162e-cc78-11e3-81ab-4c9367dc0958";
const ANOTHER: &str = "72d3162e-cc78-11e3-81ab-4c9367dc0959";

fn dispatch(action: &str, pager: Value, more: Value) -> Value {
    let mut payload = json!({
        "action": action, "branch": "main", "client_payload": {"pager": pager},
        "repository": {"id": 42, "full_name": "o/control", "description": "x".repeat(70_000)},
        "sender": {"id": 7, "login": "olga"}, "installation": {"id": 1},
    });
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    payload
}

/// What `ask` dispatches: the question's fields, without their type, with the event's own name.
fn asking(id: &str, more: Value) -> Value {
    let mut pager = question(id, more);
    pager.as_object_mut().unwrap().remove("type");
    pager["event"] = json!("0198f2c4-7d5e-7c11-a2b0-9a1f1f7e0c55");
    dispatch("pager-ask", pager, json!({}))
}

fn delivery(world: &World, event: &str, id: &str, payload: &Value) -> RequestBuilder {
    let body = payload.to_string();
    let request = world.nobody().request(Method::POST, PATH).header("x-github-event", event).header("x-github-delivery", id);
    request.header("x-hub-signature-256", hub_signature(APP_SECRET, body.as_bytes())).body(body)
}

async fn delivers(world: &World, id: &str, payload: &Value) -> Reply {
    sent(delivery(world, "repository_dispatch", id, payload)).await.unwrap()
}

#[tokio::test]
async fn a_dispatch_asks_and_takes_back_without_any_workflow() {
    let world = guarded_world(&FakeOidc::start().await).await;
    let record = delivers(&world, DELIVERY, &asking("rel-1", json!({"agent": "ci", "text": "Grüße 👍?"}))).await.with(201);
    assert_eq!((&record["source"]["agent"], &record["text"]), (&json!("control/ci"), &json!("Grüße 👍?")));
    let back = dispatch("pager-withdraw", json!({"id": "rel-1", "agent": "ci", "reason": "solved"}), json!({}));
    assert_eq!(delivers(&world, ANOTHER, &back).await.with(200)["state"], "withdrawn");
}

#[tokio::test]
async fn a_dispatch_asks_for_work_replies_and_offers() {
    let world = guarded_world(&FakeOidc::start().await).await;
    let event = |number: u32| format!("72d3162e-cc78-11e3-81ab-{number:012}");
    let request = json!({"id": "r-1", "title": "Build it", "text": "In Rust.", "agent": "ci"});
    let made = delivers(&world, &event(1), &dispatch("pager-request", request, json!({}))).await.with(201);
    assert_eq!(made["from"]["id"], "agent:control/ci");
    let reply = json!({"request": "r-1", "title": "Built", "text": "Here.", "agent": "builder"});
    let reply = delivers(&world, &event(2), &dispatch("pager-reply", reply, json!({}))).await.with(201);
    assert_eq!((&reply["kind"], &reply["author"]["id"]), (&json!("answer"), &json!("agent:control/builder")));
    let offer =
        json!({"request": "r-1", "deliverable": "a draft", "missing": "a build", "why": "no compiler", "agent": "builder"});
    let offer = delivers(&world, &event(3), &dispatch("pager-offer", offer, json!({}))).await.with(201);
    assert_eq!((&offer["purpose"], &offer["about"]), (&json!("offer"), &json!("r-1")));
}

#[tokio::test]
async fn a_delivery_that_comes_again_gets_the_same_reply_and_its_body_counts_for_it_alone() {
    let world = guarded_world(&FakeOidc::start().await).await;
    let payload = asking("rel-1", json!({}));
    let first = delivers(&world, DELIVERY, &payload).await;
    let before = world.held().await;
    let again = delivers(&world, DELIVERY, &payload).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    // The id of a delivery is not signed: whoever captured a body cannot make another event of it.
    let renamed = delivers(&world, ANOTHER, &payload).await;
    assert_eq!((renamed.status, &renamed.text), (201, &first.text));
    delivers(&world, DELIVERY, &asking("rel-2", json!({}))).await.problem(409, "event_reused");
    assert_eq!(world.held().await, before);
}

#[tokio::test]
async fn a_dispatch_that_is_sent_twice_is_one_event_by_the_name_that_its_agent_gave_it() {
    let world = guarded_world(&FakeOidc::start().await).await;
    let mut payload = asking("rel-1", json!({}));
    payload["client_payload"]["pager"].as_object_mut().unwrap().remove("id");
    let first = delivers(&world, DELIVERY, &payload).await;
    // GitHub tells more of the repository the second time.
    payload["repository"]["pushed_at"] = json!("2026-11-30T13:25:03Z");
    let again = delivers(&world, ANOTHER, &payload).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    assert_eq!(world.held().await.iter().filter(|row| row.starts_with("questions")).count(), 1);
    payload["client_payload"]["pager"]["text"] = json!("Something else?");
    delivers(&world, ANOTHER, &payload).await.problem(409, "event_reused");
}

#[tokio::test]
async fn without_maintainers_what_github_vouches_for_is_refused_and_the_log_says_what_is_missing() {
    let mut world = guarded_world(&FakeOidc::start().await).await;
    world.terminate().await;
    world.unset("PAGER_CONTROL__MAINTAINERS");
    world.serve().await;
    assert!(world.log().contains("control.maintainers is missing"));
    delivers(&world, DELIVERY, &asking("rel-1", json!({}))).await.problem(403, "sender_not_allowed");
    world.sends("event-0001", &question("rel-2", json!({}))).await.with(201);
}

#[tokio::test]
async fn other_accounts_repositories_and_signatures_are_refused_and_change_nothing() {
    let world = guarded_world(&FakeOidc::start().await).await;
    let before = world.held().await;
    let good = asking("rel-1", json!({}));
    let with = |more: Value| {
        let mut payload = good.clone();
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        payload
    };
    for sender in [json!({"id": 9, "login": "olga"}), Value::Null] {
        delivers(&world, DELIVERY, &with(json!({"sender": sender}))).await.problem(403, "sender_not_allowed");
    }
    for repository in [json!({"id": 43, "full_name": "o/control"}), Value::Null] {
        delivers(&world, DELIVERY, &with(json!({"repository": repository}))).await.problem(401, "unauthenticated");
    }
    for signature in [hub_signature("another secret altogether", good.to_string().as_bytes()), hub_signature(APP_SECRET, b"{}")] {
        let request = world.nobody().request(Method::POST, PATH).header("x-hub-signature-256", signature);
        let request = request.header("x-github-event", "repository_dispatch").header("x-github-delivery", DELIVERY);
        sent(request.body(good.to_string())).await.unwrap().problem(401, "unauthenticated");
    }
    let stamped = dispatch("pager-ask", json!({"id": "rel-1", "sender": {"id": 7}}), json!({}));
    assert_eq!(delivers(&world, DELIVERY, &stamped).await.problem(422, "unknown_field")["field"], "sender");
    let crowd = asking("rel-1", json!({"text": "x".repeat(66_000)}));
    delivers(&world, DELIVERY, &crowd).await.problem(413, "too_large");
    assert_eq!(world.held().await, before);
}

#[tokio::test]
async fn a_ping_and_what_is_none_of_ours_is_taken_and_ignored() {
    let world = guarded_world(&FakeOidc::start().await).await;
    let before = world.held().await;
    let ping = sent(delivery(&world, "ping", DELIVERY, &json!({"zen": "Design for failure."}))).await.unwrap();
    assert_eq!(ping.with(200), json!({"ignored": "a ping"}));
    for action in ["deploy", "pager-text", "pager-answered"] {
        let reply = delivers(&world, DELIVERY, &dispatch(action, json!({"id": "rel-1"}), json!({}))).await;
        assert!(reply.with(200)["ignored"].is_string(), "{action}");
    }
    let push = sent(delivery(&world, "push", DELIVERY, &asking("rel-1", json!({})))).await.unwrap();
    assert!(push.with(200)["ignored"].is_string());
    assert_eq!(world.held().await, before);
    assert!(world.log().contains("ignored"));
    delivers(&world, DELIVERY, &asking("rel-1", json!({}))).await.with(201);
}
