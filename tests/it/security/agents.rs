//! Over HTTP: an agent can never answer, and sees only its own.

use serde_json::json;

use crate::world::World;

const WRITES: [&str; 3] = ["answer", "decline", "cancel"];

#[tokio::test]
async fn an_agent_cannot_answer_decline_or_cancel_its_own_question() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let agent = world.agent();
    agent.post("/v1/questions/rel-1/answer", &json!({"answer": "Yes", "option": "1"})).await.problem(403, "forbidden");
    agent.post_empty("/v1/questions/rel-1/decline").await.problem(403, "forbidden");
    agent.post_empty("/v1/questions/rel-1/cancel").await.problem(403, "forbidden");
    agent.get("/v1/inbox/open").await.problem(403, "forbidden");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn another_agents_question_is_as_unknown_as_none() {
    let world = World::start().await;
    let record = world.asks("rel-1").await;
    let incarnation = record["incarnation"].as_str().unwrap();
    let other = world.caller(&world.new_token("agent", "other").await);
    for path in ["", "/answer", "/answer?since=1", &format!("/answer?incarnation={incarnation}")] {
        let seen = other.get(&format!("/v1/questions/rel-1{path}")).await;
        let unknown = other.get(&format!("/v1/questions/never{path}")).await;
        assert_eq!((seen.status, &seen.text), (404, &unknown.text), "{path}");
    }
    for body in [json!({}), json!({"incarnation": incarnation}), json!({"incarnation": "0123456789abcdef"})] {
        let seen = other.post("/v1/questions/rel-1/withdraw", &body).await;
        let unknown = other.post("/v1/questions/never/withdraw", &body).await;
        assert_eq!((seen.status, &seen.text), (404, &unknown.text), "{body}");
    }
    assert_eq!(other.get("/v1/questions").await.with(200)["items"], json!([]));
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn an_owner_cannot_ask_or_withdraw() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let draft = json!({"text": "A?", "options": [{"label": "a"}, {"label": "b"}]});
    world.owner().post("/v1/questions", &draft).await.problem(403, "forbidden");
    world.owner().post("/v1/questions/rel-1/withdraw", &json!({})).await.problem(403, "forbidden");
    world.owner().get("/v1/questions/rel-1/answer").await.problem(403, "forbidden");
    world.owner().get("/v1/questions/rel-1").await.with(200);
}

#[tokio::test]
async fn without_a_valid_token_nothing_is_told() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let tampered = format!("{}x", world.owner_token);
    for caller in [world.nobody(), world.caller("pager_owner_guess"), world.caller(""), world.caller(&tampered)] {
        for path in ["/v1/questions", "/v1/questions/rel-1", "/v1/questions/rel-1/answer", "/v1/inbox/open"] {
            let reply = caller.get(path).await;
            assert_eq!(reply.header("www-authenticate"), "Bearer", "{path}");
            reply.problem(401, "unauthenticated");
        }
        caller.post("/v1/questions", &json!({"text": "A?"})).await.problem(401, "unauthenticated");
        for write in WRITES {
            caller.post(&format!("/v1/questions/rel-1/{write}"), &json!({"answer": "x"})).await.problem(401, "unauthenticated");
        }
    }
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn path_tricks_in_ids_lead_nowhere() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let outside = world.folder().join("secret.json");
    std::fs::write(&outside, "{}").unwrap();
    for id in
        ["..%2Fsecret", "..%2f..%2fsecret", "rel-1.json", "rel-1%00", "REL-1", "%2e%2e", "rel-1%2F", ".git", "-rel", "rel_1"]
    {
        world.agent().get(&format!("/v1/questions/{id}")).await.problem(404, "not_found");
        world.agent().get(&format!("/v1/questions/{id}/answer")).await.problem(404, "not_found");
        world.owner().post(&format!("/v1/questions/{id}/answer"), &json!({"answer": "x"})).await.problem(404, "not_found");
    }
    for id in ["../secret", "a/b", ".git", "REL-1", "", "-a", "a\u{0}", "ä", &"a".repeat(65)] {
        let draft = json!({"id": id, "text": "A?", "options": [{"label": "a"}, {"label": "b"}]});
        assert_eq!(world.agent().post("/v1/questions", &draft).await.problem(422, "invalid")["field"], "id", "{id:?}");
    }
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "{}");
}

#[tokio::test]
async fn sql_in_texts_is_text() {
    let world = World::start().await;
    let text = "'); DROP TABLE questions; --";
    world.asks_with(json!({"id": "sql", "text": text, "options": [{"label": text}, {"label": "b"}]})).await;
    let answer = world.owner().post("/v1/questions/sql/answer", &json!({"answer": text})).await.with(200);
    assert_eq!((&answer["question"], &answer["answer"]), (&json!(text), &json!(text)));
}
