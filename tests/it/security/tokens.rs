//! Tokens: hashed, listed without their secrets, revoked at once.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::world::World;

/// The id of the token of this name, as `pagerd token list` shows it.
async fn id_of(world: &World, name: &str) -> String {
    let listed = world.pagerd(&["token", "list"]).await.output;
    let line = listed.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name} in {listed}"));
    line.split('\t').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_revoked_token_is_worth_nothing_and_its_open_questions_are_named() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let revoked = world.pagerd(&["token", "revoke", &id_of(&world, "tester").await]).await;
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    assert!(revoked.words.contains("rel-1"), "{revoked:?}");
    world.agent().get("/v1/questions/rel-1").await.problem(401, "unauthenticated");
    world.agent().post("/v1/questions", &json!({"text": "A?", "waiting_on": "x"})).await.problem(401, "unauthenticated");
    // The questions belong to the name: a new token of it sees them.
    let again = world.caller(&world.new_token("agent", "tester").await);
    assert_eq!(again.get("/v1/questions/rel-1").await.with(200)["state"], "open");
}

#[tokio::test]
async fn a_revoked_tokens_held_request_ends_with_401() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let agent = world.agent();
    let began = Instant::now();
    let waiting = tokio::spawn(async move { agent.held("/v1/questions/rel-1/answer", 50).await });
    // The hold is under way once a second call on another connection was held for a moment.
    world.agent().held("/v1/questions/rel-1/answer", 1).await;
    assert_eq!(world.pagerd(&["token", "revoke", &id_of(&world, "tester").await]).await.code, Some(0));
    waiting.await.unwrap().problem(401, "unauthenticated");
    assert!(began.elapsed() < Duration::from_secs(22), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_revoked_owner_decides_nothing() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.pagerd(&["token", "revoke", &id_of(&world, "olga").await]).await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "x"})).await.problem(401, "unauthenticated");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn secrets_are_neither_listed_nor_stored() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    let listed = world.pagerd(&["token", "list"]).await;
    assert!(listed.output.contains("agent\ttester") && listed.output.contains("owner\tolga"), "{listed:?}");
    world.terminate().await;
    let mut stored = listed.output.into_bytes();
    for entry in std::fs::read_dir(world.data_dir()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            stored.extend(std::fs::read(path).unwrap());
        }
    }
    for secret in [&world.agent_token, &world.owner_token] {
        assert!(secret.len() > 40, "{} characters", secret.len());
        assert!(!stored.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
}

#[tokio::test]
async fn the_key_and_local_files_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::start().await;
    let mode = std::fs::metadata(world.data_dir().join("key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
