//! Bodies that are refused: which field, why, and what to do.

use serde_json::{Value, json};

use crate::world::{World, sent};

#[tokio::test]
async fn an_unknown_field_is_named_also_deep_inside() {
    let world = World::start().await;
    for (body, field) in [
        (json!({"text": "A?", "colour": 1, "options": [{"label": "a"}, {"label": "b"}]}), "colour"),
        (json!({"text": "A?", "options": [{"label": "a"}, {"label": "b", "colour": 1}]}), "options[1].colour"),
        (json!({"text": "A?", "options": [{"label": "a"}, {"label": "b"}], "source": {"host": "x"}}), "source.host"),
    ] {
        let problem = world.agent().post("/v1/questions", &body).await.problem(422, "unknown_field");
        assert_eq!(problem["field"], field, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(field), "{problem}");
    }
}

#[tokio::test]
async fn a_broken_rule_names_its_field() {
    let world = World::start().await;
    let two = json!([{"label": "a"}, {"label": "b"}]);
    let long = "x".repeat(1001);
    for (body, field) in [
        (json!({"options": two}), "text"),
        (json!({"text": "", "options": two}), "text"),
        (json!({"text": " \u{200b}\u{202e}", "options": two}), "text"),
        (json!({"text": long, "options": two}), "text"),
        (json!({"text": "a\u{0}b", "options": two}), "text"),
        (json!({"text": 7, "options": two}), "text"),
        (json!({"text": "A?", "options": [{"label": "a"}]}), "options"),
        (
            json!({"text": "A?", "options": [{"label": "a"}, {"label": "b"}, {"label": "c"}, {"label": "d"}, {"label": "e"}]}),
            "options",
        ),
        (json!({"text": "A?", "options": [{"label": "a"}, {"label": ""}]}), "options[1].label"),
        (json!({"text": "A?", "options": [{"label": "a"}, {"label": "x".repeat(101)}]}), "options[1].label"),
        (json!({"text": "A?", "options": [{"label": "a"}, {"label": " a "}]}), "options[1].label"),
        (json!({"text": "A?", "options": [{"id": "A B", "label": "a"}, {"label": "b"}]}), "options[0].id"),
        (json!({"text": "A?", "options": [{"id": "2", "label": "a"}, {"label": "b"}]}), "options[1].id"),
        (json!({"text": "A?", "options": two, "recommended": "7"}), "recommended"),
        (json!({"text": "A?", "options": two, "id": "Rel 1"}), "id"),
        (json!({"text": "A?", "options": two, "reversibility": "perhaps"}), "reversibility"),
        (json!({"text": "A?", "options": two, "issue": {"tracker": "t", "key": "k", "url": "javascript:alert(1)"}}), "issue.url"),
        (json!({"text": "A?", "options": two, "waiting_on": "x".repeat(301)}), "waiting_on"),
        (json!({"text": "A?", "options": two, "header": "x".repeat(31)}), "header"),
        (json!({"text": "A?"}), "waiting_on"),
        (json!({"text": "A?", "purpose": "wish", "options": two}), "purpose"),
    ] {
        let problem = world.agent().post("/v1/questions", &body).await.problem(422, "invalid");
        assert_eq!(problem["field"], field, "{body} gave {problem}");
    }
    assert_eq!(world.agent().get("/v1/questions").await.with(200)["items"], json!([]));
}

#[tokio::test]
async fn a_body_that_is_too_large_or_no_json_is_refused() {
    let world = World::start().await;
    let send = |body: String| sent(world.agent().request(reqwest::Method::POST, "/v1/questions").body(body));
    send(format!("{{\"text\": \"{}\"}}", "x".repeat(65 * 1024))).await.unwrap().problem(413, "too_large");
    for body in ["", "{", "text=A", "{\"text\": \"A\"} trailing", "\u{feff}{}"] {
        send(body.to_owned()).await.unwrap().problem(400, "malformed");
    }
    send("[".repeat(60_000)).await.unwrap().problem(400, "malformed");
    let no_text = world.agent().request(reqwest::Method::POST, "/v1/questions").body(vec![b'{', 0xff, 0xfe, b'}']);
    sent(no_text).await.unwrap().problem(400, "malformed");
    for body in ["[]", "null", "\"text\"", "7"] {
        let reply = send(body.to_owned()).await.unwrap();
        assert!([400, 422].contains(&reply.status), "{body}: {reply:?}");
    }
}

#[tokio::test]
async fn a_decline_takes_no_body() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/decline", &json!({"note": "no"})).await.problem(400, "malformed");
    assert_eq!(world.record("rel-1").await["state"], "open");
    let answer = world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    assert_eq!((&answer["outcome"], &answer["answer"]), (&json!("declined"), &Value::Null));
}

#[tokio::test]
async fn an_answer_body_is_checked_and_the_question_stays_open() {
    let world = World::start().await;
    world.asks("rel-1").await;
    for (body, code, field) in [
        (json!({}), "invalid", "answer"),
        (json!({"answer": " "}), "invalid", "answer"),
        (json!({"answer": "x".repeat(1001)}), "invalid", "answer"),
        (json!({"answer": "yes", "option": "9"}), "invalid", "option"),
        (json!({"answer": "yes", "choice": "1"}), "unknown_field", "choice"),
    ] {
        let problem = world.owner().post("/v1/questions/rel-1/answer", &body).await.problem(422, code);
        assert_eq!(problem["field"], field, "{body} gave {problem}");
    }
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_path_that_leads_nowhere_and_a_wrong_method_are_told() {
    let world = World::start().await;
    assert_eq!(world.agent().get("/v1/nowhere").await.status, 404);
    assert_eq!(sent(world.agent().request(reqwest::Method::DELETE, "/v1/questions")).await.unwrap().status, 405);
}

#[tokio::test]
async fn a_parameter_that_nobody_knows_is_refused_and_never_ignored() {
    let world = World::start().await;
    world.asks("q-1").await;
    world.agent().get("/v1/questions/q-1/answer?sinse=1").await.problem(400, "malformed");
    world.agent().get("/v1/questions?stat=open").await.problem(400, "malformed");
    for path in ["/v1/requests?about=x", "/v1/inbox?sauce=x", "/v1/inbox/open?page=2", "/v1/updates?stat=all"] {
        world.owner().get(path).await.problem(400, "malformed");
    }
}
