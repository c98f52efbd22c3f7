//! What is put to an agent is heard by that agent, when it is asked and when it has ended, and by no third one.

use serde_json::{Value, json};

use super::stream::{Event, Stream};
use crate::world::{Caller, World};

/// `tester` has asked for work as `r-1`; the helper, and an agent that has nothing to do with it.
async fn stage(settings: &[(&str, &str)]) -> (World, Caller, Caller) {
    let world = World::start_with(settings).await;
    let request = json!({"id": "r-1", "title": "Build it", "text": "In Rust."});
    world.agent().post("/v1/requests", &request).await.with(201);
    let helper = world.caller(&world.new_token("agent", "helper").await);
    let third = world.caller(&world.new_token("agent", "third").await);
    (world, helper, third)
}

async fn offers(helper: &Caller, id: &str, more: Value) {
    let mut body = json!({"id": id, "deliverable": "untested code", "missing": "a test run", "why": "no compiler"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    helper.post("/v1/requests/r-1/offers", &body).await.with(201);
}

/// Asks the owner something of its own: nothing that came before is on its way any more.
async fn marks(agent: &Caller, id: &str) {
    let draft = json!({"id": id, "text": "Mine?", "options": [{"label": "A"}, {"label": "B"}]});
    agent.post("/v1/questions", &draft).await.with(201);
}

const ASKED: &str = "question.asked";
const ENDED: &str = "question.ended";

#[tokio::test]
async fn an_offer_is_heard_by_whoever_is_to_pick_when_it_is_made_and_when_it_has_ended_and_by_no_third_agent() {
    let (world, helper, third) = stage(&[]).await;
    let mut settles = Stream::open(&world.agent()).await;
    let (mut asks, mut other, mut owner) =
        (Stream::open(&helper).await, Stream::open(&third).await, Stream::open(&world.owner()).await);
    offers(&helper, "off-1", json!({})).await;
    world.agent().post("/v1/questions/off-1/pick", &json!({"option": "out"})).await.with(200);
    marks(&third, "other").await;
    marks(&helper, "helpers").await;
    marks(&world.agent(), "testers").await;
    let heard = settles.hears(&[(ASKED, "off-1"), (ENDED, "off-1"), (ASKED, "testers")]).await;
    assert_eq!((&heard[0].data["put_to"], &heard[0].data["source"]["agent"]), (&json!("tester"), &json!("helper")));
    assert_eq!((&heard[1].data["state"], &heard[1].data["answer"]["choice"]), (&json!("answered"), &json!("out")));
    let all = [(ASKED, "off-1"), ("question.answering", "off-1"), (ENDED, "off-1"), ("answer.shown", "off-1")];
    let asked = asks.hears(&[all.as_slice(), &[(ASKED, "helpers")]].concat()).await;
    assert_eq!((&asked[0], &asked[2]), (&heard[0], &heard[1]), "both hear the same of it");
    other.hears(&[(ASKED, "other")]).await;
    owner.hears(&[all.as_slice(), &[(ASKED, "other"), (ASKED, "helpers"), (ASKED, "testers")]].concat()).await;
}

#[tokio::test]
async fn a_question_that_was_withdrawn_or_defaulted_is_told_to_whom_it_was_put() {
    let (world, helper, _) = stage(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    let mut settles = Stream::open(&world.agent()).await;
    let question = json!({"id": "q-1", "about": "r-1", "purpose": "clarification", "text": "Which edition?",
        "waiting_on": "the parser", "reversibility": "reversible"});
    helper.post("/v1/questions", &question).await.with(201);
    helper.post("/v1/questions/q-1/withdraw", &json!({"reason": "found out"})).await.with(200);
    let deadline = (jiff::Timestamp::now() + jiff::SignedDuration::from_millis(1500)).to_string();
    offers(&helper, "off-1", json!({"deadline": deadline})).await;
    let heard = settles.hears(&[(ASKED, "q-1"), (ENDED, "q-1"), (ASKED, "off-1"), (ENDED, "off-1")]).await;
    let states: Vec<&Value> = heard.iter().map(|event| &event.data["state"]).collect();
    assert_eq!((states[1], states[3]), (&json!("withdrawn"), &json!("defaulted")));
}

#[tokio::test]
async fn with_its_last_id_an_agent_misses_nothing_that_was_put_to_it_and_a_third_one_gets_nothing_over_a_restart() {
    let (mut world, helper, third) = stage(&[]).await;
    offers(&helper, "off-1", json!({})).await;
    let mut settles = Stream::after(&world.agent(), "0-0").await;
    let first = settles.hears(&[("request.made", "r-1"), (ASKED, "off-1")]).await;
    let begun = Stream::open(&third).await.last;
    drop(settles);
    world.agent().post("/v1/questions/off-1/pick", &json!({"option": "deliverable"})).await.with(200);
    offers(&helper, "off-2", json!({})).await;
    world.restart().await;
    marks(&third, "other").await;
    let mut settles = Stream::after(&world.agent(), &first[1].id).await;
    let heard: Vec<Event> = settles.hears(&[(ENDED, "off-1"), (ASKED, "off-2")]).await;
    // Back at a place that the feed may still have at hand, too.
    let mut again = Stream::after(&world.agent(), &heard[0].id).await;
    assert_eq!(again.hears(&[(ASKED, "off-2")]).await, heard[1..]);
    for place in ["0-0", &begun] {
        Stream::after(&third, place).await.hears(&[(ASKED, "other")]).await;
    }
}
