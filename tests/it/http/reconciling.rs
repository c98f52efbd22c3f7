//! The store and the answers repository compared at start: neither forgets what the other one has.

use serde_json::{Value, json};

use crate::world::{World, until};

const STORE: &str = "pager.sqlite";

/// An open question, and a copy of the store from before its answer.
async fn with_an_old_copy_of_the_store() -> World {
    let mut world = World::with_telegram().await;
    world.asks("rel-0").await;
    world.owner().post("/v1/questions/rel-0/answer", &json!({"answer": "First"})).await.with(200);
    world.asks_and_shows("rel-1").await;
    world.terminate().await;
    std::fs::copy(world.data_dir().join(STORE), world.folder().join(STORE)).unwrap();
    world.serve().await;
    world
}

/// pagerd ends, and the old copy stands in the store's place.
async fn restore(world: &mut World) {
    world.terminate().await;
    for name in [format!("{STORE}-wal"), format!("{STORE}-shm")] {
        let _ = std::fs::remove_file(world.data_dir().join(name));
    }
    std::fs::copy(world.folder().join(STORE), world.data_dir().join(STORE)).unwrap();
}

#[tokio::test]
async fn an_answer_that_the_repository_lost_is_written_again_with_the_same_bytes() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    world.asks("rel-2").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Kept"})).await.with(200);
    let before = world.git(&["rev-parse", "main"]);
    world.owner().post("/v1/questions/rel-2/answer", &json!({"answer": "Lost"})).await.with(200);
    let file = world.answer_file("rel-2").unwrap();
    world.terminate().await;
    world.git(&["update-ref", "refs/heads/main", before.trim()]);
    assert_eq!(world.answer_file("rel-2"), None);
    world.serve().await;
    let again = until("the answer is there again", async || world.answer_file("rel-2")).await;
    assert_eq!(again, file);
    world.saved_answer("rel-1").await;
    world.saved_answer("rel-2").await;
}

#[tokio::test]
async fn an_answer_that_the_store_lost_settles_the_question_and_closes_its_message() {
    let mut world = with_an_old_copy_of_the_store().await;
    let shown = world.shown("rel-1").await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Second"})).await.with(200);
    world.closed(shown).await;
    restore(&mut world).await;
    world.serve().await;
    assert_eq!(world.in_state("rel-1", "answered").await["answer"], answer);
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.with(200), answer);
    world.closed(shown).await;
    assert_eq!(world.saved_answer("rel-1").await, answer);
}

#[tokio::test]
async fn a_tampered_answer_file_settles_nothing_and_is_not_overwritten() {
    let mut world = with_an_old_copy_of_the_store().await;
    let mut forged: Value = serde_json::from_str(&world.answer_file("rel-0").unwrap()).unwrap();
    let record = world.record("rel-1").await;
    forged["id"] = "rel-1".into();
    forged["incarnation"] = record["incarnation"].clone();
    forged["question"] = record["text"].clone();
    let forged = format!("{}\n", serde_json::to_string_pretty(&forged).unwrap());
    world.commit_from_elsewhere("answers/rel-1.json", &forged);
    world.restart().await;
    until("the alarm is logged", async || world.log().contains("did not write").then_some(())).await;
    assert_eq!(world.record("rel-1").await["state"], "open");
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.status, 204);
    assert_eq!(world.answer_file("rel-1").unwrap(), forged);
}

#[tokio::test]
async fn an_answer_to_another_record_of_the_same_id_settles_nothing() {
    let mut world = World::start().await;
    world.asks("rel-0").await;
    world.terminate().await;
    std::fs::copy(world.data_dir().join(STORE), world.folder().join(STORE)).unwrap();
    world.serve().await;
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Of the lost record"})).await.with(200);
    let file = world.answer_file("rel-1").unwrap();
    restore(&mut world).await;
    world.serve().await;
    let draft = json!({"id": "rel-1", "text": "Release rel-1?", "options": [{"label": "Yes, release"}, {"label": "No"}]});
    world.agent().post("/v1/questions", &draft).await.problem(409, "id_used");
    assert_eq!(world.answer_file("rel-1").unwrap(), file);
}
