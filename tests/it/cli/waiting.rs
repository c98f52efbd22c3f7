//! `ask wait`: over restarts, and with the caller's patience alone.

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::world::World;

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
