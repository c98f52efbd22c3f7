//! What waits for somebody, and what they asked that nobody answered: for themselves alone, while it is young.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::world::{Caller, World, until};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

async fn unanswered(caller: &Caller) -> Vec<Value> {
    caller.get("/v1/status").await.with(200)["unanswered"].as_array().unwrap().clone()
}

async fn notices(caller: &Caller) -> Vec<String> {
    unanswered(caller).await.iter().map(|summary| summary["notice"].as_str().unwrap().to_owned()).collect()
}

async fn makes(caller: &Caller, id: &str, more: Value) {
    let mut body = json!({"id": id, "title": "Build this Rust parser", "text": "With tests, please."});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    caller.post("/v1/requests", &body).await.with(201);
}

async fn builder(world: &World) -> Caller {
    world.caller(&world.new_token("agent", "builder").await)
}

fn offer() -> Value {
    json!({"id": "r-17-offer", "deliverable": "untested code", "missing": "a build and a test run", "why": "no compiler"})
}

#[tokio::test]
async fn an_ask_that_nobody_answered_is_told_to_its_author_alone_with_what_was_offered() {
    let mut world = World::start().await;
    makes(&world.agent(), "r-17", json!({})).await;
    let builder = builder(&world).await;
    let mut body = offer();
    body["deadline"] = json!((Timestamp::now() + SignedDuration::from_hours(2)).to_string());
    builder.post("/v1/requests/r-17/offers", &body).await.with(201);
    assert_eq!(notices(&world.agent()).await, [""; 0], "it is young");
    world.ages(31 * MINUTE).await;
    let mut found = unanswered(&world.agent()).await;
    let age = found[0]["age_secs"].as_u64().unwrap();
    assert!((1860..1920).contains(&age), "{age}");
    found[0]["age_secs"] = json!(1860);
    let expected = json!({
        "id": "r-17", "title": "Build this Rust parser", "age_secs": 1860, "answers": 0, "offers": 0,
        "clarifies": [
            {"id": "r-17-offer", "author": "builder", "options": ["untested code", "no thanks"], "default": "untested code"},
        ],
        "notice": "your ask 'Build this Rust parser': 0 answers after 31 min · 1 clarify offering untested code",
    });
    // The offer waits for `tester`, and is nobody's unanswered ask: it opens no thread.
    assert_eq!(found, [expected]);
    for other in [builder, world.owner()] {
        assert_eq!(notices(&other).await, [""; 0]);
    }
    let status = world.agent().get("/v1/status").await.with(200);
    assert_eq!(status["awaiting_you"][0]["id"], "r-17-offer");
}

#[tokio::test]
async fn an_answer_by_another_author_ends_it_and_a_further_message_does_not() {
    let mut world = World::start().await;
    makes(&world.agent(), "r-17", json!({})).await;
    world.ages(5 * HOUR).await;
    let reply = json!({"title": "And", "text": "in Rust 2024"});
    world.agent().post("/v1/requests/r-17/replies", &reply).await.with(201);
    assert_eq!(notices(&world.agent()).await, ["your ask 'Build this Rust parser': 0 answers after 5 h"]);
    builder(&world).await.post("/v1/requests/r-17/replies", &reply).await.with(201);
    assert_eq!(notices(&world.agent()).await, [""; 0]);
}

#[tokio::test]
async fn a_picked_offer_no_longer_waits_and_the_ask_is_unanswered_all_the_same() {
    let mut world = World::start().await;
    makes(&world.agent(), "r-17", json!({})).await;
    builder(&world).await.post("/v1/requests/r-17/offers", &offer()).await.with(201);
    world.ages(31 * MINUTE).await;
    world.agent().post("/v1/questions/r-17-offer/pick", &json!({"option": "out"})).await.with(200);
    assert_eq!(notices(&world.agent()).await, ["your ask 'Build this Rust parser': 0 answers after 31 min"]);
}

#[tokio::test]
async fn from_3_days_on_it_is_over_and_the_request_stays_open() {
    let mut world = World::start().await;
    makes(&world.agent(), "r-17", json!({})).await;
    world.ages(3 * DAY - 2 * MINUTE).await;
    assert_eq!(notices(&world.agent()).await, ["your ask 'Build this Rust parser': 0 answers after 2 d"]);
    world.ages(2 * MINUTE).await;
    assert_eq!(notices(&world.agent()).await, [""; 0]);
    assert_eq!(world.agent().get("/v1/requests/r-17").await.with(200)["state"], "open");
}

#[tokio::test]
async fn turned_off_only_a_deadline_of_its_own_counts() {
    let mut world = World::start_with(&[("PAGER_UNANSWERED_AFTER", "0"), ("PAGER_DEADLINE__MIN", "1s")]).await;
    makes(&world.agent(), "r-1", json!({})).await;
    let deadline = (Timestamp::now() + SignedDuration::from_millis(1000)).to_string();
    makes(&world.agent(), "r-2", json!({"deadline": deadline})).await;
    world.ages(31 * MINUTE).await;
    let agent = world.agent();
    let found = until("its deadline passes", async || Some(unanswered(&agent).await).filter(|found| !found.is_empty())).await;
    assert_eq!(found.iter().map(|summary| &summary["id"]).collect::<Vec<_>>(), ["r-2"]);
}

#[tokio::test]
async fn a_question_that_opens_a_thread_counts_too_and_its_title_is_its_topics() {
    let mut world = World::start_with(&[("PAGER_UNANSWERED_AFTER", "1s")]).await;
    makes(&world.owner(), "r-1", json!({"title": "Post the news"})).await;
    world.asks("rel-1").await;
    world.asks("rel-2").await;
    world.owner().post("/v1/questions/rel-2/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    let about = json!({"id": "rel-3", "about": "rel-1", "text": "A?", "options": [{"label": "a"}, {"label": "b"}]});
    world.asks_with(about).await;
    world.ages(40 * MINUTE).await;
    assert_eq!(notices(&world.agent()).await, ["your ask 'Release rel-1?': 0 answers after 40 min"]);
    assert_eq!(notices(&world.owner()).await, ["your ask 'Post the news': 0 answers after 40 min"], "every owner is one side");
    let status = world.owner().get("/v1/status").await.with(200);
    let awaiting: Vec<_> = status["awaiting_you"].as_array().unwrap().iter().map(|record| &record["id"]).collect();
    assert_eq!(awaiting, ["rel-1", "rel-3"]);
}
