//! Requests over HTTP: work that agents and owners ask for, and what is replied.

use serde_json::{Value, json};

use crate::world::{Caller, World};

fn request(id: &str, more: Value) -> Value {
    let mut body = json!({"id": id, "title": "Build this Rust parser", "text": "With tests,\nplease.", "tags": ["cap:rust"]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn makes(caller: &Caller, id: &str) -> Value {
    caller.post("/v1/requests", &request(id, json!({}))).await.with(201)
}

async fn replies(caller: &Caller, request: &str, text: &str) -> Value {
    let body = json!({"title": "Built, untested", "text": text});
    caller.post(&format!("/v1/requests/{request}/replies"), &body).await.with(201)
}

async fn ids(caller: &Caller, query: &str) -> Vec<String> {
    let page = caller.get(&format!("/v1/requests{query}")).await.with(200);
    page["items"].as_array().unwrap().iter().map(|request| request["id"].as_str().unwrap().to_owned()).collect()
}

async fn helper(world: &World) -> Caller {
    world.caller(&world.new_token("agent", "helper").await)
}

#[tokio::test]
async fn an_agent_and_an_owner_ask_for_work_and_everybody_who_may_reads_it() {
    let mut world = World::start().await;
    let made = makes(&world.agent(), "r-1").await;
    assert_eq!(made["from"], json!({"kind": "agent", "id": "agent:tester", "via": "http"}));
    assert_eq!((&made["title"], &made["text"]), (&json!("Build this Rust parser"), &json!("With tests,\nplease.")));
    assert_eq!((&made["tags"], &made["state"], &made["warnings"]), (&json!(["cap:rust"]), &json!("open"), &json!([])));
    let owners = makes(&world.owner(), "r-2").await;
    assert_eq!(owners["from"], json!({"kind": "owner", "id": "token:olga", "via": "http"}));
    let unnamed = json!({"title": "T", "text": "x"});
    let unnamed = world.agent().post("/v1/requests", &unnamed).await.with(201)["id"].as_str().unwrap().to_owned();
    assert!(unnamed.starts_with("r-") && unnamed.len() == 18, "{unnamed}");
    world.restart().await;
    let helper = helper(&world).await;
    for reader in [&helper, &world.owner()] {
        assert_eq!(ids(reader, "").await, [unnamed.as_str(), "r-2", "r-1"], "newest first");
        let shown = reader.get("/v1/requests/r-1").await.with(200);
        assert_eq!((&shown["answers"], &shown["replies"], &shown["clarifies"]), (&json!(0), &json!([]), &json!([])));
        assert_eq!((&shown["text"], &shown["at"]), (&made["text"], &made["at"]));
    }
}

#[tokio::test]
async fn what_is_asked_for_again_is_the_original_and_what_changed_is_refused() {
    let world = World::start().await;
    let agent = world.agent();
    let made = makes(&agent, "r-1").await;
    let again = agent.post("/v1/requests", &request("r-1", json!({}))).await.with(200);
    assert_eq!((&again["at"], &again["state"]), (&made["at"], &made["state"]));
    replies(&helper(&world).await, "r-1", "Here.").await;
    let again = agent.post("/v1/requests", &request("r-1", json!({}))).await.with(200);
    assert_eq!(again["state"], "answered");
    let changed = request("r-1", json!({"text": "Without tests."}));
    agent.post("/v1/requests", &changed).await.problem(409, "id_used");
    world.owner().post("/v1/requests", &request("r-1", json!({}))).await.problem(409, "id_used");
    world.asks("rel-1").await;
    agent.post("/v1/requests", &request("rel-1", json!({}))).await.problem(409, "id_used");
    let question = json!({"id": "r-1", "text": "A?", "options": [{"label": "a"}, {"label": "b"}]});
    agent.post("/v1/questions", &question).await.problem(409, "id_used");
    let published = json!({"title": "T", "text": "x", "publication_id": "p-1"});
    let first = agent.post("/v1/requests", &published).await.with(201);
    assert_eq!(agent.post("/v1/requests", &published).await.with(200)["id"], first["id"]);
    let changed = json!({"title": "T", "text": "y", "publication_id": "p-1"});
    agent.post("/v1/requests", &changed).await.problem(409, "draft_changed");
    assert_ne!(helper(&world).await.post("/v1/requests", &published).await.with(201)["id"], first["id"], "its own act");
}

#[tokio::test]
async fn what_breaks_a_rule_is_told_by_field_and_asks_for_nothing() {
    let world = World::start().await;
    for (more, code, field) in [
        (json!({"title": " "}), "invalid", "title"),
        (json!({"title": "x".repeat(201)}), "invalid", "title"),
        (json!({"text": null}), "invalid", "text"),
        (json!({"text": "x".repeat(4097)}), "invalid", "text"),
        (json!({"tags": ["two words"]}), "invalid", "tags[0]"),
        (json!({"tags": ["a", "a"]}), "invalid", "tags[1]"),
        (json!({"id": "R 1"}), "invalid", "id"),
        (json!({"from": "owner"}), "unknown_field", "from"),
        (json!({"deadline": "2099-01-01T00:00:00Z"}), "invalid", "deadline"),
    ] {
        let problem = world.agent().post("/v1/requests", &request("r-1", more)).await.problem(422, code);
        assert_eq!(problem["field"], field, "{problem}");
    }
    assert_eq!(ids(&world.agent(), "").await, [""; 0]);
    let odd = world.agent().post("/v1/requests", &request("r-1", json!({"deadline": 1.5}))).await.with(201);
    assert_eq!((&odd["deadline"], odd["warnings"].as_array().unwrap().len()), (&Value::Null, 1));
}

#[tokio::test]
async fn an_answer_of_somebody_else_answers_and_a_further_message_does_not() {
    let world = World::start().await;
    makes(&world.agent(), "r-1").await;
    let further = replies(&world.agent(), "r-1", "In Rust 2024.").await;
    assert_eq!((&further["kind"], &further["request"]), (&json!("message"), &json!("r-1")));
    assert_eq!(world.agent().get("/v1/requests/r-1").await.with(200)["state"], "open");
    let answer = replies(&helper(&world).await, "r-1", "Untested: nothing was compiled.").await;
    assert_eq!((&answer["kind"], &answer["author"]["id"]), (&json!("answer"), &json!("agent:helper")));
    let owners = replies(&world.owner(), "r-1", "Well done.").await;
    assert_eq!((&owners["kind"], &owners["author"]["kind"]), (&json!("answer"), &json!("owner")));
    let thread = world.agent().get("/v1/requests/r-1").await.with(200);
    assert_eq!((&thread["state"], &thread["answers"]), (&json!("answered"), &json!(2)));
    assert_eq!(thread["replies"], json!([further, answer, owners]), "oldest first");
    // Every owner and device is one side.
    makes(&world.owner(), "r-2").await;
    let phone = world.caller(&world.new_token("device", "phone").await);
    assert_eq!(replies(&phone, "r-2", "By Friday.").await["kind"], "message");
}

#[tokio::test]
async fn a_reply_is_written_once_for_its_publication_and_needs_its_request() {
    let world = World::start().await;
    makes(&world.agent(), "r-1").await;
    makes(&world.agent(), "r-2").await;
    let helper = helper(&world).await;
    let body = json!({"title": "Built", "text": "Here.", "publication_id": "p-1"});
    let first = helper.post("/v1/requests/r-1/replies", &body).await.with(201);
    assert_eq!(helper.post("/v1/requests/r-1/replies", &body).await.with(200), first);
    helper.post("/v1/requests/r-2/replies", &body).await.problem(409, "draft_changed");
    world.asks("rel-1").await;
    for unknown in ["never", "R 1", "rel-1"] {
        let path = format!("/v1/requests/{unknown}/replies");
        assert!(helper.post(&path, &body).await.problem(404, "not_found")["detail"].as_str().unwrap().contains("request"));
    }
    for (body, field) in [(json!({"text": "x"}), "title"), (json!({"title": "x"}), "text")] {
        assert_eq!(helper.post("/v1/requests/r-1/replies", &body).await.problem(422, "invalid")["field"], field);
    }
}

#[tokio::test]
async fn the_list_is_narrowed_by_tag_and_state_and_goes_on_page_by_page() {
    let world = World::start().await;
    let agent = world.agent();
    for (id, tags) in
        [("r-1", json!(["cap:rust"])), ("r-2", json!(["cap:go"])), ("r-3", json!(["cap:rust", "cap:go"])), ("r-4", json!([]))]
    {
        agent.post("/v1/requests", &request(id, json!({"tags": tags}))).await.with(201);
    }
    replies(&helper(&world).await, "r-1", "Here.").await;
    replies(&agent, "r-2", "A further word.").await;
    assert_eq!(ids(&agent, "?tag=cap:rust").await, ["r-3", "r-1"]);
    assert_eq!(ids(&agent, "?state=open").await, ["r-4", "r-3", "r-2"]);
    assert_eq!(ids(&agent, "?state=answered").await, ["r-1"]);
    assert_eq!(ids(&agent, "?tag=cap:rust&state=open").await, ["r-3"]);
    let first = agent.get("/v1/requests?limit=3").await.with(200);
    let next = first["next"].as_str().unwrap();
    assert_eq!(ids(&agent, &format!("?limit=3&cursor={next}")).await, ["r-1"]);
    for (query, field) in [("?state=ended", "state"), ("?tag=two%20words", "tag"), ("?limit=0", "limit")] {
        assert_eq!(agent.get(&format!("/v1/requests{query}")).await.problem(422, "invalid")["field"], field);
    }
}

#[tokio::test]
async fn without_room_nothing_is_asked_for() {
    let world = World::start_with(&[("PAGER_LIMITS__RECORDS", "2")]).await;
    makes(&world.agent(), "r-1").await;
    makes(&world.agent(), "r-2").await;
    let full = world.agent().post("/v1/requests", &request("r-3", json!({}))).await.problem(429, "capacity");
    let detail = full["detail"].as_str().unwrap();
    assert!(detail.contains("2 requests") && detail.contains("3 days old") && !detail.contains("withdraw"), "{detail}");
    assert_eq!(ids(&world.agent(), "").await, ["r-2", "r-1"]);
    let helper = helper(&world).await;
    makes(&helper, "r-3").await;
    for text in ["One", "Two"] {
        replies(&helper, "r-1", text).await;
    }
    let third = json!({"title": "Three", "text": "Three"});
    let full = helper.post("/v1/requests/r-1/replies", &third).await.problem(429, "capacity");
    let detail = full["detail"].as_str().unwrap();
    assert!(
        detail.contains("2 replies") && detail.contains("takes no more from you") && !detail.contains("withdraw"),
        "{detail}"
    );
}
