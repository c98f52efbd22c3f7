//! `ask wait`: over restarts, and with the caller's patience alone.

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::world::{World, until};

#[tokio::test]
async fn a_wait_survives_a_kill_and_a_restart_of_pagerd() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    let mut waiting = world.start_ask(&["wait", "rel-1", "--timeout", "5m"]);
    // Its words tell when it lost pagerd, so the kill came while it waited.
    let words = waiting.child().stderr.take().unwrap();
    let mut lines = BufReader::new(words).lines();
    world.agent().held("/v1/questions/rel-1/answer", 1).await;
    world.kill9().await;
    let line = lines.next_line().await.unwrap().unwrap();
    assert!(line.contains("trying again"), "{line}");
    world.serve_at_the_same_address().await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(0), answer));
}

#[tokio::test]
async fn a_wait_survives_an_orderly_restart_of_pagerd() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    let waiting = world.start_ask(&["wait", "rel-1", "--timeout", "5m"]);
    world.agent().held("/v1/questions/rel-1/answer", 1).await;
    world.terminate().await;
    world.serve_at_the_same_address().await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(0), answer));
}

#[tokio::test]
async fn a_wait_that_gives_up_leaves_the_question_open() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let ended = world.ask(&["wait", "rel-1", "--timeout", "1s"]).await;
    assert_eq!((ended.code, ended.json()), (Some(3), json!({"id": "rel-1", "state": "open"})));
    assert!(ended.words.contains("ask withdraw rel-1"), "{ended:?}");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_terminated_wait_leaves_the_question_open() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let waiting = world.start_ask(&["wait", "rel-1"]);
    world.agent().held("/v1/questions/rel-1/answer", 1).await;
    waiting.terminate();
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(143), ""), "{ended:?}");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn a_wait_for_a_withdrawn_question_ends_with_five() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let waiting = world.start_ask(&["wait", "rel-1"]);
    assert_eq!(world.ask(&["withdraw", "rel-1"]).await.code, Some(0));
    let ended = waiting.end().await;
    assert_eq!((ended.code, ended.json()), (Some(5), json!({"id": "rel-1", "state": "withdrawn"})));
}

#[tokio::test]
async fn a_deadline_that_passes_while_pagerd_is_down_ends_the_wait_with_its_own_code() {
    let mut world = World::start_with(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    let question =
        ["new", "Post it?", "-o", "Yes", "-o", "No", "--id", "d-1", "--deadline", "8s", "--default", "2", "--wait", "5m"];
    let approval =
        ["new", "Merge?", "--purpose", "approval", "--waiting-on", "x", "--id", "a-1", "--deadline", "8s", "--wait", "5m"];
    let (defaulted, expired) = (world.start_ask(&question), world.start_ask(&approval));
    let mut last = String::new();
    for id in ["d-1", "a-1"] {
        last = world.record_when(id, "open", |record| record["state"] == "open").await["deadline"].to_string();
    }
    world.kill9().await;
    let last: jiff::Timestamp = last.trim_matches('"').parse().unwrap();
    until("the deadlines pass", async || (jiff::Timestamp::now() > last).then_some(())).await;
    world.serve_at_the_same_address().await;
    let (defaulted, expired) = (defaulted.end().await, expired.end().await);
    assert_eq!((defaulted.code, &defaulted.json()["default"]), (Some(6), &json!("2")), "{defaulted:?}");
    assert_eq!((expired.code, &expired.json()["outcome"]), (Some(4), &json!("expired")), "{expired:?}");
    assert_eq!((world.commits_of("d-1").len(), world.commits_of("a-1").len()), (1, 1));
}
