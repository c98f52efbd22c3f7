//! `ask new --secret`: the words are printed beside the answer, and forgotten by the service.

use serde_json::json;

use crate::world::{World, until};

const WORDS: &str = "marzipan-velocipede";

#[tokio::test]
async fn a_secret_question_prints_its_private_words_and_the_service_forgets_them() {
    let world = World::start().await;
    let arguments = [
        "new",
        "Which key?",
        "--id",
        "key",
        "--waiting-on",
        "the deploy",
        "--reversibility",
        "reversible",
        "--secret",
        "--wait",
        "1m",
    ];
    let waiting = world.start_ask(&arguments);
    until("it was asked", async || {
        let reply = world.agent().get("/v1/questions/key").await;
        (reply.status == 200).then_some(())
    })
    .await;
    world.owner().post("/v1/questions/key/answer", &json!({"answer": WORDS})).await.with(200);
    let ended = waiting.end().await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let answer = ended.json();
    assert_eq!((&answer["private_answer"], &answer["private"]), (&json!(WORDS), &json!(true)));
    let again = world.ask(&["wait", "key", "--timeout", "5s"]).await;
    assert!(!again.output.contains(WORDS) && !again.words.contains(WORDS), "{again:?}");
    assert!(again.words.contains("handed over before"), "{again:?}");
    world.holds_nowhere(WORDS);
}
