//! Asking: the same again is the same, and an id stays used for ever.

use serde_json::{Value, json};

use crate::world::World;

fn draft(id: &str) -> Value {
    json!({"id": id, "text": format!("Release {id}?"), "options": [{"label": "Yes, release"}, {"label": "No"}]})
}

#[tokio::test]
async fn a_new_question_is_told_as_the_whole_record() {
    let world = World::start().await;
    let record = world.asks("rel-1").await;
    for field in
        ["header", "deadline", "default", "gate", "subject", "digest", "steps", "issue", "about", "wake", "answer", "save"]
    {
        assert_eq!(record.get(field), Some(&Value::Null), "{field}");
    }
    assert_eq!((&record["state"], &record["uncertain"], &record["warnings"]), (&json!("open"), &json!(false), &json!([])));
    assert_eq!(record["source"]["agent"], "tester");
    assert_eq!(record["options"], json!([{"id": "1", "label": "Yes, release"}, {"id": "2", "label": "No"}]));
    let incarnation = record["incarnation"].as_str().unwrap();
    assert!(incarnation.len() == 16 && incarnation.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let asked_at = record["asked_at"].as_str().unwrap();
    assert!(asked_at.len() == 24 && asked_at.ends_with('Z'), "{asked_at}");
}

#[tokio::test]
async fn the_same_id_and_draft_give_the_original_with_its_time() {
    let world = World::start().await;
    let first = world.asks("rel-1").await;
    let again = world.agent().post("/v1/questions", &draft("rel-1")).await.with(200);
    assert_eq!((&again["asked_at"], &again["incarnation"]), (&first["asked_at"], &first["incarnation"]));
    assert_eq!(world.agent().get("/v1/questions").await.with(200)["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_same_id_with_another_draft_is_refused() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let mut other = draft("rel-1");
    other["text"] = "Something else?".into();
    assert_eq!(world.agent().post("/v1/questions", &other).await.problem(409, "id_used")["field"], "id");
    let mut waiting_on = draft("rel-1");
    waiting_on["waiting_on"] = "more".into();
    world.agent().post("/v1/questions", &waiting_on).await.problem(409, "id_used");
}

#[tokio::test]
async fn another_agents_id_is_used_even_with_the_same_draft() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let other = world.caller(&world.new_token("agent", "other").await);
    other.post("/v1/questions", &draft("rel-1")).await.problem(409, "id_used");
}

#[tokio::test]
async fn an_id_stays_used_after_its_answer_its_withdrawal_and_a_restart() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    world.asks("rel-2").await;
    world.agent().post("/v1/questions/rel-2/withdraw", &json!({})).await.with(200);
    world.restart().await;
    for id in ["rel-1", "rel-2"] {
        world.agent().post("/v1/questions", &draft(id)).await.problem(409, "id_used");
    }
}

#[tokio::test]
async fn an_id_that_git_already_has_counts_as_used() {
    let world = World::start().await;
    world.asks("rel-0").await;
    world.owner().post("/v1/questions/rel-0/answer", &json!({"answer": "Go"})).await.with(200);
    world.commit_from_elsewhere("answers/old-1.json", "{}\n");
    world.agent().post("/v1/questions", &draft("old-1")).await.problem(409, "id_used");
    assert_eq!(world.answer_file("old-1").unwrap(), "{}\n");
}

#[tokio::test]
async fn a_replayed_publication_gives_the_record_even_when_it_is_settled() {
    let world = World::start().await;
    let mut body = draft("rel-1");
    body["publication_id"] = "run-77/1".into();
    let first = world.asks_with(body.clone()).await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let again = world.agent().post("/v1/questions", &body).await.with(200);
    assert_eq!((&again["incarnation"], &again["state"]), (&first["incarnation"], &json!("answered")));
    body["text"] = "Another?".into();
    assert_eq!(world.agent().post("/v1/questions", &body).await.problem(409, "draft_changed")["field"], "publication_id");
}

#[tokio::test]
async fn without_an_id_an_identical_draft_meets_the_pending_one_and_after_the_end_is_new() {
    let world = World::start().await;
    let body = json!({"text": "Go on?", "options": [{"label": "Yes"}, {"label": "No"}]});
    let first = world.asks_with(body.clone()).await;
    let id = first["id"].as_str().unwrap();
    assert_eq!(world.agent().post("/v1/questions", &body).await.with(200)["id"], id);
    let mut other = body.clone();
    other["source"] = json!({"task": "T-2"});
    assert_ne!(world.agent().post("/v1/questions", &other).await.with(201)["id"], id);
    world.owner().post(&format!("/v1/questions/{id}/answer"), &json!({"answer": "Go"})).await.with(200);
    assert_ne!(world.agent().post("/v1/questions", &body).await.with(201)["id"], id);
}

#[tokio::test]
async fn twenty_askers_of_one_id_make_one_question() {
    let world = World::start().await;
    let agent = world.agent();
    let replies = futures_util::future::join_all((0..20).map(|_| {
        let agent = agent.clone();
        async move { agent.post("/v1/questions", &draft("rel-1")).await }
    }))
    .await;
    let created = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!((created, replies.iter().filter(|reply| reply.status == 200).count()), (1, 19));
    let first = replies[0].json()["incarnation"].clone();
    assert!(replies.iter().all(|reply| reply.json()["incarnation"] == first));
}

#[tokio::test]
async fn the_agent_in_the_body_is_not_believed() {
    let world = World::start().await;
    let mut body = draft("rel-1");
    body["source"] = json!({"agent": "somebody-else", "task": "T-1"});
    assert_eq!(world.asks_with(body).await["source"]["agent"], "tester");
}

#[tokio::test]
async fn twenty_askers_of_one_draft_without_an_id_make_one_question() {
    let world = World::start().await;
    for publication in [None, Some("run-7/1")] {
        let mut body = json!({"text": format!("Go on, {publication:?}?"), "options": [{"label": "Yes"}, {"label": "No"}]});
        if let Some(publication) = publication {
            body["publication_id"] = publication.into();
        }
        let (agent, body) = (world.agent(), &body);
        let replies = futures_util::future::join_all((0..20).map(|_| {
            let agent = agent.clone();
            async move { agent.post("/v1/questions", body).await }
        }))
        .await;
        let first = replies[0].json()["id"].clone();
        assert!(replies.iter().all(|reply| reply.json()["id"] == first), "{publication:?}: several questions were made");
        assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
    }
}
