//! The real pagerd with a repository on GitHub.

use pager_questions::Answer;
use pager_tests::fake_github::{FakeGitHub, Fault, Rights, Visibility};
use serde_json::json;

use super::place::{REPOSITORY, start};
use crate::world::{World, until};

async fn world(hub: &FakeGitHub, telegram: bool) -> World {
    hub.add_empty_repository(REPOSITORY, Visibility::Private);
    let token = hub.add_token("me", &[(REPOSITORY, Rights::write())]);
    let (url, api) = (format!("github:{REPOSITORY}"), hub.base_url());
    let settings = [("PAGER_ANSWERS__URL", url.as_str()), ("PAGER_GITHUB__TOKEN", &token), ("PAGER_GITHUB__API_URL", &api)];
    if telegram { World::with_telegram_and(&settings).await } else { World::start_with(&settings).await }
}

fn answer_file(hub: &FakeGitHub, id: &str) -> Option<Answer> {
    let bytes = hub.file(REPOSITORY, "main", &format!("answers/{id}.json"))?;
    Some(serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn an_answer_is_a_signed_file_on_github_before_the_agent_has_it() {
    let hub = start();
    let world = world(&hub, false).await;
    world.asks("rel-1").await;
    let agent = world.agent();
    let waiting = tokio::spawn(async move { agent.answer("rel-1").await });
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    assert_eq!(waiting.await.unwrap()["answer"], "Go");
    let file = answer_file(&hub, "rel-1").expect("there is a file");
    file.verify(&[world.key().await]).unwrap();
    assert_eq!(hub.messages(REPOSITORY, "main")[0].trim_end(), "answer rel-1: chosen".replace("chosen", file.outcome.as_str()));
    assert!(!world.log().contains(&hub.calls()[0].token.clone().unwrap()), "the token is in no log");
}

#[tokio::test]
async fn a_rule_violation_opens_the_question_again_and_is_told() {
    let hub = start();
    let world = world(&hub, true).await;
    let shown = world.asks_and_shows("rel-1").await;
    hub.fault("PUT", "*/contents/answers*", Fault::RuleViolation {});
    world.telegram().press(shown.message, "No").unwrap();
    let record = world.record_when("rel-1", "refused", |record| record["save"]["state"] == "refused").await;
    assert_eq!(record["state"], "open", "{record}");
    assert!(record["save"]["reason"].as_str().unwrap().contains("Changes must be made through a pull request."), "{record}");
    let reply = until("the owner is told", async || {
        world.replies(shown).into_iter().find(|reply| reply.words().contains("pull request"))
    });
    assert!(!reply.await.words().contains(&hub.base_url()));
    assert!(answer_file(&hub, "rel-1").is_none());
    world.telegram().press(shown.message, "No").unwrap();
    world.closed(shown).await;
    assert!(answer_file(&hub, "rel-1").is_some());
}

#[tokio::test]
async fn pagerd_starts_while_github_is_down_and_saves_once_it_is_back() {
    let hub = start();
    let mut world = world(&hub, false).await;
    world.asks("rel-1").await;
    hub.set_down(true);
    world.restart().await;
    let owner = world.owner();
    let answering = tokio::spawn(async move { owner.post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await });
    world.record_when("rel-1", "uncertain", |record| record["save"]["reason"].is_string()).await;
    assert_eq!(world.agent().get("/v1/questions/rel-1/answer").await.status, 204, "nobody is told before it is saved");
    hub.set_down(false);
    assert_eq!(world.agent().answer("rel-1").await["answer"], "Go");
    assert!(matches!(answering.await.unwrap().status, 200 | 202));
    assert!(answer_file(&hub, "rel-1").is_some());
}
