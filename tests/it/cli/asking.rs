//! `ask new`: one command from the question to the answer.

use serde_json::{Value, json};

use crate::world::{World, until};

#[tokio::test]
async fn a_question_is_asked_pressed_and_its_answer_printed() {
    let world = World::with_telegram().await;
    let asking = world.start_ask(&["new", "Release?", "-o", "Yes", "-o", "No", "--id", "rel-1", "--wait", "1h"]);
    let topic = world.telegram().wait_for_topic("Release?").await.unwrap();
    let shown = world.shown("rel-1").await;
    assert_eq!(topic.thread, shown.thread);
    world.telegram().press(shown.message, "Yes").unwrap();
    let ended = asking.end().await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.json(), world.saved_answer("rel-1").await);
    assert!(ended.words.contains("rel-1"), "{ended:?}");
    world.closed(shown).await;
    assert!(world.git(&["log", "--format=%s", "main"]).contains("answer rel-1: chosen"));
}

#[tokio::test]
async fn a_question_is_asked_and_answered_in_own_words() {
    let world = World::with_telegram().await;
    let asking = world.start_ask(&["new", "Release?", "-o", "Yes", "-o", "No", "--id", "rel-1", "--wait", "1h"]);
    world.telegram().wait_for_topic("Release?").await.unwrap();
    let shown = world.shown("rel-1").await;
    let text = world.telegram().write_in_topic(shown.thread, "On Monday").unwrap();
    let ended = asking.end().await;
    assert_eq!((ended.code, &ended.json()["choice"], &ended.json()["answer"]), (Some(0), &Value::Null, &json!("On Monday")));
    world.message_says(shown, "Your answer, in your own words").await;
    world.telegram().wait_for_message("👍", |message| message.id == text && message.reactions == ["👍"]).await.unwrap();
}

#[tokio::test]
async fn the_answer_is_verified_with_the_services_key() {
    let world = World::start().await;
    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let right = world.key().await.to_string();
    let wrong = World::start().await.key().await.to_string();
    for (keys, code) in [(right.clone(), 0), (format!("{wrong},{right}"), 0), (wrong, 1)] {
        let mut command = world.ask_command(&["answer", "rel-1"]);
        command.env("ASK_URL", world.address.url()).env("ASK_TOKEN", &world.agent_token).env("ASK_VERIFY_KEY", keys);
        let ended = crate::world::Running::start(&mut command).end().await;
        assert_eq!((ended.code, ended.output.is_empty()), (Some(code), code == 1), "{ended:?}");
    }
}

#[tokio::test]
async fn two_processes_with_one_id_make_one_question() {
    let world = World::start().await;
    let arguments = ["new", "Release?", "-o", "Yes", "-o", "No", "--id", "rel-1"];
    let (first, second) = (world.start_ask(&arguments), world.start_ask(&arguments));
    let (first, second) = (first.end().await, second.end().await);
    assert_eq!((first.code, second.code), (Some(0), Some(0)), "{first:?} {second:?}");
    assert_eq!(first.json()["asked_at"], second.json()["asked_at"]);
    assert_eq!(first.json()["incarnation"], second.json()["incarnation"]);

    let other = world.ask(&["new", "Something else?", "-o", "Yes", "-o", "No", "--id", "rel-1"]).await;
    assert_eq!((other.code, other.output.as_str()), (Some(7), ""), "{other:?}");
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let late = world.ask(&arguments).await;
    assert_eq!((late.code, late.output.as_str()), (Some(7), ""), "{late:?}");
}

#[tokio::test]
async fn the_time_that_is_printed_is_made_for_since() {
    let world = World::start().await;
    let time = world.ask(&["new", "Release?", "-o", "Yes", "-o", "No", "--id", "rel-1", "--print", "time"]).await;
    let since = time.output.trim();
    assert_eq!(world.record("rel-1").await["asked_at"], since);
    let none = world.ask(&["answer", "rel-1", "--since", since]).await;
    assert_eq!((none.code, none.json()), (Some(3), json!({"id": "rel-1", "state": "open"})));
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "Go"})).await.with(200);
    let answer = world.ask(&["answer", "rel-1", "--since", since]).await;
    assert_eq!((answer.code, &answer.json()["answer"]), (Some(0), &json!("Go")));
    let ignored = world.ask(&["answer", "rel-1", "--since", "2036-01-01T00:00:00Z"]).await;
    assert_eq!(ignored.code, Some(3), "{ignored:?}");
    assert!(ignored.words.contains("too old"), "{ignored:?}");
}

#[tokio::test]
async fn a_question_asked_while_pagerd_is_away_is_asked_once_it_is_back() {
    let mut world = World::start().await;
    world.kill9().await;
    let asking = world.start_ask(&["new", "Release?", "-o", "Yes", "-o", "No", "--id", "rel-1"]);
    world.serve_at_the_same_address().await;
    let ended = asking.end().await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(world.record("rel-1").await["asked_at"], ended.json()["asked_at"]);
}

#[tokio::test]
async fn refusals_have_their_exit_codes() {
    let world = World::start().await;
    assert_eq!(world.ask(&["answer", "never"]).await.code, Some(8));
    assert_eq!(world.ask(&["new", "A?", "-o", "only one"]).await.code, Some(2));
    assert_eq!(world.ask(&["new", "A?", "-o", "a", "-o", "b", "--id", "Not An Id"]).await.code, Some(2));
    let owner = world.ask_as_owner(&["new", "A?", "-o", "a", "-o", "b"]).await;
    assert_eq!((owner.code, owner.output.as_str()), (Some(1), ""), "{owner:?}");
    world.asks("rel-1").await;
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    let declined = world.ask(&["wait", "rel-1"]).await;
    assert_eq!((declined.code, &declined.json()["outcome"]), (Some(4), &json!("declined")));
    until("the list shows it", async || {
        let listed = world.ask(&["list", "--state", "declined"]).await;
        listed.output.contains("rel-1").then_some(())
    })
    .await;
}
