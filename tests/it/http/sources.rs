//! A source that starts over: its open questions end, and nothing else does.

use serde_json::{Value, json};

use crate::world::World;

fn ids(reply: &Value) -> Vec<&str> {
    reply["items"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap()).collect()
}

async fn three(world: &World) {
    world.asks("settled").await;
    world.owner().post("/v1/questions/settled/answer", &json!({"answer": "Go"})).await.with(200);
    world.asks("one").await;
    world.asks("two").await;
    let other = world.caller(&world.new_token("agent", "other").await);
    other.post("/v1/questions", &json!({"id": "foreign", "text": "A?", "waiting_on": "x"})).await.with(201);
}

#[tokio::test]
async fn by_the_owner_what_was_open_is_cancelled_by_the_service() {
    let world = World::start().await;
    three(&world).await;
    let reply = world.owner().post_empty("/v1/sources/tester/reset").await.with(200);
    assert_eq!(ids(&reply), ["one", "two"]);
    for id in ["one", "two"] {
        let record = world.record(id).await;
        assert_eq!((&record["state"], &record["reason"]), (&json!("cancelled"), &json!("source_reset")));
        assert_eq!(record["resolved_by"], json!({"kind": "service", "id": null, "via": null}));
        assert!(world.answer_file(id).unwrap().contains("\"reason\": \"source_reset\""));
    }
    assert_eq!(world.record("settled").await["state"], "answered");
    assert_eq!(world.owner().get("/v1/questions/foreign").await.with(200)["state"], "open");
    assert_eq!(ids(&world.owner().post_empty("/v1/sources/tester/reset").await.with(200)), Vec::<&str>::new());
}

#[tokio::test]
async fn by_the_agent_itself_it_is_withdrawn_and_has_no_file() {
    let world = World::start().await;
    three(&world).await;
    assert_eq!(ids(&world.agent().post_empty("/v1/sources/tester/reset").await.with(200)), ["one", "two"]);
    let record = world.record("one").await;
    assert_eq!((&record["state"], &record["reason"]), (&json!("withdrawn"), &json!("source_reset")));
    assert_eq!(record["resolved_by"]["id"], "agent:tester");
    assert_eq!(world.answer_file("one"), None);
}

#[tokio::test]
async fn nobody_else_starts_a_source_over() {
    let world = World::start().await;
    three(&world).await;
    let unknown = world.agent().post_empty("/v1/sources/nobody-at-all/reset").await;
    let foreign = world.agent().post_empty("/v1/sources/other/reset").await;
    assert_eq!((foreign.status, &foreign.text), (404, &unknown.text));
    world.nobody().post_empty("/v1/sources/tester/reset").await.problem(401, "unauthenticated");
    world.owner().post("/v1/sources/tester/reset", &json!({"all": true})).await.problem(400, "malformed");
    for bad in ["..%2Fx", "-x", "a%00b"] {
        world.owner().post_empty(&format!("/v1/sources/{bad}/reset")).await.problem(404, "not_found");
    }
    assert_eq!(world.record("one").await["state"], "open");
}
