//! How much of one source is live, and what becomes of what is older.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::world::{Caller, World, until};

fn draft(id: &str) -> Value {
    json!({"id": id, "text": format!("Release {id}?"), "options": [{"label": "Yes, release"}, {"label": "No"}]})
}

async fn ask_all(agent: &Caller, ids: &[String]) {
    for some in ids.chunks(32) {
        let drafts: Vec<Value> = some.iter().map(|id| draft(id)).collect();
        for reply in join_all(drafts.iter().map(|draft| agent.post("/v1/questions", draft))).await {
            reply.with(201);
        }
    }
}

async fn withdraw(agent: &Caller, id: &str) {
    agent.post(&format!("/v1/questions/{id}/withdraw"), &json!({})).await.with(200);
}

fn ids(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("q-{number:03}")).collect()
}

#[tokio::test]
async fn the_257th_pending_question_of_a_source_is_refused_and_nobody_elses() {
    let world = World::start().await;
    let agent = world.agent();
    ask_all(&agent, &ids(256)).await;
    let problem = agent.post("/v1/questions", &draft("one-more")).await.problem(429, "capacity");
    let detail = problem["detail"].as_str().unwrap();
    for told in ["256 live records", "limits.records allows 256", "withdraw"] {
        assert!(detail.contains(told), "{told}: {detail}");
    }
    agent.get("/v1/questions/one-more").await.problem(404, "not_found");
    let unnamed = json!({"text": "Which port?", "waiting_on": "the deploy"});
    agent.post("/v1/questions", &unnamed).await.problem(429, "capacity");

    // What was asked before is given back, and nothing is new.
    let original = agent.post("/v1/questions", &draft("q-000")).await.with(200);
    assert_eq!(original["id"], "q-000");
    let other = Caller::new(world.address.clone(), Some(&world.new_token("agent", "other").await));
    other.post("/v1/questions", &draft("of-another")).await.with(201);

    withdraw(&agent, "q-000").await;
    agent.post("/v1/questions", &draft("one-more")).await.with(201);
    agent.post("/v1/questions", &draft("two-more")).await.problem(429, "capacity");
    // The one that made room is still there.
    assert_eq!(world.record("q-000").await["state"], "withdrawn");
    world.owner().post("/v1/questions/q-001/answer", &json!({"answer": "Go"})).await.with(200);
    agent.post("/v1/questions", &draft("two-more")).await.with(201);
}

#[tokio::test]
async fn a_replay_comes_back_although_its_source_is_full() {
    let world = World::start_with(&[("PAGER_LIMITS__RECORDS", "2")]).await;
    let published = json!({"text": "Which port?", "waiting_on": "the deploy", "publication_id": "p-1"});
    let unnamed = json!({"text": "Which host?", "waiting_on": "the deploy"});
    let agent = world.agent();
    for draft in [&published, &unnamed] {
        let first = agent.post("/v1/questions", draft).await.with(201);
        let again = agent.post("/v1/questions", draft).await.with(200);
        assert_eq!((&again["id"], &again["asked_at"]), (&first["id"], &first["asked_at"]));
    }
    for draft in [&published, &unnamed] {
        agent.post("/v1/questions", draft).await.with(200);
    }
    let changed = json!({"text": "Which port now?", "waiting_on": "the deploy", "publication_id": "p-1"});
    agent.post("/v1/questions", &changed).await.problem(409, "draft_changed");
}

#[tokio::test]
async fn bytes_are_limited_too_and_the_numbers_are_told() {
    let world = World::start_with(&[("PAGER_LIMITS__BYTES", "2500"), ("PAGER_LIMITS__RECORDS", "0")]).await;
    let agent = world.agent();
    let long = |id: &str| json!({"id": id, "text": "x".repeat(700), "options": [{"label": "Yes"}, {"label": "No"}]});
    agent.post("/v1/questions", &long("a")).await.with(201);
    let problem = agent.post("/v1/questions", &long("b")).await.problem(429, "capacity");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("limits.bytes allows 2500") && detail.contains("needs"), "{detail}");
    // What is there may grow: an answer is never refused for want of room.
    world.owner().post("/v1/questions/a/answer", &json!({"answer": "y".repeat(1000)})).await.with(200);
    agent.post("/v1/questions", &long("b")).await.with(201);
}

#[tokio::test]
async fn zero_is_no_limit() {
    let world = World::start_with(&[("PAGER_LIMITS__BYTES", "0"), ("PAGER_LIMITS__RECORDS", "0")]).await;
    ask_all(&world.agent(), &ids(300)).await;
    let open = world.owner().get("/v1/inbox/open?limit=1000").await.with(200);
    assert_eq!(open["items"].as_array().unwrap().len(), 300);
}

#[tokio::test]
async fn what_left_the_history_leaves_its_id_used_also_after_a_restart() {
    let mut world = World::start().await;
    let agent = world.agent();
    let ids = ids(36);
    ask_all(&agent, &ids).await;
    for id in &ids {
        withdraw(&agent, id).await;
    }
    world.kill9().await;
    world.serve_with(&[("PAGER_HISTORY__KEEP", "0s")]).await;
    // The newest 32 are in the window, whatever their age.
    for id in &ids[..4] {
        let agent = world.agent();
        until(&format!("{id} is forgotten"), async || {
            (agent.get(&format!("/v1/questions/{id}")).await.status == 404).then_some(())
        })
        .await;
    }
    for id in &ids[4..] {
        assert_eq!(world.record(id).await["state"], "withdrawn");
    }
    for _ in 0..2 {
        world.agent().post("/v1/questions", &draft("q-000")).await.problem(409, "id_used");
        world.restart().await;
    }
}
