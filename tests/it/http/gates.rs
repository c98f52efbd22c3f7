//! Reserved actions: who is asked, what lets a run go on, and an approval that is good for one time.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Caller, Reply, World, sent};

const SUBJECT: &str = "git merge --no-ff release/2.4";

fn approval(id: &str, more: Value) -> Value {
    let mut body = json!({
        "id": id, "purpose": "approval", "text": "Merge the release?", "gate": "merge", "subject": SUBJECT,
        "waiting_on": "the merge", "source": {"run": "r-7"},
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn answers(world: &World, id: &str, body: Value) {
    world.owner().post(&format!("/v1/questions/{id}/answer"), &body).await.with(200);
}

async fn approves(world: &World, id: &str) {
    answers(world, id, json!({"answer": "Approve", "option": "approve"})).await;
}

async fn consume(caller: &Caller, id: &str, body: &Value, key: Option<&str>) -> Reply {
    let request = caller.request(Method::POST, &format!("/v1/questions/{id}/consume")).json(body);
    sent(key.into_iter().fold(request, |request, key| request.header("idempotency-key", key))).await.unwrap()
}

/// Whether the run is blocked, and the ids of its gates.
async fn gates(caller: &Caller, run: &str) -> (bool, Vec<String>) {
    let reply = caller.get(&format!("/v1/gates?run={run}")).await.with(200);
    let ids = reply["gates"].as_array().unwrap().iter().map(|gate| gate["id"].as_str().unwrap().to_owned());
    (reply["blocked"].as_bool().unwrap(), ids.collect())
}

#[tokio::test]
async fn a_run_is_blocked_from_the_moment_it_asks_until_the_owner_approves() {
    let world = World::start().await;
    assert_eq!(gates(&world.agent(), "r-7").await, (true, vec![]), "nobody approved anything");
    world.asks_with(approval("merge-1", json!({}))).await;
    assert_eq!(gates(&world.agent(), "r-7").await, (true, vec!["merge-1".to_owned()]));
    approves(&world, "merge-1").await;
    assert_eq!(gates(&world.agent(), "r-7").await, (false, vec!["merge-1".to_owned()]));
    world.asks_with(approval("merge-2", json!({}))).await;
    assert!(gates(&world.agent(), "r-7").await.0, "another gate of the same run");
    approves(&world, "merge-2").await;
    assert_eq!(gates(&world.owner(), "r-7").await, (false, vec!["merge-1".to_owned(), "merge-2".to_owned()]));
}

#[tokio::test]
async fn nothing_but_approve_lets_a_run_go_on() {
    let world = World::start().await;
    let ends = ["pressed-decline", "own-words", "declined", "cancelled", "withdrawn"];
    for end in ends {
        world.asks_with(approval(end, json!({"source": {"run": end}}))).await;
        let path = |verb: &str| format!("/v1/questions/{end}/{verb}");
        match end {
            "pressed-decline" => answers(&world, end, json!({"answer": "Decline", "option": "decline"})).await,
            "own-words" => answers(&world, end, json!({"answer": "Approve"})).await,
            "declined" => drop(world.owner().post_empty(&path("decline")).await.with(200)),
            "cancelled" => drop(world.owner().post_empty(&path("cancel")).await.with(200)),
            _ => drop(world.agent().post(&path("withdraw"), &json!({})).await.with(200)),
        }
        assert_eq!(gates(&world.agent(), end).await, (true, vec![end.to_owned()]), "{end}");
        let code = if end == "withdrawn" { "withdrawn" } else { "not_approved" };
        consume(&world.agent(), end, &json!({}), None).await.problem(409, code);
        // Asked again and approved: the first one still says no.
        world.asks_with(approval(&format!("{end}-again"), json!({"source": {"run": end}}))).await;
        approves(&world, &format!("{end}-again")).await;
        assert!(gates(&world.agent(), end).await.0, "{end}");
    }
    world.asks_with(approval("waits", json!({}))).await;
    consume(&world.agent(), "waits", &json!({}), None).await.problem(409, "not_approved");
}

#[tokio::test]
async fn the_gates_of_a_run_are_its_agent_s_own_and_the_run_has_to_be_named() {
    let world = World::start().await;
    world.asks_with(approval("merge-1", json!({}))).await;
    approves(&world, "merge-1").await;
    let other = world.caller(&world.new_token("agent", "other").await);
    assert_eq!(gates(&other, "r-7").await, (true, vec![]));
    other.post("/v1/questions", &approval("theirs", json!({}))).await.with(201);
    assert_eq!(gates(&world.agent(), "r-7").await, (false, vec!["merge-1".to_owned()]));
    assert_eq!(gates(&world.owner(), "r-7").await, (true, vec!["merge-1".to_owned(), "theirs".to_owned()]));
    for path in ["/v1/gates", "/v1/gates?run=", "/v1/gates?run=%20"] {
        assert_eq!(world.agent().get(path).await.problem(422, "invalid")["field"], "run");
    }
    world.agent().get("/v1/gates?ran=r-7").await.problem(400, "malformed");
    world.nobody().get("/v1/gates?run=r-7").await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn an_approval_is_spent_once_by_its_own_agent() {
    let mut world = World::start().await;
    world.asks_with(approval("merge-1", json!({}))).await;
    approves(&world, "merge-1").await;
    let other = world.caller(&world.new_token("agent", "other").await);
    let foreign = consume(&other, "merge-1", &json!({}), None).await.problem(404, "not_found");
    assert_eq!(foreign, consume(&other, "never", &json!({}), None).await.problem(404, "not_found"));
    consume(&world.owner(), "merge-1", &json!({}), None).await.problem(403, "forbidden");
    let stale = json!({"incarnation": "0123456789abcdef"});
    consume(&world.agent(), "merge-1", &stale, None).await.problem(409, "incarnation_mismatch");
    assert_eq!(world.record("merge-1").await["spent_at"], Value::Null);
    let spent = consume(&world.agent(), "merge-1", &json!({}), None).await.with(200);
    assert!(spent["spent_at"].is_string(), "{spent}");
    world.restart().await;
    consume(&world.agent(), "merge-1", &json!({}), None).await.problem(409, "already_spent");
    assert_eq!(world.record("merge-1").await, spent);
    assert!(!gates(&world.agent(), "r-7").await.0, "spent is approved all the same");
}

#[tokio::test]
async fn of_many_who_spend_at_once_exactly_one_may_go_on() {
    let world = World::start().await;
    world.asks_with(approval("merge-1", json!({}))).await;
    approves(&world, "merge-1").await;
    let (agent, none) = (world.agent(), json!({}));
    let keys: Vec<String> = (0..12).map(|number| format!("caller-{number}")).collect();
    let replies = join_all(
        keys.iter().enumerate().map(|(number, key)| consume(&agent, "merge-1", &none, (number % 2 == 0).then_some(key.as_str()))),
    )
    .await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1, "{replies:?}");
    for lost in replies.into_iter().filter(|reply| reply.status != 200) {
        lost.problem(409, "already_spent");
    }
}

#[tokio::test]
async fn who_lost_the_reply_repeats_the_call_under_its_key_and_nobody_else_does() {
    let mut world = World::start().await;
    world.asks_with(approval("merge-1", json!({}))).await;
    approves(&world, "merge-1").await;
    let first = consume(&world.agent(), "merge-1", &json!({}), Some("run-7-step-3")).await.with(200);
    world.restart().await;
    assert_eq!(consume(&world.agent(), "merge-1", &json!({}), Some("run-7-step-3")).await.with(200), first);
    for other in [Some("run-7-step-4"), None] {
        consume(&world.agent(), "merge-1", &json!({}), other).await.problem(409, "already_spent");
    }
    // A key is for one approval.
    world.asks_with(approval("merge-2", json!({}))).await;
    consume(&world.agent(), "merge-2", &json!({}), Some("run-7-step-3")).await.problem(409, "not_approved");
    let long = "k".repeat(201);
    for bad in [" ", long.as_str()] {
        let problem = consume(&world.agent(), "merge-1", &json!({}), Some(bad)).await.problem(422, "invalid");
        assert_eq!(problem["field"], "Idempotency-Key");
    }
}

#[tokio::test]
async fn what_was_approved_is_what_may_be_done() {
    let world = World::start().await;
    let asked = world.asks_with(approval("merge-1", json!({}))).await;
    let another = json!({"digest": format!("sha256:{}", "0".repeat(64))});
    consume(&world.agent(), "merge-1", &another, None).await.problem(409, "not_approved");
    approves(&world, "merge-1").await;
    for digest in [another, json!({"digest": ""})] {
        let problem = consume(&world.agent(), "merge-1", &digest, None).await.problem(409, "digest_mismatch");
        assert_eq!(problem["field"], "digest");
    }
    assert_eq!(world.record("merge-1").await["spent_at"], Value::Null, "nothing was spent");
    let approved = json!({"digest": asked["digest"], "incarnation": asked["incarnation"]});
    consume(&world.agent(), "merge-1", &approved, None).await.with(200);
    world.asks_with(approval("bare", json!({"subject": null}))).await;
    approves(&world, "bare").await;
    consume(&world.agent(), "bare", &approved_digest(&asked), None).await.problem(409, "digest_mismatch");
    let problem = consume(&world.agent(), "bare", &json!({"digset": "x"}), None).await.problem(422, "unknown_field");
    assert_eq!(problem["field"], "digset");
}

fn approved_digest(asked: &Value) -> Value {
    json!({"digest": asked["digest"]})
}

#[tokio::test]
async fn only_an_approval_can_be_spent() {
    let world = World::start().await;
    world.asks("rel-1").await;
    answers(&world, "rel-1", json!({"answer": "Yes", "option": "1"})).await;
    consume(&world.agent(), "rel-1", &json!({}), None).await.problem(409, "not_approved");
}

#[tokio::test]
async fn a_revoked_token_spends_nothing() {
    let world = World::start().await;
    world.asks_with(approval("merge-1", json!({}))).await;
    approves(&world, "merge-1").await;
    let list = world.pagerd(&["token", "list"]).await.output;
    let id = list.lines().find(|line| line.contains("tester")).and_then(|line| line.split('\t').next()).unwrap();
    let (agent, none) = (world.agent(), json!({}));
    assert_eq!(world.pagerd(&["token", "revoke", id]).await.code, Some(0));
    consume(&agent, "merge-1", &none, Some("k")).await.problem(401, "unauthenticated");
    let record = world.owner().get("/v1/questions/merge-1").await.with(200);
    assert_eq!(record["spent_at"], Value::Null);
}

#[tokio::test]
async fn what_is_delegated_makes_no_question() {
    let world = World::start_with(&[("PAGER_GATES__MERGE", "delegated"), ("PAGER_GATES__SPEND", "owner")]).await;
    let ask = async |body: Value| world.agent().post("/v1/questions", &body).await;
    assert_eq!(ask(approval("merge-1", json!({}))).await.with(200), json!({"delegated": true}));
    assert_eq!(ask(approval("merge-1", json!({}))).await.with(200), json!({"delegated": true}), "once more");
    world.agent().get("/v1/questions/merge-1").await.problem(404, "not_found");
    assert_eq!(gates(&world.agent(), "r-7").await, (true, vec![]), "nothing was approved, and nothing was asked");
    let log = world.log();
    assert!(log.contains("left to its agent") && !log.contains("Merge the release") && !log.contains(SUBJECT), "{log}");
    for (id, more) in [
        ("spend-1", json!({"gate": "spend"})),
        ("plan-1", json!({"gate": "plan"})),
        ("none-1", json!({"gate": null})),
        ("action-1", json!({"purpose": "action", "gate": null, "subject": null})),
    ] {
        assert_eq!(ask(approval(id, more)).await.with(201)["state"], "open", "{id}");
    }
    assert_eq!(ask(approval("bad", json!({"waiting_on": null}))).await.problem(422, "invalid")["field"], "waiting_on");
}

#[tokio::test]
async fn what_was_put_before_the_owner_stays_there_when_the_policy_changes() {
    let mut world = World::start().await;
    world.asks_with(approval("merge-1", json!({}))).await;
    world.asks_with(approval("merge-2", json!({}))).await;
    answers(&world, "merge-2", json!({"answer": "Not today"})).await;
    world.set("PAGER_GATES__MERGE", "delegated");
    world.restart().await;
    let again = world.agent().post("/v1/questions", &approval("merge-1", json!({}))).await.with(200);
    assert_eq!((&again["id"], &again["state"]), (&json!("merge-1"), &json!("open")));
    world.agent().post("/v1/questions", &approval("merge-2", json!({}))).await.problem(409, "id_used");
}

#[tokio::test]
async fn a_project_is_stricter_at_its_agent_s_word_and_laxer_only_for_a_token_that_is_bound_to_it() {
    let settings = [
        ("PAGER_GATES__MERGE", "delegated"),
        ("PAGER_PROJECTS__SHOP__GATES__MERGE", "owner"),
        ("PAGER_PROJECTS__WEB__GATES__SPEND", "delegated"),
    ];
    let world = World::start_with(&settings).await;
    let of = |id: &str, gate: &str, project: &str| approval(id, json!({"gate": gate, "source": {"project": project}}));
    let asks = async |caller: &Caller, body: Value| caller.post("/v1/questions", &body).await.status;
    let agent = world.agent();
    assert_eq!(asks(&agent, of("a", "merge", "web")).await, 200);
    assert_eq!(asks(&agent, of("b", "merge", "shop")).await, 201, "stricter at its word");
    assert_eq!(asks(&agent, of("c", "spend", "web")).await, 201, "not laxer at its word");
    let bound = ["token", "create", "--role", "agent", "--name", "builder", "--project"];
    let made = async |project: &str| world.pagerd(&[&bound[..], &[project]].concat()).await;
    let web = world.caller(made("web").await.output.trim());
    assert_eq!(asks(&web, of("d", "spend", "web")).await, 200);
    assert_eq!(asks(&web, of("e", "spend", "shop")).await, 201, "bound to another one");
    let shop = world.caller(made("shop").await.output.trim());
    assert_eq!(asks(&shop, of("f", "merge", "web")).await, 201, "what it is bound to counts whatever it says");
    let list = world.pagerd(&["token", "list"]).await.output;
    assert!(list.lines().any(|line| line.contains("builder") && line.ends_with("\tproject web")), "{list}");
    let refused = world.pagerd(&["token", "create", "--role", "owner", "--name", "o", "--project", "web"]).await;
    assert!(refused.code == Some(1) && refused.words.contains("--project"), "{refused:?}");
    let blank = made(" ").await;
    assert!(blank.code == Some(1) && blank.words.contains("--project: must not be blank"), "{blank:?}");
}

#[tokio::test]
async fn an_approval_is_spent_in_the_revision_that_was_read() {
    let world = World::start().await;
    let draft = json!({"id": "a-1", "purpose": "approval", "text": "Merge?", "gate": "merge", "waiting_on": "the merge"});
    world.asks_with(draft).await;
    world.owner().post("/v1/questions/a-1/answer", &json!({"answer": "x", "option": "approve"})).await.with(200);
    let revision = world.record("a-1").await["revision"].as_u64().unwrap();
    let spend =
        async |revision: u64| world.agent().post("/v1/questions/a-1/consume", &json!({"expected_revision": revision})).await;
    spend(revision - 1).await.problem(409, "revision_conflict");
    assert!(spend(revision).await.with(200)["spent_at"].is_string());
}
