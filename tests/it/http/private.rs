//! Private words over HTTP: handed to the agent beside the answer, kept nowhere, forgotten once it has them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Reply, World, sent};

const ANSWER: &str = "/v1/questions/key/answer";
const CONFIRM: &str = "/v1/questions/key/private/confirm";

/// Made up here; nothing looks for words of this shape.
const WORDS: &str = "marzipan-velocipede";

async fn asking() -> World {
    let world = World::start().await;
    world.asks_in_secret("key").await;
    world
}

async fn answers(world: &World, words: &str) -> Reply {
    world.owner().post(ANSWER, &json!({"answer": words})).await
}

/// What the agent gets within some seconds.
async fn got(world: &World) -> Value {
    world.agent().held(ANSWER, 20).await.with(200)
}

#[tokio::test]
async fn private_words_reach_the_waiting_agent_and_lie_in_no_file() {
    let world = asking().await;
    let agent = world.agent();
    let waiting = tokio::spawn(async move { agent.held(ANSWER, 20).await });
    let told = answers(&world, WORDS).await.with(200);
    assert_eq!((&told["outcome"], &told["private"], &told["answer"]), (&json!("own_words"), &json!(true), &Value::Null));
    assert!(!told.to_string().contains(WORDS), "an owner is told that it is private, not what it is: {told}");
    let answer = waiting.await.unwrap().with(200);
    assert_eq!(answer["private_answer"], WORDS);
    assert_eq!((&answer["private"], &answer["answer"], &answer["recorded"]), (&json!(true), &Value::Null, &Value::Null));
    assert_eq!(got(&world).await, answer, "as often as it asks, until it confirms");
    assert!(!world.record("key").await.to_string().contains(WORDS));
    assert!(world.answer_file("key").unwrap().contains("\"private\": true"), "{:?}", world.answer_file("key"));
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn a_confirmed_answer_has_its_words_no_more_and_confirming_again_changes_nothing() {
    let world = asking().await;
    answers(&world, WORDS).await.with(200);
    let mut answer = got(&world).await;
    for _ in 0..2 {
        world.agent().post_empty(CONFIRM).await.with(204);
        let after = world.agent().get(ANSWER).await.with(200);
        answer.as_object_mut().unwrap().remove("private_answer");
        assert_eq!(after, answer);
    }
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn nobody_but_its_agent_sees_or_confirms() {
    let world = asking().await;
    answers(&world, WORDS).await.with(200);
    let other = world.caller(&world.new_token("agent", "other").await);
    other.post_empty(CONFIRM).await.problem(404, "not_found");
    other.get(ANSWER).await.problem(404, "not_found");
    assert_eq!(world.owner().post_empty(CONFIRM).await.status, 403);
    assert_eq!(world.nobody().post_empty(CONFIRM).await.status, 401);
    let record = world.owner().get("/v1/questions/key").await;
    assert!(!record.text.contains(WORDS), "{record:?}");
    let wrong = json!({"incarnation": "0000000000000000"});
    world.agent().post(CONFIRM, &wrong).await.problem(409, "incarnation_mismatch");
    assert_eq!(got(&world).await["private_answer"], WORDS, "none of that took them away");
}

#[tokio::test]
async fn words_that_a_restart_lost_are_written_again_and_reach_the_agent() {
    let mut world = asking().await;
    let first = answers(&world, WORDS).await.with(200);
    world.restart().await;
    assert_eq!(world.agent().get(ANSWER).await.status, 204, "without its words the answer is of no use");
    let agent = world.agent();
    let waiting = tokio::spawn(async move { agent.held(ANSWER, 20).await });
    let again = answers(&world, "marzipan-tricycle").await.with(200);
    assert_eq!(again, first, "it is the answer that stood already");
    let answer = waiting.await.unwrap().with(200);
    assert_eq!((&answer["private_answer"], &answer["at"]), (&json!("marzipan-tricycle"), &first["at"]));
    answers(&world, "marzipan-unicycle").await.problem(409, "already_answered");
    world.agent().post_empty(CONFIRM).await.with(204);
    world.restart().await;
    assert_eq!(world.agent().get(ANSWER).await.with(200).get("private_answer"), None, "what was confirmed is not lost");
    world.holds_nowhere("marzipan");
}

#[tokio::test]
async fn words_that_are_lost_while_they_are_being_saved_are_written_again_too() {
    let mut world = asking().await;
    world.kill9().await;
    world.serve_to_crash("claim.stored").await;
    let body = json!({"answer": WORDS});
    world.owner().try_post(ANSWER, &body).await.unwrap_err();
    world.until_crashed().await;
    world.holds_nowhere(WORDS);
    world.serve().await;
    answers(&world, "marzipan-tricycle").await.with(200);
    assert_eq!(got(&world).await["private_answer"], "marzipan-tricycle");
}

#[tokio::test]
async fn an_option_of_a_secret_question_is_an_answer_like_any_other() {
    let world = World::start().await;
    let options = json!([{"label": "Use the old one"}, {"label": "Make a new one"}]);
    world.asks_with(json!({"id": "key", "text": "Which key?", "options": options, "secret": true})).await;
    let answer = world.owner().post(ANSWER, &json!({"option": "2", "answer": "the second"})).await.with(200);
    assert_eq!((&answer["answer"], answer.get("private")), (&json!("Make a new one"), None));
    assert_eq!(got(&world).await, answer);
    world.agent().post_empty(CONFIRM).await.with(204);
}

#[tokio::test]
async fn a_key_of_a_private_write_keeps_nothing_of_its_body() {
    let world = asking().await;
    let write = async |words: &str| {
        let request =
            world.owner().request(Method::POST, ANSWER).header("idempotency-key", "k-1").json(&json!({"answer": words}));
        sent(request).await.unwrap()
    };
    let answer = write(WORDS).await.with(200);
    assert_eq!(write(WORDS).await.with(200), answer);
    write("something else").await.problem(422, "key_reused");
    assert_eq!(got(&world).await["private_answer"], WORDS);
    world.holds_nowhere(WORDS);
}

#[tokio::test]
async fn of_writes_at_the_same_moment_the_agent_gets_the_words_of_the_one_that_counts() {
    let world = asking().await;
    let writes: Vec<_> = (0..8)
        .map(|number| {
            let owner = world.owner();
            tokio::spawn(async move {
                let words = format!("marzipan-{number}");
                let reply = owner.post(ANSWER, &json!({"answer": words})).await;
                (words, reply)
            })
        })
        .collect();
    let mut counted = Vec::new();
    for write in writes {
        let (words, reply) = write.await.unwrap();
        match reply.status {
            200 => counted.push(words),
            status => assert_eq!(status, 409, "{reply:?}"),
        }
    }
    assert_eq!(counted.len(), 1, "{counted:?}");
    assert_eq!(got(&world).await["private_answer"], counted[0]);
    world.holds_nowhere("marzipan");
}

#[tokio::test]
async fn words_whose_save_was_refused_are_forgotten_and_the_next_ones_count() {
    let mut world = asking().await;
    world.break_repository();
    answers(&world, WORDS).await.problem(502, "save_refused");
    assert_eq!(world.record("key").await["state"], "open");
    world.mend_repository();
    world.restart().await;
    assert_eq!(world.agent().get(ANSWER).await.status, 204);
    answers(&world, "marzipan-tricycle").await.with(200);
    assert_eq!(got(&world).await["private_answer"], "marzipan-tricycle");
}
