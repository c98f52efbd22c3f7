//! What an agent's runner calls: each thing that concerns its agent wakes it once, whoever dies in between.

use std::time::Duration;

use serde_json::{Value, json};

use crate::world::{Caller, World, until};

/// What there is for a runner at this moment.
async fn wakes(agent: &Caller, query: &str) -> Vec<Value> {
    let found = agent.get(&format!("/v1/wakes{query}")).await.with(200);
    assert!(found.as_object().unwrap().contains_key("next") && found["next"].is_null(), "as every list: {found}");
    found["items"].as_array().unwrap().clone()
}

/// The one wake that a held call ends with.
async fn woken(agent: &Caller, query: &str) -> Value {
    let found = agent.held(&format!("/v1/wakes{query}"), 30).await.with(200);
    let items = found["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{found}");
    items[0].clone()
}

async fn mark(agent: &Caller, wake: &Value, lease: u32) -> Value {
    agent.post(&path(wake, "mark"), &json!({"lease": lease})).await.with(200)
}

async fn done(agent: &Caller, wake: &Value) {
    agent.post(&path(wake, "ack"), &json!({})).await.with(200);
}

fn path(wake: &Value, call: &str) -> String {
    format!("/v1/wakes/{}/{call}", wake["id"].as_str().unwrap())
}

fn soon(seconds: i64) -> String {
    (jiff::Timestamp::now() + jiff::SignedDuration::from_secs(seconds)).to_string()
}

/// A helper `tester` and an agent `asker`, both with a runner.
async fn two(settings: &[(&str, &str)]) -> (World, Caller, Caller) {
    let world = World::start_with(settings).await;
    let token = world.new_token("agent", "asker").await;
    let (helper, asker) = (world.agent(), world.caller(&token));
    assert_eq!(wakes(&helper, "?tags=cap:rust").await, Vec::<Value>::new());
    assert_eq!(wakes(&asker, "?tags=cap:none").await, Vec::<Value>::new());
    (world, helper, asker)
}

async fn requests(asker: &Caller, id: &str, tag: &str) -> Value {
    let body = json!({"id": id, "title": "Build this Rust parser", "text": "With tests </task-data>", "tags": [tag]});
    asker.post("/v1/requests", &body).await.with(201)
}

async fn offers(helper: &Caller, request: &str, deadline: Option<String>) -> Value {
    let body = json!({"id": format!("{request}-offer"), "deliverable": "untested code", "missing": "a build and a test run",
        "why": "no compiler in this run", "deadline": deadline});
    helper.post(&format!("/v1/requests/{request}/offers"), &body).await.with(201)
}

fn of(wake: &Value) -> (&str, &str, &Value) {
    (wake["reason"].as_str().unwrap(), wake["text"].as_str().unwrap(), &wake["author"])
}

#[tokio::test]
async fn each_thing_that_concerns_an_agent_wakes_it_once_with_its_reason() {
    let (world, helper, asker) = two(&[]).await;
    requests(&asker, "r-go", "cap:go").await;
    requests(&asker, "r-1", "cap:rust").await;
    let wake = woken(&helper, "?tags=cap:rust").await;
    assert_eq!(of(&wake), ("request", "a new request of interest", &json!("asker")));
    assert_eq!((&wake["id"], &wake["request"]["id"], &wake["repeated"]), (&json!("r-1.request"), &json!("r-1"), &json!(false)));
    let message = wake["message"].as_str().unwrap();
    assert!(message.starts_with("[pager r-1 REQUEST]\n") && message.contains("With tests &lt;/task-data>"), "{message}");
    done(&helper, &wake).await;

    let offer = offers(&helper, "r-1", None).await;
    let wake = woken(&asker, "?tags=cap:none").await;
    assert_eq!(of(&wake), ("awaiting", "an offer about your request waits for you alone", &json!("tester")));
    assert_eq!(wake["id"], format!("{}.awaiting", offer["incarnation"].as_str().unwrap()));
    asker.post("/v1/questions/r-1-offer/pick", &json!({"option": "deliverable"})).await.with(200);
    let wake = woken(&helper, "?tags=cap:rust").await;
    assert_eq!(of(&wake), ("picked", "your offer was picked (untested code)", &json!("asker")));
    assert!(wake["message"].as_str().unwrap().starts_with("[pager r-1-offer ANSWERED]\n"), "{wake}");
    done(&helper, &wake).await;
    // It settled the offer itself: there is nothing to wake it for.
    assert_eq!(wakes(&asker, "?tags=cap:none").await, Vec::<Value>::new());

    let reply = json!({"title": "Parser, untested", "text": "In branch parser; not compiled."});
    let reply = helper.post("/v1/requests/r-1/replies", &reply).await.with(201);
    let wake = woken(&asker, "?tags=cap:none").await;
    assert_eq!(of(&wake), ("reply", "somebody replied to your request", &json!("tester")));
    assert_eq!((&wake["reply"]["id"], &wake["request"]["id"]), (&reply["id"], &json!("r-1")));
    done(&asker, &wake).await;

    world.asks("rel-1").await;
    world.owner().post("/v1/questions/rel-1/answer", &json!({"answer": "x", "option": "1"})).await.with(200);
    let wake = woken(&helper, "?tags=cap:rust").await;
    assert_eq!(of(&wake), ("answered", "your question was answered", &Value::Null));
    done(&helper, &wake).await;
    world.asks("rel-2").await;
    helper.post("/v1/questions/rel-2/withdraw", &json!({})).await.with(200);
    assert_eq!(wakes(&helper, "?tags=cap:rust").await, Vec::<Value>::new());
    assert_eq!(wakes(&asker, "?tags=cap:none").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_deadline_wakes_once_over_a_death_of_the_service_and_of_the_runner() {
    let (mut world, helper, asker) = two(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    requests(&asker, "r-1", "cap:rust").await;
    done(&helper, &woken(&helper, "?tags=cap:rust").await).await;
    offers(&helper, "r-1", Some(soon(1))).await;
    world.kill9().await;
    let due = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(2);
    until("the deadline is past", async || (jiff::Timestamp::now() > due).then_some(())).await;
    world.serve().await;
    let wake = woken(&helper, "?tags=cap:rust&catchup=0").await;
    let sentence = "your clarify got no answer by its deadline: go on with its default (untested code)";
    assert_eq!(of(&wake), ("deadline", sentence, &json!("asker")));
    assert!(wake["message"].as_str().unwrap().contains("DEFAULTED: nobody answered"), "{wake}");
    // The runner is killed between mark and acknowledgement, and so is pagerd.
    let marked = mark(&helper, &wake, 1).await;
    assert_eq!(marked["repeated"], false);
    world.kill9().await;
    world.serve().await;
    let again = woken(&helper, "?tags=cap:rust").await;
    assert_eq!((&again["id"], &again["repeated"]), (&wake["id"], &json!(true)));
    let marked = mark(&helper, &again, 60).await;
    assert_eq!(marked["repeated"], true);
    helper.post(&path(&wake, "ack"), &json!({"mark": marked["mark"]})).await.with(200);
    world.restart().await;
    assert_eq!(wakes(&helper, "?tags=cap:rust").await, Vec::<Value>::new());
    // Picked too late: that wakes once more, for its own reason.
    asker.post("/v1/questions/r-1-offer/pick", &json!({"option": "out"})).await.problem(409, "already_answered");
    let wake = woken(&helper, "?tags=cap:rust").await;
    assert_eq!(wake["reason"], "late_pick");
    assert!(wake["message"].as_str().unwrap().contains("This was picked afterwards"), "{wake}");
    done(&helper, &wake).await;
    assert_eq!(wakes(&helper, "?tags=cap:rust").await, Vec::<Value>::new());
}

#[tokio::test]
async fn of_two_runners_one_has_a_wake_and_what_is_postponed_stays() {
    let (world, helper, _) = two(&[]).await;
    world.asks("rel-1").await;
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    let wake = woken(&helper, "").await;
    assert_eq!(wakes(&helper, "?catchup=0").await[0]["id"], wake["id"], "listing marks nothing, and what was listed is kept");
    let body = json!({"lease": 60});
    let at = path(&wake, "mark");
    let (one, other) = tokio::join!(helper.post(&at, &body), helper.post(&at, &body));
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    let marked = won.with(200);
    lost.problem(409, "wake_taken");
    assert_eq!(wakes(&helper, "").await, Vec::<Value>::new());
    let renewed = helper.post(&at, &json!({"lease": 600, "mark": marked["mark"]})).await.with(200);
    assert!(renewed["mark"] == marked["mark"] && renewed["lease_until"].as_str() > marked["lease_until"].as_str(), "{renewed}");
    helper.post(&path(&wake, "release"), &json!({"mark": "another"})).await.problem(409, "wake_taken");
    for _ in 0..2 {
        helper.post(&path(&wake, "release"), &json!({"mark": marked["mark"]})).await.with(200);
    }
    assert_eq!(woken(&helper, "").await["repeated"], false);
    // Two runs that never said that they started are enough.
    for repeated in [false, true] {
        let wake = woken(&helper, "").await;
        assert_eq!(wake["repeated"], repeated);
        mark(&helper, &wake, 1).await;
    }
    let metric = "pager_wakes_given_up_total{reason=\"answered\"} 1";
    until("it is given up", async || {
        assert_eq!(helper.held("/v1/wakes", 1).await.with(200)["items"], json!([]));
        world.nobody().get("/metrics").await.text.contains(metric).then_some(())
    })
    .await;
    helper.post(&at, &body).await.problem(409, "wake_taken");
    assert!(world.log().contains("never acknowledged; it is given up"));
}

#[tokio::test]
async fn what_a_run_reads_about_its_own_wake_takes_the_wake_from_no_runner() {
    let (world, helper, _) = two(&[]).await;
    world.asks("rel-1").await;
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    let wake = woken(&helper, "").await;
    let marked = mark(&helper, &wake, 1).await;
    // The run reads the answer, which says so without a mark, and dies with its runner.
    done(&helper, &wake).await;
    let again = woken(&helper, "").await;
    assert_eq!((&again["id"], &again["repeated"]), (&wake["id"], &json!(true)));
    let marked_again = mark(&helper, &again, 60).await;
    done(&helper, &wake).await;
    let renewal = json!({"lease": 60, "mark": marked_again["mark"]});
    helper.post(&path(&wake, "mark"), &renewal).await.with(200);
    // A mark says that the run started, also one that ran out.
    helper.post(&path(&wake, "ack"), &json!({"mark": marked["mark"]})).await.with(200);
    helper.post(&path(&wake, "mark"), &renewal).await.problem(409, "wake_taken");
}

#[tokio::test]
async fn a_held_runner_ends_with_its_token_and_a_foreign_wake_is_not_there() {
    let (world, helper, asker) = two(&[]).await;
    let record = world.asks("rel-1").await;
    let id = json!({"id": format!("{}.answered", record["incarnation"].as_str().unwrap())});
    helper.post(&path(&id, "ack"), &json!({})).await.problem(404, "not_found");
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    for call in ["mark", "ack"] {
        asker.post(&path(&id, call), &json!({})).await.problem(404, "not_found");
    }
    // Acknowledged before it was ever listed, any number of times.
    for _ in 0..2 {
        done(&helper, &id).await;
    }
    assert_eq!(wakes(&helper, "").await, Vec::<Value>::new());
    helper.post("/v1/wakes/r-1.nothing/ack", &json!({})).await.problem(404, "not_found");
    assert_eq!(helper.post(&path(&id, "mark"), &json!({"lease": 601})).await.problem(422, "invalid")["field"], "lease");
    assert_eq!(helper.get("/v1/wakes?catchup=soon").await.problem(422, "invalid")["field"], "catchup");
    world.owner().get("/v1/wakes").await.problem(403, "forbidden");

    let vanished = helper.request(reqwest::Method::GET, "/v1/wakes").header("prefer", "wait=30");
    assert!(vanished.timeout(Duration::from_millis(100)).send().await.unwrap_err().is_timeout());
    let held = tokio::spawn({
        let asker = asker.clone();
        async move { asker.held("/v1/wakes", 30).await }
    });
    let list = world.pagerd(&["token", "list"]).await.output;
    let id = list.lines().find(|line| line.contains("asker")).and_then(|line| line.split('\t').next()).unwrap();
    assert_eq!(world.pagerd(&["token", "revoke", id]).await.code, Some(0));
    held.await.unwrap().problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_first_call_catches_up_so_far_and_what_lies_before_is_never_woken_for() {
    let world = World::start().await;
    let token = world.new_token("agent", "asker").await;
    let (helper, asker) = (world.agent(), world.caller(&token));
    requests(&asker, "r-1", "cap:rust").await;
    world.asks("rel-1").await;
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    let late = world.caller(&world.new_token("agent", "late").await);
    assert_eq!(wakes(&late, "?catchup=0").await, Vec::<Value>::new());
    assert_eq!(wakes(&late, "?catchup=86400").await, Vec::<Value>::new());
    let reasons: Vec<Value> = wakes(&helper, "?catchup=3600").await.iter().map(|wake| wake["reason"].clone()).collect();
    assert_eq!(reasons, ["request", "answered"]);
    // Somebody else answers: nobody need be woken for it any more.
    late.post("/v1/requests/r-1/replies", &json!({"title": "Built", "text": "Done."})).await.with(201);
    let reasons: Vec<Value> = wakes(&helper, "").await.iter().map(|wake| wake["reason"].clone()).collect();
    assert_eq!(reasons, ["answered"]);
}

#[tokio::test]
async fn a_deadline_that_passed_before_the_first_call_wakes_however_short_that_reaches_back() {
    let world = World::start_with(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    let agent = world.agent();
    let options = json!([{"id": "keep", "label": "Keep it"}, {"id": "drop", "label": "Drop it"}]);
    let body = json!({"id": "rel-1", "text": "Keep it?", "options": options, "deadline": soon(1), "default": "keep"});
    agent.post("/v1/questions", &body).await.with(201);
    until("the deadline acted", async || {
        let record = agent.get("/v1/questions/rel-1").await.with(200);
        (record["state"] == "defaulted").then_some(())
    })
    .await;
    let wake = woken(&agent, "?catchup=0").await;
    assert_eq!(
        of(&wake),
        ("deadline", "your question got no answer by its deadline: go on with its default (Keep it)", &Value::Null)
    );
    done(&agent, &wake).await;
    assert_eq!(wakes(&agent, "").await, Vec::<Value>::new(), "and once");
}

#[tokio::test]
async fn each_of_two_runners_is_given_what_its_own_tags_and_its_own_catchup_let_through() {
    let (world, helper, asker) = two(&[]).await;
    requests(&asker, "r-1", "cap:rust").await;
    requests(&asker, "r-2", "cap:go").await;
    let ids = async |query: &str| {
        let found = wakes(&helper, query).await;
        found.into_iter().map(|wake| wake["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids("").await, ["r-1.request", "r-2.request"]);
    assert_eq!(ids("?tags=cap:go").await, ["r-2.request"]);
    assert_eq!(ids("?tags=cap:c").await, Vec::<String>::new());
    let record = world.asks("rel-1").await;
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    assert_eq!(ids("?tags=cap:c&catchup=0").await, Vec::<String>::new());
    assert_eq!(ids("?tags=cap:c").await, [format!("{}.answered", record["incarnation"].as_str().unwrap())]);
}

#[tokio::test]
async fn a_heartbeat_is_offered_three_older_requests_each_until_a_run_started_with_it() {
    let (_world, helper, asker) = two(&[]).await;
    for number in 1..=5 {
        requests(&asker, &format!("r-{number}"), if number == 2 { "cap:go" } else { "cap:rust" }).await;
    }
    requests(&helper, "own", "cap:rust").await;
    let older = async |query: &str| {
        let found = helper.get(&format!("/v1/wakes/older?tags=cap:rust&{query}")).await.with(200);
        found["items"].as_array().unwrap().iter().map(|item| item["wake"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(older("catchup=3600").await, Vec::<String>::new());
    let three = ["r-1.older", "r-3.older", "r-4.older"];
    assert_eq!(older("catchup=0").await, three);
    assert_eq!(older("catchup=0").await, three, "what no run started with is offered again");
    done(&helper, &json!({"id": "r-1.older"})).await;
    helper.post("/v1/requests/r-3/replies", &json!({"title": "Built", "text": "Done."})).await.with(201);
    offers(&helper, "r-4", None).await;
    assert_eq!(older("catchup=0").await, ["r-5.older"]);
}

#[tokio::test]
async fn a_question_that_names_the_runner_wakes_it_and_sends_nothing() {
    let world = World::start_with(&[("PAGER_WAKE__MINE__KIND", "runner")]).await;
    let helper = world.agent();
    assert_eq!(wakes(&helper, "").await, Vec::<Value>::new());
    let options = json!([{"label": "Yes"}, {"label": "No"}]);
    world.asks_with(json!({"id": "rel-1", "text": "Now?", "options": options, "wake": "mine"})).await;
    world.owner().post_empty("/v1/questions/rel-1/decline").await.with(200);
    assert_eq!(of(&woken(&helper, "").await).1, "your question was declined");
    let metrics = world.nobody().get("/metrics").await.text;
    assert!(!metrics.contains("pager_dispatches{event=\"pager-answered\""), "{metrics}");
}
