//! Taking a question back, and a wait that takes it back by itself.

use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn withdraw_ends_with_nought_nine_or_eight() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let withdrawn = world.ask(&["withdraw", "rel-1", "--reason", "the tests settled it"]).await;
    assert_eq!((withdrawn.code, &withdrawn.json()["reason"]), (Some(0), &json!("the tests settled it")), "{withdrawn:?}");
    world.asks("rel-2").await;
    let answer = world.owner().post("/v1/questions/rel-2/answer", &json!({"answer": "Go"})).await.with(200);
    let late = world.ask(&["withdraw", "rel-2"]).await;
    assert_eq!((late.code, late.json()), (Some(9), answer));
    let unknown = world.ask(&["withdraw", "never"]).await;
    assert_eq!((unknown.code, unknown.output.as_str()), (Some(8), ""), "{unknown:?}");
}

#[tokio::test]
async fn a_terminated_new_that_waits_takes_the_question_back() {
    let world = World::with_telegram().await;
    let asking = world.start_ask(&["new", "Release?", "-o", "Yes", "-o", "No", "--id", "rel-1", "--wait", "1h"]);
    world.telegram().wait_for_topic("Release?").await.unwrap();
    let shown = world.shown("rel-1").await;
    asking.terminate();
    let ended = asking.end().await;
    assert_eq!((ended.code, ended.json()), (Some(5), json!({"id": "rel-1", "state": "withdrawn"})), "{ended:?}");
    let message = world.closed(shown).await;
    assert!(message.words().contains("The agent took it back: the agent gave up waiting"), "{}", message.words());
}

#[tokio::test]
async fn a_new_whose_patience_ends_takes_the_question_back_unless_told_to_keep_it() {
    let world = World::start().await;
    let arguments = |id| ["new", "Release?", "-o", "Yes", "-o", "No", "--wait", "1s", "--id", id];
    let ended = world.ask(&arguments("rel-1")).await;
    assert_eq!((ended.code, ended.json()), (Some(5), json!({"id": "rel-1", "state": "withdrawn"})), "{ended:?}");
    assert_eq!(world.record("rel-1").await["reason"], "the agent gave up waiting");
    let kept = world.ask(&[&arguments("rel-2")[..], &["--keep"]].concat()).await;
    assert_eq!((kept.code, kept.json()), (Some(3), json!({"id": "rel-2", "state": "open"})), "{kept:?}");
    assert_eq!(world.record("rel-2").await["state"], "open");
}
