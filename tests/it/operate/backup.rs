//! `pagerd backup`: a copy that was made beside the running service serves, knows the answers, and keeps ids used.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::world::World;

async fn answers(world: &World, id: &str) {
    world.owner().post(&format!("/v1/questions/{id}/answer"), &json!({"answer": "Go"})).await.with(200);
}

#[tokio::test]
async fn a_copy_made_while_it_serves_can_be_served_from() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    answers(&world, "rel-1").await;
    world.asks("rel-2").await;
    let copy = world.folder().join("copy");
    // Somebody goes on asking and answering meanwhile.
    let busy = async {
        for number in 0..40 {
            let id = format!("busy-{number}");
            world.asks(&id).await;
            answers(&world, &id).await;
        }
    };
    let backup = async {
        let ended = world.pagerd(&["backup", copy.to_str().unwrap()]).await;
        assert_eq!((ended.code, ended.output.trim()), (Some(0), copy.to_str().unwrap()), "{ended:?}");
    };
    tokio::join!(busy, backup);
    let key = world.key().await;
    world.terminate().await;
    let manifest: Value = serde_json::from_slice(&std::fs::read(copy.join("manifest.json")).unwrap()).unwrap();
    assert!(manifest["answers"]["answers"].as_u64().unwrap() >= 1, "{manifest}");
    for name in ["key", "pager.sqlite", "manifest.json"] {
        assert_eq!(copy.join(name).metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    // All is lost but the copy.
    std::fs::remove_dir_all(world.data_dir()).unwrap();
    std::fs::rename(&copy, world.data_dir()).unwrap();
    world.serve().await;
    assert_eq!(world.key().await, key);
    assert_eq!(world.saved_answer("rel-1").await["answer"], "Go");
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.with(200)["answer"], "Go");
    for id in ["rel-1", "rel-2"] {
        let again = json!({"id": id, "text": "Something else?", "options": [{"label": "A"}, {"label": "B"}]});
        world.agent().post("/v1/questions", &again).await.problem(409, "id_used");
    }
    answers(&world, "rel-2").await;
    assert_eq!(world.saved_answer("rel-2").await["answer"], "Go");
    // What the copied store has settled, the copied repository has; and the other way round.
    for record in world.owner().get("/v1/questions?limit=1000").await.with(200)["items"].as_array().unwrap() {
        let id = record["id"].as_str().unwrap();
        let is_answered = world.in_state(id, record["state"].as_str().unwrap()).await["state"] == "answered";
        assert!(!is_answered || world.answer_file(id).is_some(), "{id}");
    }
}

#[tokio::test]
async fn a_backup_is_never_written_over_anything() {
    let world = World::start().await;
    let there = world.folder().join("there");
    std::fs::create_dir(&there).unwrap();
    let ended = world.pagerd(&["backup", there.to_str().unwrap()]).await;
    assert!(ended.code == Some(1) && ended.words.contains("name a new folder"), "{ended:?}");
    assert_eq!(std::fs::read_dir(&there).unwrap().count(), 0);
}

#[tokio::test]
async fn a_backup_that_fails_leaves_nothing_behind() {
    let world = World::start().await;
    world.break_repository();
    let place = world.folder().join("backups");
    let ended = world.pagerd(&["backup", place.join("one").to_str().unwrap()]).await;
    assert!(ended.code == Some(1) && ended.words.contains("answers.url"), "{ended:?}");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "{ended:?}");
    world.mend_repository();
}

#[tokio::test]
async fn a_repository_that_was_packed_is_copied_with_its_packs() {
    let world = World::start().await;
    world.asks("rel-1").await;
    answers(&world, "rel-1").await;
    world.git(&["gc", "--quiet"]);
    world.asks("rel-2").await;
    answers(&world, "rel-2").await;
    let copy = world.folder().join("copy");
    let ended = world.pagerd(&["backup", copy.to_str().unwrap()]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let manifest: Value = serde_json::from_slice(&std::fs::read(copy.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["answers"]["answers"], 2, "{manifest}");
}
