//! Words that look like a secret are held back: over HTTP and on the page.

use serde_json::{Value, json};

use crate::browser::Plain;
use crate::world::World;

/// Made up here, and joined so that no scanner takes it for a real one.
fn secret() -> String {
    format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6")
}

#[tokio::test]
async fn words_that_look_like_a_secret_are_not_saved_unless_they_are_meant() {
    let world = World::start().await;
    world.asks_for_words("port").await;
    let words = format!("Use {} for it", secret());
    let problem = world.owner().post("/v1/questions/port/answer", &json!({"answer": words})).await.problem(422, "looks_secret");
    assert_eq!(problem["field"], "answer");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("a GitHub token") && detail.contains("confirm_secret") && !detail.contains(&secret()), "{detail}");
    assert_eq!(world.record("port").await["state"], "open");
    assert_eq!(world.answer_file("port"), None);
    assert!(!world.log().contains(&secret()), "{}", world.log());
    let meant = json!({"answer": words, "confirm_secret": true});
    let answer = world.owner().post("/v1/questions/port/answer", &meant).await.with(200);
    assert_eq!(answer["answer"], words, "saved unchanged");
}

#[tokio::test]
async fn only_own_words_of_a_question_that_is_open_and_not_secret_are_looked_at() {
    let world = World::start().await;
    world.asks("rel-1").await;
    let beside = json!({"answer": secret(), "option": "1"});
    assert_eq!(world.owner().post("/v1/questions/rel-1/answer", &beside).await.with(200)["answer"], "Yes, release");
    let late = json!({"answer": secret()});
    world.owner().post("/v1/questions/rel-1/answer", &late).await.problem(409, "already_answered");
    let private = json!({"id": "key", "text": "Which key?", "waiting_on": "the deploy", "secret": true});
    world.asks_with(private).await;
    let answer = world.owner().post("/v1/questions/key/answer", &json!({"answer": secret()})).await.with(200);
    assert_eq!((&answer["private"], &answer["answer"]), (&json!(true), &Value::Null));
    assert!(!world.answer_file("key").unwrap().contains(&secret()));
}

#[tokio::test]
async fn the_page_keeps_what_was_typed_and_offers_to_send_it_anyway() {
    let world = World::start().await;
    let record = world.asks_for_words("port").await;
    let path = format!("/questions/{}/answer", record["incarnation"].as_str().unwrap());
    let olga = Plain::logged_in(&world).await;
    let form = [("csrf", olga.csrf.as_str()), ("answer", &secret())].map(|(name, value)| (name, value.to_owned()));
    let held = olga.post(&path).form(&form).send().await.unwrap();
    assert_eq!(held.status(), 422);
    let page = held.text().await.unwrap();
    assert!(page.contains("that looks like a GitHub token") && page.contains("Send anyway"), "{page}");
    assert!(page.contains(&secret()), "what was typed stays");
    assert_eq!(world.record("port").await["state"], "open");
    let meant = [&form[..], &[("confirm_secret", "yes".to_owned())]].concat();
    assert_eq!(olga.post(&path).form(&meant).send().await.unwrap().status(), 303);
    assert_eq!(world.in_state("port", "answered").await["answer"]["answer"], secret());
    let fresh = world.asks_for_words("other").await;
    let page = olga.get("/").await.text().await.unwrap();
    assert!(page.contains(fresh["incarnation"].as_str().unwrap()) && !page.contains("Send anyway"), "{page}");
}
