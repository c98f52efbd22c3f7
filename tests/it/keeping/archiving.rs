//! Old answers move to the archive, and stay answers.

use serde_json::json;

use crate::world::{World, until};

/// Whether the branch has this file.
fn has(world: &World, path: &str) -> bool {
    !world.git(&["ls-tree", "-r", "--name-only", "main", path]).is_empty()
}

#[tokio::test]
async fn what_is_old_enough_moves_at_the_start_and_reads_as_before() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    let answer = world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    // One that the store does not know, as others may bring.
    let theirs = json!({"id": "theirs", "at": "2020-01-01T00:00:00.000Z", "answer": "Old"}).to_string();
    world.commit_from_elsewhere("answers/theirs.json", &theirs);
    world.commit_from_elsewhere("answers/no-answer.json", "[1]");
    world.set("PAGER_ANSWERS__ARCHIVE_AFTER", "1ms");
    world.restart().await;
    until("both are archived", async || {
        let archived = world.git(&["ls-tree", "-r", "--name-only", "main", "archive"]);
        (archived.lines().count() == 2).then_some(())
    })
    .await;
    assert!(!has(&world, "answers/rel-1.json") && !has(&world, "answers/theirs.json"));
    assert!(has(&world, "answers/no-answer.json"), "what says no time stays");
    assert_eq!(world.git(&["log", "-1", "--format=%s", "main"]).trim(), "archive 2 answers");
    assert_eq!(world.agent().answer("rel-1").await, answer);
    let draft = json!({"id": "theirs", "text": "Again?", "options": [{"label": "Yes"}, {"label": "No"}]});
    world.agent().post("/v1/questions", &draft).await.problem(409, "id_used");
    // What the store knows and `answers/` lacks is not written there again.
    world.restart().await;
    world.asks("rel-2").await;
    world.owner().post("/v1/questions/rel-2/answer", &json!({"answer": "On"})).await.with(200);
    assert!(!has(&world, "answers/rel-1.json"));
    assert_eq!(world.git(&["fsck", "--strict", "--full", "--no-dangling"]), "");
}

#[tokio::test]
async fn never_keeps_what_is_older_than_anything() {
    let mut world = World::start().await;
    let theirs = json!({"id": "theirs", "at": "2020-01-01T00:00:00.000Z", "answer": "Old"}).to_string();
    world.commit_from_elsewhere("answers/theirs.json", &theirs);
    world.set("PAGER_ANSWERS__ARCHIVE_AFTER", "never");
    world.set("PAGER_LOG", "debug");
    world.restart().await;
    until("a round is over", async || world.log().contains("nothing is to be archived").then_some(())).await;
    assert!(has(&world, "answers/theirs.json"));
    world.set("PAGER_ANSWERS__ARCHIVE_AFTER", "30d");
    world.restart().await;
    until("it is archived", async || (!has(&world, "answers/theirs.json")).then_some(())).await;
}

#[tokio::test]
async fn a_failure_to_archive_is_told_and_tried_again_at_the_next_start() {
    let mut world = World::start().await;
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    world.set("PAGER_ANSWERS__ARCHIVE_AFTER", "1ms");
    world.commit_from_elsewhere("archive", "in the way");
    world.restart().await;
    let degraded = async || {
        let reply = world.nobody().get("/readyz").await.with(200);
        reply["degraded"].to_string().contains("archive: ").then_some(())
    };
    until("readyz tells it", degraded).await;
    assert!(has(&world, "answers/rel-1.json"));
    world.terminate().await;
    world.git(&["update-ref", "refs/heads/main", "main~1"]);
    world.serve().await;
    until("it is archived", async || (!has(&world, "answers/rel-1.json")).then_some(())).await;
}
