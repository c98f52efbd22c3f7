//! `history.keep` and requests: an old thread goes as a whole once nothing in it is open, and its id stays used.

use serde_json::{Value, json};

use crate::world::{Caller, World, until};

const DAY: i64 = 24 * 3600 * 1000;

async fn makes(caller: &Caller, id: &str) {
    let body = json!({"id": id, "title": format!("Build {id}"), "text": "With tests, please."});
    caller.post("/v1/requests", &body).await.with(201);
}

async fn replies(caller: &Caller, id: &str) -> Value {
    let body = json!({"title": "Built", "text": "Here."});
    caller.post(&format!("/v1/requests/{id}/replies"), &body).await.with(201)
}

async fn offers(caller: &Caller, id: &str) {
    let body = json!({"id": format!("{id}-offer"), "deliverable": "untested code", "missing": "a test", "why": "no compiler"});
    caller.post(&format!("/v1/requests/{id}/offers"), &body).await.with(201);
}

/// The ids of the requests that are there, newest first.
async fn kept(world: &World) -> Vec<String> {
    let found = world.owner().get("/v1/requests").await.with(200);
    found["items"].as_array().unwrap().iter().map(|request| request["id"].as_str().unwrap().to_owned()).collect()
}

async fn forgotten(world: &World, id: &str) {
    until(&format!("{id} is forgotten"), async || {
        (world.owner().get(&format!("/v1/requests/{id}")).await.status == 404).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_old_thread_goes_whole_with_its_wakes_when_nothing_in_it_is_open_and_its_id_stays_used() {
    let mut world = World::start().await;
    let helper = world.caller(&world.new_token("agent", "helper").await);
    let runner = world.caller(&world.new_token("agent", "runner").await);
    runner.get("/v1/wakes").await.with(200);
    for id in ["answered", "unanswered", "offered", "written"] {
        makes(&world.agent(), id).await;
    }
    let wakes = runner.get("/v1/wakes").await.with(200);
    assert_eq!(wakes["items"].as_array().unwrap().len(), 4, "{wakes}");
    replies(&helper, "answered").await;
    offers(&helper, "offered").await;
    world.ages(91 * DAY).await;
    replies(&world.agent(), "written").await;
    makes(&world.agent(), "young").await;
    replies(&helper, "young").await;
    world.restart().await;
    assert_eq!(kept(&world).await, ["young", "written", "offered", "unanswered", "answered"], "without a setting for ever");
    world.terminate().await;
    world.set("PAGER_HISTORY__KEEP", "90d");
    world.serve().await;
    for id in ["answered", "unanswered"] {
        forgotten(&world, id).await;
    }
    assert_eq!(kept(&world).await, ["young", "written", "offered"]);
    assert_eq!(world.record("offered-offer").await["state"], "open");
    for _ in 0..2 {
        let body = json!({"title": "Built", "text": "Here."});
        helper.post("/v1/requests/answered/replies", &body).await.problem(404, "not_found");
        let again = json!({"id": "answered", "title": "Build answered", "text": "With tests, please."});
        world.agent().post("/v1/requests", &again).await.problem(409, "id_used");
        let question = json!({"id": "answered", "text": "Go?", "options": [{"label": "Yes"}, {"label": "No"}]});
        world.agent().post("/v1/questions", &question).await.problem(409, "id_used");
        let wakes = runner.get("/v1/wakes?catchup=2592000").await.with(200);
        let about: Vec<&Value> = wakes["items"].as_array().unwrap().iter().map(|wake| &wake["request"]["id"]).collect();
        assert_eq!(about, ["offered", "written"], "it was told of these while they were new");
        world.restart().await;
    }
}

#[tokio::test]
async fn what_nobody_answered_stays_for_3_days_however_short_the_history_is() {
    let mut world = World::start().await;
    makes(&world.agent(), "first").await;
    world.ages(2 * DAY).await;
    makes(&world.agent(), "second").await;
    makes(&world.agent(), "answered").await;
    let helper = world.caller(&world.new_token("agent", "helper").await);
    replies(&helper, "answered").await;
    world.terminate().await;
    world.set("PAGER_HISTORY__KEEP", "1h");
    world.serve().await;
    world.ages(2 * DAY).await;
    for id in ["first", "answered"] {
        forgotten(&world, id).await;
    }
    assert_eq!(kept(&world).await, ["second"]);
    assert_eq!(world.agent().get("/v1/requests/second").await.with(200)["state"], "open");
}

#[tokio::test]
async fn an_answer_that_its_author_is_still_to_be_woken_for_keeps_the_thread() {
    let mut world = World::start().await;
    world.agent().get("/v1/wakes").await.with(200);
    for id in ["told", "untold"] {
        makes(&world.agent(), id).await;
    }
    let helper = world.caller(&world.new_token("agent", "helper").await);
    let reply = replies(&helper, "told").await;
    replies(&helper, "untold").await;
    let wakes = world.agent().get("/v1/wakes").await.with(200);
    assert_eq!(wakes["items"].as_array().unwrap().len(), 2, "{wakes}");
    let wake = format!("/v1/wakes/{}.reply/ack", reply["id"].as_str().unwrap());
    world.agent().post(&wake, &json!({})).await.with(200);
    world.terminate().await;
    world.set("PAGER_HISTORY__KEEP", "1h");
    world.serve().await;
    world.ages(2 * 3600 * 1000).await;
    forgotten(&world, "told").await;
    assert_eq!(kept(&world).await, ["untold"]);
}
