//! The owner settles a question over HTTP.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn an_option_counts_and_the_words_beside_it_do_not() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "whatever", "option": "2"})).await.with(200);
    assert_eq!((&answer["outcome"], &answer["choice"], &answer["answer"]), (&json!("chosen"), &json!("2"), &json!("No")));
    assert_eq!(answer["by"], json!({"kind": "owner", "id": "token:olga", "via": "http"}));
    assert_eq!(world.saved_answer("rel-1").await, answer);
}

#[tokio::test]
async fn words_are_never_matched_to_labels() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "No"})).await.with(200);
    assert_eq!((&answer["outcome"], &answer["choice"]), (&json!("own_words"), &Value::Null));
}

#[tokio::test]
async fn of_many_answers_at_once_one_counts_and_the_others_are_told_which() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let owner = world.owner();
    let replies = futures_util::future::join_all((0..8).map(|number| {
        let owner = owner.clone();
        async move { owner.post("/v1/questions/rel-1/answer", &json!({"answer": format!("Answer {number}")})).await }
    }))
    .await;
    let won: Vec<Value> = replies.iter().filter(|reply| reply.status == 200).map(super::super::world::Reply::json).collect();
    assert_eq!(won.len(), 1);
    for lost in replies.into_iter().filter(|reply| reply.status != 200) {
        let problem = lost.with(409);
        match problem["code"].as_str().unwrap() {
            "already_answered" => assert_eq!(problem["answer"], won[0]),
            "answering" => assert_eq!(problem["state"], "answering"),
            other => panic!("{other}"),
        }
    }
    assert_eq!(world.saved_answer("rel-1").await, won[0]);
    let late = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Late"})).await;
    assert_eq!(late.problem(409, "already_answered")["answer"], won[0]);
}

#[tokio::test]
async fn a_cancel_says_who_and_why() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let answer = world.owner().post_empty("/v1/questions/rel-1/cancel").await.with(200);
    assert_eq!((&answer["outcome"], &answer["reason"]), (&json!("cancelled"), &json!("owner_cancelled")));
    let text = world.answer_file("rel-1").unwrap();
    assert!(text.find("\"reason\"").unwrap() < text.find("\"at\"").unwrap(), "{text}");
    assert_eq!(world.record("rel-1").await["state"], "cancelled");
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.with(200), answer);
}

#[tokio::test]
async fn a_stale_incarnation_answers_nothing() {
    let world = World::start().await;
    let record = world.asks("rel-1").await;
    let body = |incarnation: &Value| json!({"answer": "Go", "incarnation": incarnation});
    let stale = body(&"0123456789abcdef".into());
    world.owner().post("/v1/questions/rel-1/answer", &stale).await.problem(409, "incarnation_mismatch");
    world.owner().post("/v1/questions/rel-1/answer", &body(&record["incarnation"])).await.with(200);
}

#[tokio::test]
async fn many_answers_at_once_are_all_saved_and_share_commits() {
    let world = World::start().await;
    for number in 0..40 {
        world.asks(&format!("q-{number}")).await;
    }
    let owner = world.owner();
    let replies = futures_util::future::join_all((0..40).map(|number| {
        let owner = owner.clone();
        async move { owner.post(&format!("/v1/questions/q-{number}/answer"), &json!({"answer": "Go"})).await.with(200) }
    }))
    .await;
    let commits = world.git(&["rev-list", "--count", "main"]).trim().parse::<usize>().unwrap();
    assert!(commits <= 41, "{commits} commits");
    for (number, reply) in replies.iter().enumerate() {
        let text = world.answer_file(&format!("q-{number}")).unwrap();
        assert_eq!(&serde_json::from_str::<Value>(&text).unwrap(), reply);
    }
    world.saved_answer("q-0").await;
}
