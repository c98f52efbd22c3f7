//! The mailbox: every record, newest first, in pages that join while questions arrive.

use serde_json::{Value, json};

use crate::world::World;

fn ids(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn it_holds_what_waits_and_what_ended_newest_first() {
    let world = World::start().await;
    for id in ["one", "two", "three"] {
        world.asks(id).await;
    }
    world.owner().post("/v1/questions/one/answer", &json!({"answer": "Go"})).await.with(200);
    world.agent().post("/v1/questions/two/withdraw", &json!({})).await.with(200);
    let other = world.caller(&world.new_token("agent", "other").await);
    other.post("/v1/questions", &json!({"id": "foreign", "text": "A?", "waiting_on": "the release"})).await.with(201);
    let whole = world.owner().get("/v1/inbox").await.with(200);
    assert_eq!(ids(&whole), ["foreign", "three", "two", "one"]);
    assert_eq!((&whole["items"][0]["waiting_on"], &whole["next"]), (&json!("the release"), &Value::Null));
    for (query, expected) in [
        ("?state=open", &["foreign", "three"][..]),
        ("?state=answered", &["one"]),
        ("?state=withdrawn", &["two"]),
        ("?source=other", &["foreign"]),
        ("?source=tester&state=open", &["three"]),
        ("?source=nobody", &[]),
    ] {
        assert_eq!(ids(&world.owner().get(&format!("/v1/inbox{query}")).await.with(200)), expected, "{query}");
    }
}

#[tokio::test]
async fn its_pages_join_while_questions_arrive() {
    let world = World::start().await;
    for number in 0..7 {
        world.asks(&format!("q-{number}")).await;
    }
    let mut seen = Vec::new();
    let mut query = "?limit=3".to_owned();
    loop {
        let page = world.owner().get(&format!("/v1/inbox{query}")).await.with(200);
        seen.extend(ids(&page));
        let Some(next) = page["next"].as_str() else { break };
        query = format!("?limit=3&cursor={next}");
        world.asks(&format!("late-{}", seen.len())).await;
    }
    assert_eq!(seen, ["q-6", "q-5", "q-4", "q-3", "q-2", "q-1", "q-0"]);
}

#[tokio::test]
async fn the_open_list_keeps_its_order_while_questions_arrive_between_pages() {
    let world = World::start().await;
    for number in 0..5 {
        let hard = json!({"id": format!("q-{number}"), "text": "A?", "options": [{"label": "a"}, {"label": "b"}],
            "reversibility": if number % 2 == 1 { "hard_to_reverse" } else { "reversible" }});
        world.asks_with(hard).await;
    }
    let first = world.owner().get("/v1/inbox/open?limit=3").await.with(200);
    assert_eq!(ids(&first), ["q-1", "q-3", "q-0"]);
    world.asks("late").await;
    let rest = world.owner().get(&format!("/v1/inbox/open?cursor={}", first["next"].as_str().unwrap())).await.with(200);
    assert_eq!(ids(&rest), ["q-2", "q-4", "late"]);
}

#[tokio::test]
async fn a_query_that_means_nothing_is_refused_by_name() {
    let world = World::start().await;
    for (query, field) in
        [("state=done", "state"), ("limit=0", "limit"), ("limit=1001", "limit"), ("cursor=x", "cursor"), ("source=-", "source")]
    {
        let problem = world.owner().get(&format!("/v1/inbox?{query}")).await.problem(422, "invalid");
        assert_eq!(problem["field"], field, "{query}");
    }
    world.agent().get("/v1/inbox").await.problem(403, "forbidden");
}
