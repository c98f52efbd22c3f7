//! What ends a stream, and what it leaves behind.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::stream::Stream;
use crate::browser::Plain;
use crate::world::{World, until};

async fn id_of_token(world: &World, name: &str) -> String {
    let listed = world.pagerd(&["token", "list"]).await.output;
    let line = listed.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name} in {listed}"));
    line.split_whitespace().next().unwrap().to_owned()
}

#[tokio::test]
async fn a_revoked_token_ends_its_streams_and_hears_nothing_that_came_after() {
    let world = World::start().await;
    let secret = world.new_token("owner", "lost-laptop").await;
    let mut lost = Stream::open(&world.caller(&secret)).await;
    let mut stays = Stream::open(&world.owner()).await;
    world.asks("before").await;
    lost.hears(&[("question.asked", "before")]).await;
    let id = id_of_token(&world, "lost-laptop").await;
    assert_eq!(world.pagerd(&["token", "revoke", &id]).await.code, Some(0));
    world.asks("after").await;
    stays.hears(&[("question.asked", "before"), ("question.asked", "after")]).await;
    assert_eq!(lost.rest().await, []);
    world.caller(&secret).get("/v1/events").await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn an_idle_stream_of_a_revoked_token_ends_by_itself() {
    let world = World::start().await;
    let secret = world.new_token("agent", "gone").await;
    let mut stream = Stream::open(&world.caller(&secret)).await;
    let id = id_of_token(&world, "gone").await;
    assert_eq!(world.pagerd(&["token", "revoke", &id]).await.code, Some(0));
    assert_eq!(stream.rest().await, []);
}

#[tokio::test]
async fn a_browser_that_logs_out_hears_nothing_more() {
    let world = World::start().await;
    let (leaves, stays) = (Plain::logged_in(&world).await, Plain::logged_in(&world).await);
    let mut left = Stream::of(leaves.request(Method::GET, "/v1/events")).await;
    let mut other = Stream::of(stays.request(Method::GET, "/v1/events")).await;
    let out = leaves.post("/logout").form(&[("csrf", &leaves.csrf)]).send().await.unwrap();
    assert_eq!(out.status(), 303);
    assert_eq!(left.rest().await, []);
    world.asks("rel-1").await;
    other.hears(&[("question.asked", "rel-1")]).await;
}

#[tokio::test]
async fn sigterm_ends_streams_at_once_after_what_was_told() {
    let mut world = World::start().await;
    let mut stream = Stream::open(&world.owner()).await;
    let idle = Stream::open(&world.agent()).await;
    world.asks("rel-1").await;
    stream.hears(&[("question.asked", "rel-1")]).await;
    let (status, took) = world.terminate().await;
    assert!(status.success() && took < Duration::from_secs(4), "{status} after {took:?}");
    assert_eq!(stream.rest().await, []);
    drop(idle);
}

#[tokio::test]
async fn a_client_that_vanishes_leaves_no_connection_behind() {
    let world = World::start().await;
    let connections = || {
        let files = std::fs::read_dir(format!("/proc/{}/fd", world.process())).unwrap();
        let targets = files.filter_map(|file| std::fs::read_link(file.unwrap().path()).ok());
        targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
    };
    let mut streams = Vec::new();
    for _ in 0..20 {
        // Each with a client, and so a connection, of its own.
        streams.push(Stream::open(&world.owner()).await);
    }
    let most = connections();
    drop(streams);
    until("their connections are gone", async || (connections() <= most - 20).then_some(())).await;
    world.owner().post("/v1/questions/none/answer", &json!({"answer": "x"})).await.problem(404, "not_found");
}
