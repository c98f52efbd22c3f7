//! Lists: order, pages, filters.

use serde_json::{Value, json};

use crate::world::World;

fn ids(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap()).collect()
}

async fn ask(world: &World, id: &str, reversibility: Option<&str>) {
    let mut body = json!({"id": id, "text": format!("{id}?"), "options": [{"label": "a"}, {"label": "b"}]});
    if let Some(reversibility) = reversibility {
        body["reversibility"] = reversibility.into();
    }
    world.asks_with(body).await;
}

#[tokio::test]
async fn what_is_open_comes_hard_to_reverse_first_and_then_oldest() {
    let world = World::start().await;
    for (id, reversibility) in
        [("a", None), ("b", Some("reversible")), ("c", Some("hard_to_reverse")), ("d", None), ("e", Some("hard_to_reverse"))]
    {
        ask(&world, id, reversibility).await;
    }
    let page = world.owner().get("/v1/inbox/open").await.with(200);
    assert_eq!((ids(&page), &page["next"]), (vec!["c", "e", "a", "b", "d"], &Value::Null));
    world.owner().post_empty("/v1/questions/c/decline").await.with(200);
    assert_eq!(ids(&world.owner().get("/v1/inbox/open").await.with(200)), ["e", "a", "b", "d"]);
}

#[tokio::test]
async fn pages_stay_stable_while_questions_come_and_go() {
    let world = World::start().await;
    for number in 0..7 {
        ask(&world, &format!("q-{number}"), None).await;
    }
    let first = world.agent().get("/v1/questions?limit=3").await.with(200);
    assert_eq!(ids(&first), ["q-6", "q-5", "q-4"]);
    ask(&world, "q-7", None).await;
    world.owner().post_empty("/v1/questions/q-5/decline").await.with(200);
    let next = |page: &Value| format!("/v1/questions?limit=3&cursor={}", page["next"].as_str().unwrap());
    let second = world.agent().get(&next(&first)).await.with(200);
    assert_eq!(ids(&second), ["q-3", "q-2", "q-1"]);
    let third = world.agent().get(&next(&second)).await.with(200);
    assert_eq!((ids(&third), &third["next"]), (vec!["q-0"], &Value::Null));

    let open = world.owner().get("/v1/inbox/open?limit=2").await.with(200);
    assert_eq!(ids(&open), ["q-0", "q-1"]);
    world.owner().post_empty("/v1/questions/q-1/decline").await.with(200);
    let cursor = open["next"].as_str().unwrap();
    let rest = world.owner().get(&format!("/v1/inbox/open?limit=9&cursor={cursor}")).await.with(200);
    assert_eq!(ids(&rest), ["q-2", "q-3", "q-4", "q-6", "q-7"]);
}

#[tokio::test]
async fn a_list_can_be_narrowed_to_a_state() {
    let world = World::start().await;
    for id in ["a", "b", "c"] {
        ask(&world, id, None).await;
    }
    world.owner().post("/v1/questions/a/answer", &json!({"answer": "Go"})).await.with(200);
    world.agent().post("/v1/questions/b/withdraw", &json!({})).await.with(200);
    for (state, expected) in [("answered", "a"), ("withdrawn", "b"), ("open", "c")] {
        assert_eq!(ids(&world.agent().get(&format!("/v1/questions?state={state}")).await.with(200)), [expected]);
    }
}

#[tokio::test]
async fn a_wrong_limit_cursor_or_state_is_refused_by_name() {
    let world = World::start().await;
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=many", "limit"),
        ("cursor=xyz", "cursor"),
        ("state=asleep", "state"),
    ] {
        let problem = world.agent().get(&format!("/v1/questions?{query}")).await.problem(422, "invalid");
        assert_eq!(problem["field"], field, "{problem}");
    }
}

#[tokio::test]
async fn an_owner_lists_every_agents_questions() {
    let world = World::start().await;
    ask(&world, "a", None).await;
    let other = world.caller(&world.new_token("agent", "other").await);
    other.post("/v1/questions", &json!({"id": "b", "text": "b?", "waiting_on": "x"})).await.with(201);
    assert_eq!(ids(&world.owner().get("/v1/questions").await.with(200)), ["b", "a"]);
    assert_eq!(ids(&other.get("/v1/questions").await.with(200)), ["b"]);
}
