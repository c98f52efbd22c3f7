//! A write may name the revision that it was decided on: a stale one changes nothing.

use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn a_stale_revision_is_refused_by_every_write_and_the_right_one_counts() {
    let world = World::start().await;
    for (id, write) in [("q-1", "answer"), ("q-2", "cancel"), ("q-3", "withdraw")] {
        let record = world.asks(id).await;
        let caller = if write == "withdraw" { world.agent() } else { world.owner() };
        let body = |revision: u64| {
            let mut body = json!({"incarnation": record["incarnation"], "expected_revision": revision});
            if write == "answer" {
                body["answer"] = "Go".into();
            }
            body
        };
        let revision = record["revision"].as_u64().unwrap();
        let path = format!("/v1/questions/{id}/{write}");
        for stale in [revision - 1, revision + 1] {
            let problem = caller.post(&path, &body(stale)).await.problem(409, "revision_conflict");
            assert_eq!(problem["field"], "expected_revision");
        }
        assert_eq!(world.record(id).await["state"], "open", "{write}");
        caller.post(&path, &body(revision)).await.with(200);
    }
}

#[tokio::test]
async fn what_happened_since_makes_a_revision_stale() {
    let world = World::start().await;
    let revision = world.asks("q-1").await["revision"].clone();
    world.owner().post("/v1/questions/q-1/answer", &json!({"answer": "Go"})).await.with(200);
    let late = json!({"answer": "Stop", "expected_revision": revision});
    world.owner().post("/v1/questions/q-1/answer", &late).await.problem(409, "revision_conflict");
    assert_eq!(world.record("q-1").await["answer"]["answer"], "Go");
}

#[tokio::test]
async fn a_repeated_write_with_its_key_is_told_again_whatever_its_revision() {
    let world = World::start().await;
    let revision = world.asks("q-1").await["revision"].clone();
    let body = json!({"answer": "Go", "expected_revision": revision});
    let send = async || {
        let request = world.owner().request(reqwest::Method::POST, "/v1/questions/q-1/answer");
        crate::world::sent(request.header("idempotency-key", "key-1").json(&body)).await.unwrap().with(200)
    };
    let first = send().await;
    assert_eq!(send().await, first);
}

#[tokio::test]
async fn a_revision_is_a_whole_number_and_tells_nothing_to_strangers() {
    let world = World::start().await;
    world.asks("q-1").await;
    for odd in [json!("1"), json!(-1), json!(1.5)] {
        let body = json!({"answer": "Go", "expected_revision": odd});
        let problem = world.owner().post("/v1/questions/q-1/answer", &body).await.problem(422, "invalid");
        assert_eq!(problem["field"], "expected_revision");
    }
    let other = world.caller(&world.new_token("agent", "other").await);
    let foreign = other.post("/v1/questions/q-1/withdraw", &json!({"expected_revision": 99})).await;
    let unknown = other.post("/v1/questions/never/withdraw", &json!({"expected_revision": 99})).await;
    assert_eq!((foreign.status, &foreign.text), (404, &unknown.text));
}
