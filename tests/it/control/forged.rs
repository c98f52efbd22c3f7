//! Events without a proof that holds: all are turned away, and nothing is changed by any of them.

use pager_tests::fake_oidc::FakeOidc;
use serde_json::json;

use super::sending::{SECRET, guarded_world, now, question, shared_secret, signature, signed_world};
use crate::world::{World, sent};

const ID: &str = "event-0001";

#[tokio::test]
async fn nothing_is_taken_where_nothing_is_set_up() {
    let world = World::start().await;
    let before = world.held().await;
    let body = question("rel-1", json!({})).to_string();
    sent(world.event(ID, body.as_bytes())).await.unwrap().problem(401, "unauthenticated");
    sent(world.signed_event(ID, body.as_bytes())).await.unwrap().problem(401, "unauthenticated");
    sent(world.event(ID, body.as_bytes()).bearer_auth(&world.agent_token)).await.unwrap().problem(401, "unauthenticated");
    sent(world.event(ID, body.as_bytes()).bearer_auth(&world.owner_token)).await.unwrap().problem(401, "unauthenticated");
    assert_eq!(world.held().await, before);
    world.nobody().get("/v1/control").await.problem(405, "method_not_allowed");
}

#[tokio::test]
async fn a_signature_that_is_late_early_or_over_something_else_is_refused() {
    let world = signed_world().await;
    let before = world.held().await;
    let body = question("rel-1", json!({})).to_string();
    let other = question("rel-2", json!({})).to_string();
    let at = |seconds: i64| (now() + seconds).to_string();
    for (what, time, id, over, secret) in [
        ("late", at(-302), ID, &body, SECRET),
        ("early", at(302), ID, &body, SECRET),
        ("another body", at(0), ID, &other, SECRET),
        ("another id", at(0), "event-0002", &body, SECRET),
        ("another secret", at(0), ID, &body, b"another secret of 32 characters!"),
    ] {
        let signed = signature(secret, id, &time, over.as_bytes());
        let request = world.event(ID, body.as_bytes()).header("webhook-timestamp", &time).header("webhook-signature", signed);
        let problem = sent(request).await.unwrap().problem(401, "unauthenticated");
        assert!(problem["detail"].as_str().unwrap().starts_with("The event's proof does not hold"), "{what}: {problem}");
    }
    for (signed_at, sent_at) in [(at(-299), at(-299)), (at(0), at(0))] {
        let signed = signature(SECRET, ID, &signed_at, body.as_bytes());
        let request = world.event(ID, body.as_bytes()).header("webhook-timestamp", &sent_at).header("webhook-signature", signed);
        assert_eq!(sent(request).await.unwrap().status, 201);
    }
    assert!(before.len() < world.held().await.len());
}

#[tokio::test]
async fn secrets_are_exchanged_without_a_gap() {
    let new = b"the next secret of 32 characters";
    let mut world = signed_world().await;
    world.terminate().await;
    world.set("PAGER_CONTROL__SECRETS", &format!("{},{}", shared_secret(new), shared_secret(SECRET)));
    world.serve().await;
    let send = async |world: &World, id: &str, secrets: &[&[u8]]| {
        let body = question(id, json!({})).to_string();
        let (id, at) = (format!("event-{id}"), now().to_string());
        let signed: Vec<String> = secrets.iter().map(|secret| signature(secret, &id, &at, body.as_bytes())).collect();
        let request = world.event(&id, body.as_bytes()).header("webhook-timestamp", &at);
        sent(request.header("webhook-signature", signed.join(" "))).await.unwrap().status
    };
    assert_eq!(send(&world, "rel-1", &[SECRET]).await, 201);
    assert_eq!(send(&world, "rel-2", &[new]).await, 201);
    world.terminate().await;
    world.set("PAGER_CONTROL__SECRETS", &shared_secret(new));
    world.serve().await;
    assert_eq!(send(&world, "rel-3", &[SECRET]).await, 401);
    assert_eq!(send(&world, "rel-4", &[SECRET, new]).await, 201);
}

#[tokio::test]
async fn a_request_with_two_proofs_is_refused() {
    let issuer = FakeOidc::start().await;
    let world = guarded_world(&issuer).await;
    let body = question("rel-1", json!({"sender": {"id": 7}})).to_string();
    let both = world.signed_event(ID, body.as_bytes()).bearer_auth("x.y.z");
    sent(both).await.unwrap().problem(401, "unauthenticated");
    // What a proxy in front asks for is no second proof, and none by itself.
    let behind_a_proxy = world.signed_event("event-behind", body.as_bytes()).basic_auth("proxy", Some("word"));
    assert_eq!(sent(behind_a_proxy).await.unwrap().status, 201);
    sent(world.event(ID, body.as_bytes()).basic_auth("proxy", Some("word"))).await.unwrap().problem(401, "unauthenticated");
    let body = question("rel-2", json!({"sender": {"id": 7}})).to_string();
    assert_eq!(sent(world.signed_event(ID, body.as_bytes())).await.unwrap().status, 201);
}

#[tokio::test]
async fn no_secret_and_no_token_is_logged() {
    let issuer = FakeOidc::start().await;
    let world = guarded_world(&issuer).await;
    let body = question("rel-1", json!({})).to_string();
    sent(world.event(ID, body.as_bytes()).bearer_auth("eyJsecretive.token.here")).await.unwrap().problem(401, "unauthenticated");
    let log = world.log();
    assert!(log.contains("turned away"), "{log}");
    for secret in ["secretive", &shared_secret(SECRET), super::sending::APP_SECRET] {
        assert!(!log.contains(secret), "{log}");
    }
}
