//! The path of an answer holds something else: nothing is overwritten.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn other_bytes_at_the_path_cancel_the_question_and_stay() {
    let world = World::with_telegram().await;
    let shown = world.asks_and_shows("rel-1").await;
    world.asks("rel-0").await;
    world.owner().post("/v1/questions/rel-0/answer", &json!({"answer": "Go"})).await.with(200);
    world.commit_from_elsewhere("answers/rel-1.json", "mine\n");
    world.telegram().press(shown.message, "No").unwrap();
    let record = world.in_state("rel-1", "cancelled").await;
    assert_eq!((&record["reason"], &record["resolved_by"]["kind"]), (&json!("id_taken"), &json!("service")));
    assert_eq!(world.answer_file("rel-1").unwrap(), "mine\n");
    assert_eq!(world.commits_of("rel-1").len(), 1);
    let message = world.closed(shown).await;
    assert!(message.words().contains("Cancelled by the service."), "{}", message.words());
    let answer = world.agent().get("/v1/questions/rel-1/answer").await.with(200);
    assert_eq!((&answer["outcome"], &answer["choice"], &answer["answer"]), (&json!("cancelled"), &Value::Null, &Value::Null));
    assert!(world.log().contains("holds something else"), "an alarm is logged");
}
