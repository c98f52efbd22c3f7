//! The real pagerd with its answers on a git remote.

use pager_tests::git_http::{GitHttp, PASSWORD};
use serde_json::{Value, json};

use crate::world::{World, until};

fn answer_in(git: &GitHttp, id: &str) -> Option<Value> {
    git.file(&format!("answers/{id}.json")).map(|bytes| serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn an_answer_goes_to_the_remote_and_then_to_the_agent_that_waits() {
    let git = GitHttp::start();
    let world = World::start_with_git(&git).await;
    world.asks("rel-1").await;
    let agent = world.agent();
    let waiting = tokio::spawn(async move { agent.answer("rel-1").await });
    let answer =
        world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Yes, release", "option": "1"})).await.with(200);
    assert_eq!(answer_in(&git, "rel-1").as_ref(), Some(&answer));
    assert_eq!(waiting.await.unwrap(), answer);
    assert_eq!(git.git(&["fsck", "--strict", "--full", "--no-dangling"]), "");
    assert!(!world.log().contains(PASSWORD), "the log holds the password");
}

#[tokio::test]
async fn pagerd_starts_while_the_remote_is_down_and_saves_once_it_is_back() {
    let git = GitHttp::start();
    let mut world = World::start_with_git(&git).await;
    world.asks("rel-1").await;
    git.stop();
    world.restart().await;
    let owner = world.owner();
    let answering =
        tokio::spawn(
            async move { owner.post("/v1/questions/rel-1/answer", &json!({"answer": "Yes, release", "option": "1"})).await },
        );
    world.record_when("rel-1", "uncertain", |record| record["uncertain"] == true).await;
    world.asks("rel-2").await;
    git.start_again();
    let answer = until("the remote has the answer", async || answer_in(&git, "rel-1")).await;
    assert_eq!(world.agent().answer("rel-1").await, answer);
    drop(answering);
    assert_eq!(git.git(&["log", "--format=%H", "main", "--", "answers/rel-1.json"]).lines().count(), 1);
}
