//! Events that a workflow proves with a token of its issuer's.

use pager_tests::fake_oidc::FakeOidc;
use pager_tests::keys::Key;
use serde_json::{Value, json};

use super::sending::{audience, claims, guarded_world, question, withdrawal};

const OWN: &str = "o/control/.github/workflows/pager-forward.yml";

/// A question that account 7 dispatched, as bytes.
fn body(id: &str) -> Vec<u8> {
    question(id, json!({"sender": {"id": 7, "login": "olga"}})).to_string().into_bytes()
}

#[tokio::test]
async fn a_workflow_asks_and_takes_back_with_a_token_for_each_event() {
    let issuer = FakeOidc::start().await;
    let world = guarded_world(&issuer).await;
    let ask = body("rel-1");
    let token = issuer.token(&claims(), &audience(&ask));
    let record = world.sends_with(&token, "event-0001", &ask).await.with(201);
    assert_eq!((&record["state"], &record["source"]["agent"]), (&json!("open"), &json!("control")));
    let back = withdrawal("rel-1", json!({"sender": {"id": 7}})).to_string().into_bytes();
    let token = issuer.token(&claims(), &audience(&back));
    assert_eq!(world.sends_with(&token, "event-0002", &back).await.with(200)["state"], "withdrawn");
    assert_eq!((issuer.discovery_fetches(), issuer.key_fetches()), (1, 1));
}

#[tokio::test]
async fn a_forged_late_or_other_token_is_refused_and_changes_nothing() {
    let issuer = FakeOidc::start().await;
    let world = guarded_world(&issuer).await;
    // The keys are known before the odd ones come, so that none of them is refused for want of keys.
    let first = body("rel-0");
    world.sends_with(&issuer.token(&claims(), &audience(&first)), "event-0000", &first).await.with(201);
    let before = world.held().await;
    let ask = body("rel-1");
    let wanted = audience(&ask);
    let odd = || issuer.odd(&claims(), &wanted);
    let now = odd().claim_of("iat").as_i64().unwrap();
    let tampered = {
        let token = odd().token();
        let parts: Vec<&str> = token.split('.').collect();
        let other = odd().claim("repository_id", "43").token();
        format!("{}.{}.{}", parts[0], other.split('.').nth(1).unwrap(), parts[2])
    };
    let mut tokens = vec![
        ("no algorithm", odd().header("alg", "none").token()),
        ("the public key as a shared secret", odd().header("alg", "HS256").token()),
        ("another algorithm", odd().header("alg", "RS512").token()),
        ("an algorithm in other letters", odd().header("alg", "rs256").token()),
        ("no key named", odd().header("kid", Value::Null).token()),
        ("signed by another key", odd().signed_by(Key::number(2)).token()),
        ("claims exchanged", tampered),
        ("an audience in a list", odd().claim("aud", json!([wanted])).token()),
        ("a second audience", odd().claim("aud", json!([wanted, "https://other.example"])).token()),
        ("the audience of another body", odd().claim("aud", audience(b"{}")).token()),
        ("the usual audience", odd().claim("aud", "https://github.com/o").token()),
        ("another issuer", odd().claim("iss", "https://token.actions.githubusercontent.com").token()),
        ("another repository", odd().claim("repository_id", "43").token()),
        ("a repository's number", odd().claim("repository_id", 42).token()),
        ("another event", odd().claim("event_name", "pull_request_target").token()),
        ("another ref", odd().claim("ref", "refs/heads/evil").token()),
        ("expired", odd().claim("exp", now - 60).token()),
        ("not good yet", odd().claim("nbf", now + 60).token()),
        ("issued in the future", odd().claim("iat", now + 120).token()),
        ("issued long ago", odd().claim("iat", now - 700).claim("exp", now + 3600).token()),
        ("no token at all", "x".to_owned()),
        ("an agent's token", world.agent_token.clone()),
    ];
    for claim in ["iss", "aud", "exp", "nbf", "iat", "jti", "repository_id", "workflow_ref", "event_name", "ref"] {
        tokens.push(("a claim is missing", odd().without(claim).token()));
    }
    for workflow in [
        format!("{OWN}@refs/heads/main@refs/heads/evil"),
        format!("{OWN}@refs/heads/evil@refs/heads/main"),
        format!("{OWN}.yml@refs/heads/main"),
        format!("{OWN}@refs/tags/main"),
        "o/control/.github/workflows/evil.yml@refs/heads/main".to_owned(),
        "evil/control/.github/workflows/pager-forward.yml@refs/heads/main".to_owned(),
    ] {
        tokens.push(("another workflow", odd().claim("workflow_ref", workflow).token()));
    }
    for (what, token) in tokens {
        let reply = world.sends_with(&token, "event-0001", &ask).await;
        assert_eq!(reply.status, 401, "{what}: {reply:?}");
        reply.problem(401, "unauthenticated");
    }
    // It may be a new one that the issuer has by now: whoever has it can send again.
    let unknown = odd().header("kid", "key-of-mallory").token();
    world.sends_with(&unknown, "event-0001", &ask).await.problem(503, "unavailable");
    assert_eq!(world.held().await, before);
    assert_eq!(issuer.key_fetches(), 1, "an unknown key does not make us ask at once");
}

#[tokio::test]
async fn a_body_that_was_exchanged_on_the_way_is_refused() {
    let issuer = FakeOidc::start().await;
    let world = guarded_world(&issuer).await;
    let (ask, other) = (body("rel-1"), body("rel-2"));
    let token = issuer.token(&claims(), &audience(&ask));
    world.sends_with(&token, "event-0001", &other).await.problem(401, "unauthenticated");
    let spaced = [ask.as_slice(), b" "].concat();
    world.sends_with(&token, "event-0001", &spaced).await.problem(401, "unauthenticated");
    world.sends_with(&token, "event-0001", &ask).await.with(201);
}

#[tokio::test]
async fn a_token_counts_for_one_event_which_may_come_again() {
    let issuer = FakeOidc::start().await;
    let world = guarded_world(&issuer).await;
    // Without an id: asked once more as another event it would be another question.
    let words = json!({"type": "ask", "text": "Which port?", "waiting_on": "the deploy", "sender": {"id": 7}});
    let ask = words.to_string().into_bytes();
    let token = issuer.token(&claims(), &audience(&ask));
    let first = world.sends_with(&token, "event-0001", &ask).await;
    assert_eq!(first.status, 201);
    let again = world.sends_with(&token, "event-0001", &ask).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    let before = world.held().await;
    world.sends_with(&token, "event-0002", &ask).await.problem(401, "proof_reused");
    assert_eq!(world.held().await, before);
    // A workflow that tries again asks for a new token. That one is used up then, too.
    let new = issuer.token(&claims(), &audience(&ask));
    let again = world.sends_with(&new, "event-0001", &ask).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    world.sends_with(&new, "event-0002", &ask).await.problem(401, "proof_reused");
}

#[tokio::test]
async fn an_issuer_that_cannot_be_asked_is_no_refusal() {
    let issuer = FakeOidc::start().await;
    let world = guarded_world(&issuer).await;
    issuer.set_down(true);
    let before = world.held().await;
    let ask = body("rel-1");
    let token = issuer.token(&claims(), &audience(&ask));
    world.sends_with(&token, "event-0001", &ask).await.problem(503, "unavailable");
    world.sends_with(&token, "event-0001", &ask).await.problem(503, "unavailable");
    assert_eq!(issuer.discovery_fetches(), 1, "once a minute");
    assert_eq!(world.held().await, before);
}
