//! `ask gate … && deploy` with the real programs: only Approve lets it go on, and for one time.

use std::path::PathBuf;

use serde_json::{Value, json};
use tokio::process::Command;

use crate::world::{Ended, Running, World};

/// What a script has behind the gate: it leaves a mark.
fn deployed(world: &World) -> PathBuf {
    world.folder().join("deployed")
}

fn script(world: &World, gate: &str) -> Running {
    let line = format!("ask gate {gate} && touch \"$MARK\"");
    let mut command = Command::new("sh");
    command.env_clear().env("PATH", format!("{}:/usr/bin:/bin", World::programs().display())).env("HOME", world.folder());
    command.env("ASK_URL", world.address.url()).env("ASK_TOKEN", &world.agent_token).env("MARK", deployed(world));
    Running::start(command.args(["-c", &line]))
}

/// Runs the script, and settles its approval as the owner does.
async fn settled(world: &World, id: &str, path: &str, body: Option<Value>) -> Ended {
    let running = script(world, &format!("merge 'Merge it?' --id {id} --run r-1"));
    world.record_when(id, "asked", |record| record["state"] == "open").await;
    let path = format!("/v1/questions/{id}/{path}");
    let reply = match body {
        Some(body) => world.owner().post(&path, &body).await,
        None => world.owner().post_empty(&path).await,
    };
    reply.with(200);
    running.end().await
}

#[tokio::test]
async fn approve_lets_the_script_go_on_once_and_spends_it() {
    let world = World::start().await;
    let ended = settled(&world, "a-1", "answer", Some(json!({"answer": "x", "option": "approve"}))).await;
    assert_eq!((ended.code, &ended.json()["choice"]), (Some(0), &json!("approve")), "{ended:?}");
    assert!(deployed(&world).exists());
    assert!(world.record("a-1").await["spent_at"].is_string());
    world.agent().post("/v1/questions/a-1/consume", &json!({})).await.problem(409, "already_spent");
    let check = world.ask(&["gate", "--check", "--run", "r-1"]).await;
    assert_eq!((check.code, &check.json()["blocked"]), (Some(0), &json!(false)), "{check:?}");
}

#[tokio::test]
async fn nothing_else_that_the_owner_does_lets_it_go_on() {
    let world = World::start().await;
    for (id, path, body) in [
        ("a-1", "answer", Some(json!({"answer": "x", "option": "decline"}))),
        ("a-2", "answer", Some(json!({"answer": "approve"}))),
        ("a-3", "decline", None),
        ("a-4", "cancel", None),
    ] {
        let ended = settled(&world, id, path, body).await;
        assert_eq!(ended.code, Some(4), "{id}: {ended:?}");
        world.agent().post(&format!("/v1/questions/{id}/consume"), &json!({})).await.problem(409, "not_approved");
    }
    assert!(!deployed(&world).exists());
    assert_eq!(world.ask(&["gate", "--check", "--run", "r-1"]).await.code, Some(4));
}

#[tokio::test]
async fn neither_silence_nor_an_end_of_the_service_lets_it_go_on() {
    let mut world = World::start_with(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    let expired = script(&world, "merge 'Merge it?' --id a-1 --deadline 1s").end().await;
    assert_eq!((expired.code, &expired.json()["outcome"]), (Some(4), &json!("expired")), "{expired:?}");
    let impatient = script(&world, "merge 'Merge it?' --id a-2 --wait 1s").end().await;
    assert_eq!(impatient.code, Some(5), "{impatient:?}");
    assert_eq!(world.record("a-2").await["state"], "withdrawn");
    let asking = script(&world, "merge 'Merge it?' --id a-3 --wait 8s");
    world.record_when("a-3", "asked", |record| record["state"] == "open").await;
    world.kill9().await;
    assert_ne!(asking.end().await.code, Some(0));
    assert!(!deployed(&world).exists());
}

#[tokio::test]
async fn what_the_operator_delegated_goes_on_without_a_question() {
    let world = World::start_with(&[("PAGER_GATES__MERGE", "delegated")]).await;
    let ended = script(&world, "merge 'Merge it?' --id a-1").end().await;
    assert_eq!((ended.code, ended.json()), (Some(0), json!({"delegated": true})), "{ended:?}");
    assert!(deployed(&world).exists());
    world.agent().get("/v1/questions/a-1").await.problem(404, "not_found");
}
