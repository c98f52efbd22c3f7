//! Partial offers, whom they are put to, and what the agent that asked picks.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Connection;

use crate::world::{Caller, Reply, World, sent};

/// A request of `tester`, and the agent that offers something.
async fn asked_for(settings: &[(&str, &str)]) -> (World, Caller) {
    let world = World::start_with(settings).await;
    makes(&world.agent(), "r-1").await;
    let helper = world.caller(&world.new_token("agent", "helper").await);
    (world, helper)
}

async fn makes(caller: &Caller, id: &str) {
    caller.post("/v1/requests", &json!({"id": id, "title": "Build this", "text": "In Rust."})).await.with(201);
}

fn offer(id: &str, more: Value) -> Value {
    let mut body =
        json!({"id": id, "deliverable": "untested code", "missing": "a build and a test run", "why": "no compiler in this run"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn offers(helper: &Caller, request: &str, body: &Value) -> Reply {
    helper.post(&format!("/v1/requests/{request}/offers"), body).await
}

async fn picks(caller: &Caller, id: &str, body: &Value) -> Reply {
    caller.post(&format!("/v1/questions/{id}/pick"), body).await
}

async fn awaiting(caller: &Caller) -> Vec<String> {
    let status = caller.get("/v1/status").await.with(200);
    status["awaiting_you"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

async fn open_to_owner(world: &World) -> Value {
    world.owner().get("/v1/inbox/open").await.with(200)["items"].clone()
}

fn in_millis(millis: i64) -> String {
    (Timestamp::now() + SignedDuration::from_millis(millis)).to_string()
}

/// Once its default holds, as its helper sees it.
async fn defaulted(helper: &Caller, id: &str) -> Value {
    let answer = helper.answer(id).await;
    assert_eq!(answer["outcome"], "defaulted", "{answer}");
    answer
}

#[tokio::test]
async fn an_offer_is_put_to_the_agent_that_asked_and_to_nobody_else() {
    let (world, helper) = asked_for(&[]).await;
    let made = offers(&helper, "r-1", &offer("o-1", json!({}))).await.with(201);
    assert_eq!((&made["purpose"], &made["about"], &made["put_to"]), (&json!("offer"), &json!("r-1"), &json!("tester")));
    let labels: Vec<_> = made["options"].as_array().unwrap().iter().map(|option| &option["label"]).collect();
    assert_eq!(labels, ["untested code", "no thanks"]);
    assert_eq!((&made["deadline"], &made["default"], &made["warnings"]), (&Value::Null, &Value::Null, &json!([])));
    assert_eq!(awaiting(&world.agent()).await, ["o-1"]);
    assert_eq!((awaiting(&helper).await, awaiting(&world.owner()).await), (vec![], vec![]));
    assert_eq!(open_to_owner(&world).await, json!([]));
    let mailbox = world.owner().get("/v1/inbox").await.with(200);
    assert_eq!(mailbox["items"][0]["id"], "o-1", "every record is in the mailbox");
    assert_eq!(world.agent().get("/v1/questions/o-1").await.with(200)["text"], made["text"], "its author reads it");
    let again = offers(&helper, "r-1", &offer("o-1", json!({}))).await.with(200);
    assert_eq!(again["incarnation"], made["incarnation"]);
}

#[tokio::test]
async fn the_thread_shows_offers_to_its_author_and_the_owner_and_each_helper_its_own() {
    let (world, helper) = asked_for(&[]).await;
    offers(&helper, "r-1", &offer("o-1", json!({"deadline": in_millis(3_600_000)}))).await.with(201);
    let other = world.caller(&world.new_token("agent", "other").await);
    let seen = async |caller: &Caller| caller.get("/v1/requests/r-1").await.with(200)["clarifies"].clone();
    let clarify = json!([{
        "id": "o-1", "author": "helper", "options": ["untested code", "no thanks"], "default": "untested code", "state": "open",
    }]);
    for caller in [&world.agent(), &world.owner(), &helper] {
        assert_eq!(seen(caller).await, clarify);
    }
    assert_eq!(seen(&other).await, json!([]));
    other.get("/v1/questions/o-1").await.problem(404, "not_found");
}

#[tokio::test]
async fn a_pick_is_saved_and_reaches_the_helper_as_any_answer_does() {
    let (world, helper) = asked_for(&[]).await;
    offers(&helper, "r-1", &offer("o-1", json!({}))).await.with(201);
    let picked = picks(&world.agent(), "o-1", &json!({"option": "deliverable"})).await.with(200);
    assert_eq!(picked["by"], json!({"kind": "agent", "id": "agent:tester", "via": "http"}));
    assert_eq!((&picked["outcome"], &picked["choice"]), (&json!("chosen"), &json!("deliverable")));
    assert_eq!(helper.answer("o-1").await, picked);
    assert!(world.answer_file("o-1").unwrap().contains("agent:tester"));
    assert_eq!(awaiting(&world.agent()).await, [""; 0]);
    let late = picks(&world.agent(), "o-1", &json!({"option": "out"})).await.problem(409, "already_answered");
    assert_eq!(late["answer"], picked);
    let words = json!({"id": "q-1", "about": "r-1", "text": "Which edition?", "purpose": "clarification", "waiting_on": "it"});
    helper.post("/v1/questions", &words).await.with(201);
    assert_eq!(awaiting(&world.agent()).await, ["q-1"]);
    let answer = picks(&world.agent(), "q-1", &json!({"words": "2024"})).await.with(200);
    assert_eq!((&answer["outcome"], &answer["answer"]), (&json!("own_words"), &json!("2024")));
}

#[tokio::test]
async fn exactly_one_of_an_option_and_words_is_picked_of_the_record_that_is_meant() {
    let (world, helper) = asked_for(&[]).await;
    let made = offers(&helper, "r-1", &offer("o-1", json!({}))).await.with(201);
    let agent = world.agent();
    for (body, code, field) in [
        (json!({}), "invalid", "option"),
        (json!({"option": "out", "words": "no"}), "invalid", "option"),
        (json!({"option": "later"}), "invalid", "option"),
        (json!({"words": " "}), "invalid", "words"),
        (json!({"option": "out", "answer": "x"}), "unknown_field", "answer"),
    ] {
        assert_eq!(picks(&agent, "o-1", &body).await.problem(422, code)["field"], field, "{body}");
    }
    let stale = json!({"option": "out", "incarnation": "0123456789abcdef"});
    picks(&agent, "o-1", &stale).await.problem(409, "incarnation_mismatch");
    let revision = made["revision"].as_u64().unwrap();
    let stale = json!({"option": "out", "expected_revision": revision + 1});
    picks(&agent, "o-1", &stale).await.problem(409, "revision_conflict");
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let held = picks(&agent, "o-1", &json!({"words": secret})).await.problem(422, "looks_secret");
    assert_eq!(held["field"], "words");
    assert!(held["detail"].as_str().unwrap().starts_with("words looks like"), "{held}");
    assert_eq!(awaiting(&agent).await, ["o-1"]);
    let meant = json!({"option": "out", "incarnation": made["incarnation"], "expected_revision": revision});
    assert_eq!(picks(&agent, "o-1", &meant).await.with(200)["choice"], "out");
}

#[tokio::test]
async fn a_pick_under_the_same_key_is_done_once() {
    let (mut world, helper) = asked_for(&[]).await;
    offers(&helper, "r-1", &offer("o-1", json!({}))).await.with(201);
    let keyed = async |world: &World, option: &str| {
        let request = world.agent().request(Method::POST, "/v1/questions/o-1/pick").header("idempotency-key", "k-1");
        sent(request.json(&json!({"option": option}))).await.unwrap()
    };
    let first = keyed(&world, "deliverable").await.with(200);
    world.restart().await;
    assert_eq!(keyed(&world, "deliverable").await.with(200), first);
    keyed(&world, "out").await.problem(422, "key_reused");
}

#[tokio::test]
async fn what_is_not_put_to_an_agent_is_as_unknown_to_it_as_none() {
    let (world, helper) = asked_for(&[]).await;
    offers(&helper, "r-1", &offer("o-1", json!({}))).await.with(201);
    world.asks("rel-1").await;
    makes(&world.owner(), "r-2").await;
    let owners = offers(&helper, "r-2", &offer("o-2", json!({}))).await.with(201);
    assert_eq!(owners["put_to"], Value::Null, "an offer about an owner's request is the owner's");
    let none = picks(&helper, "never", &json!({"option": "out"})).await;
    for (caller, id) in
        [(&helper, "o-1"), (&world.agent(), "rel-1"), (&helper, "rel-1"), (&helper, "o-2"), (&world.agent(), "o-2")]
    {
        let reply = picks(caller, id, &json!({"option": "out"})).await;
        assert_eq!((reply.status, &reply.text), (404, &none.text), "{id}");
        let stale = picks(caller, id, &json!({"option": "out", "incarnation": "0123456789abcdef"})).await;
        assert_eq!((stale.status, &stale.text), (404, &none.text), "{id}");
    }
    picks(&world.owner(), "o-2", &json!({"option": "out"})).await.problem(403, "forbidden");
    world.agent().post("/v1/questions/o-1/answer", &json!({"answer": "x"})).await.problem(403, "forbidden");
    world.owner().post("/v1/questions/o-2/answer", &json!({"answer": "x", "option": "out"})).await.with(200);
}

#[tokio::test]
async fn an_owner_may_cancel_what_is_put_to_an_agent_and_nothing_else() {
    let (world, helper) = asked_for(&[]).await;
    offers(&helper, "r-1", &offer("o-1", json!({}))).await.with(201);
    let owner = world.owner();
    let answer = json!({"answer": "x", "option": "deliverable"});
    owner.post("/v1/questions/o-1/answer", &answer).await.problem(403, "forbidden");
    owner.post("/v1/questions/o-1/answer", &json!({"answer": "In my words."})).await.problem(403, "forbidden");
    owner.post_empty("/v1/questions/o-1/decline").await.problem(403, "forbidden");
    assert_eq!(awaiting(&world.agent()).await, ["o-1"]);
    assert_eq!(owner.post_empty("/v1/questions/o-1/cancel").await.with(200)["outcome"], "cancelled");
    let late = picks(&world.agent(), "o-1", &json!({"option": "out"})).await.problem(409, "already_answered");
    assert_eq!(late["answer"]["outcome"], "cancelled");
}

#[tokio::test]
async fn reserved_actions_stay_the_owners_whatever_they_are_about() {
    let (world, helper) = asked_for(&[]).await;
    let options = json!([{"label": "a", "detail": "x"}, {"label": "b", "detail": "y"}]);
    for (id, body) in [
        ("a-1", json!({"purpose": "approval", "gate": "merge"})),
        ("d-1", json!({"purpose": "decision", "options": options, "recommended": "1"})),
        ("c-1", json!({"purpose": "action"})),
        ("v-1", json!({"purpose": "verify"})),
    ] {
        let mut body = body;
        body.as_object_mut()
            .unwrap()
            .extend(json!({"id": id, "about": "r-1", "text": "Merge?", "waiting_on": "it"}).as_object().unwrap().clone());
        assert_eq!(helper.post("/v1/questions", &body).await.with(201)["put_to"], Value::Null, "{id}");
        picks(&world.agent(), id, &json!({"words": "Yes"})).await.problem(404, "not_found");
    }
    assert_eq!(open_to_owner(&world).await.as_array().unwrap().len(), 4);
    // Nobody answers oneself.
    let own = json!({"id": "q-1", "about": "r-1", "text": "A?", "options": [{"label": "a"}, {"label": "b"}]});
    assert_eq!(world.agent().post("/v1/questions", &own).await.with(201)["put_to"], Value::Null);
    picks(&world.agent(), "q-1", &json!({"option": "1"})).await.problem(404, "not_found");
}

#[tokio::test]
async fn an_offer_and_what_a_question_is_about_are_checked() {
    let (world, helper) = asked_for(&[]).await;
    world.asks("rel-1").await;
    for (more, code, field) in [
        (json!({"deliverable": " "}), "invalid", "deliverable"),
        (json!({"missing": null}), "invalid", "missing"),
        (json!({"why": null}), "invalid", "why"),
        (json!({"or": "untested code"}), "invalid", "or"),
        (json!({"default": "deliverable"}), "invalid", "default"),
        (json!({"deadline": in_millis(3_600_000), "default": "both"}), "invalid", "default"),
        (json!({"deadline": in_millis(8 * 86_400_000)}), "invalid", "deadline"),
        (json!({"put_to": "helper"}), "unknown_field", "put_to"),
        (json!({"wake": "nobody"}), "invalid", "wake"),
    ] {
        assert_eq!(offers(&helper, "r-1", &offer("o-1", more)).await.problem(422, code)["field"], field);
    }
    for unknown in ["never", "rel-1", "R 1"] {
        offers(&helper, unknown, &offer("o-1", json!({}))).await.problem(404, "not_found");
    }
    let two = json!([{"label": "a"}, {"label": "b"}]);
    for (body, field) in [
        (json!({"text": "A?", "options": two, "about": "never"}), "about"),
        (json!({"text": "A?", "options": two, "about": "rel-1"}), "about"),
        (json!({"text": "A?", "options": two, "purpose": "offer"}), "about"),
        (json!({"text": "A?", "options": two, "purpose": "offer", "about": "rel-1"}), "about"),
    ] {
        assert_eq!(helper.post("/v1/questions", &body).await.problem(422, "invalid")["field"], field, "{body}");
    }
    let own = json!({"id": "q-1", "text": "A?", "options": two, "about": "rel-1"});
    assert_eq!(world.agent().post("/v1/questions", &own).await.with(201)["about"], "rel-1", "about one's own");
}

#[tokio::test]
async fn a_default_is_refused_with_the_reason_where_silence_settles_nothing() {
    let (_world, helper) = asked_for(&[]).await;
    let deadline = in_millis(3_600_000);
    let two = json!([{"id": "a", "label": "a", "detail": "x"}, {"id": "b", "label": "b", "detail": "y"}]);
    for (more, why) in [
        (json!({"purpose": "approval", "gate": "merge", "waiting_on": "it", "default": "approve"}), "not for an approval"),
        (
            json!({"purpose": "decision", "options": two, "waiting_on": "it", "recommended": "a", "default": "a"}),
            "not for a decision",
        ),
        (json!({"options": two, "default": "a", "reversibility": "hard_to_reverse"}), "hard to reverse"),
        (json!({"purpose": "offer", "options": two, "default": "a", "reversibility": "hard_to_reverse"}), "hard to reverse"),
    ] {
        let mut body = json!({"text": "Post it?", "about": "r-1", "deadline": deadline});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let problem = helper.post("/v1/questions", &body).await.problem(422, "invalid");
        assert_eq!(problem["field"], "default", "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(why), "{problem}");
    }
    let no_time = offers(&helper, "r-1", &offer("o-1", json!({"deadline": 1.5, "default": "out"}))).await.with(201);
    assert_eq!((&no_time["deadline"], &no_time["default"]), (&Value::Null, &Value::Null));
    assert_eq!(no_time["warnings"].as_array().unwrap().len(), 1);
    let with_default = offers(&helper, "r-1", &offer("o-2", json!({"deadline": deadline}))).await.with(201);
    assert_eq!(with_default["default"], "deliverable", "as declared first");
    let out = json!({"text": "A?", "about": "r-1", "options": two, "deadline": deadline, "purpose": "offer"});
    assert_eq!(helper.post("/v1/questions", &out).await.with(201)["default"], Value::Null, "a deadline alone is no default");
}

#[tokio::test]
async fn the_first_pick_behind_a_default_is_kept_in_the_thread_and_changes_nothing() {
    let (mut world, helper) = asked_for(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    offers(&helper, "r-1", &offer("o-1", json!({"deadline": in_millis(1000)}))).await.with(201);
    let stands = defaulted(&helper, "o-1").await;
    assert_eq!(stands["default"], "deliverable");
    let late = picks(&world.agent(), "o-1", &json!({"option": "out"})).await.problem(409, "already_answered");
    assert_eq!(late["answer"], stands);
    assert!(late["detail"].as_str().unwrap().contains("kept in the thread"), "{late}");
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    picks(&world.agent(), "o-1", &json!({"words": secret})).await.problem(422, "looks_secret");
    world.restart().await;
    picks(&world.agent(), "o-1", &json!({"option": "deliverable"})).await.problem(409, "already_answered");
    let thread = world.agent().get("/v1/requests/r-1").await.with(200);
    let kept = &thread["replies"][0];
    assert_eq!(thread["replies"].as_array().unwrap().len(), 1, "{thread}");
    assert_eq!((&kept["kind"], &kept["offer"], &kept["text"]), (&json!("late_pick"), &json!("o-1"), &json!("no thanks")));
    assert_eq!(kept["author"]["id"], "agent:tester");
    assert_eq!((&thread["answers"], &thread["state"]), (&json!(0), &json!("open")), "a pick is no answer");
    // Not of what is not the caller's, nor by an owner.
    world.owner().post("/v1/questions/o-1/answer", &json!({"answer": "x", "option": "out"})).await.problem(403, "forbidden");
    picks(&helper, "o-1", &json!({"option": "out"})).await.problem(404, "not_found");
}

#[tokio::test]
async fn a_pick_while_the_default_is_being_saved_is_kept_as_well() {
    let (world, helper) = asked_for(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    offers(&helper, "r-1", &offer("o-1", json!({"deadline": in_millis(1000)}))).await.with(201);
    let held = world.hold_writing();
    world.in_state("o-1", "answering").await;
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    picks(&world.agent(), "o-1", &json!({"words": secret})).await.problem(422, "looks_secret");
    let late = picks(&world.agent(), "o-1", &json!({"option": "out"})).await.problem(409, "answering");
    assert!(late["detail"].as_str().unwrap().contains("its default is being saved"), "{late}");
    drop(held);
    defaulted(&helper, "o-1").await;
    let thread = world.agent().get("/v1/requests/r-1").await.with(200);
    assert_eq!((&thread["replies"][0]["kind"], &thread["replies"][0]["text"]), (&json!("late_pick"), &json!("no thanks")));
    assert_eq!(thread["replies"].as_array().unwrap().len(), 1, "{thread}");
}

#[tokio::test]
async fn what_is_asked_again_is_given_back_though_what_it_is_about_was_forgotten() {
    let (mut world, helper) = asked_for(&[]).await;
    let words = json!({"id": "q-1", "about": "r-1", "text": "Which edition?", "purpose": "clarification", "waiting_on": "it"});
    let asked = helper.post("/v1/questions", &words).await.with(201);
    world.terminate().await;
    let path = world.data_dir().join("pager.sqlite");
    let mut store = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::query("DELETE FROM requests WHERE id = 'r-1'").execute(&mut store).await.unwrap();
    store.close().await.unwrap();
    world.serve().await;
    assert_eq!(helper.post("/v1/questions", &words).await.with(200)["incarnation"], asked["incarnation"]);
    let other = json!({"id": "q-2", "about": "r-1", "text": "Which one?", "purpose": "clarification", "waiting_on": "it"});
    let problem = helper.post("/v1/questions", &other).await.problem(422, "invalid");
    assert_eq!(problem["field"], "about");
}
