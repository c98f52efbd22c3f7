//! A question and its withdrawal, from the control repository to the owner and back.

use serde_json::json;

use super::sending::{borrowed, question, signed_settings, signed_world, withdrawal};
use crate::world::World;

#[tokio::test]
async fn a_question_is_shown_pressed_and_can_no_longer_be_taken_back() {
    let world = World::with_telegram_and(&borrowed(&signed_settings())).await;
    let asked = world.sends("event-0001", &question("rel-1", json!({"agent": "ci", "source": {"run": "77"}}))).await.with(201);
    assert_eq!(
        (&asked["state"], &asked["source"]["agent"], &asked["source"]["run"]),
        (&json!("open"), &json!("control/ci"), &json!("77"))
    );
    let shown = world.shown_to_owner("rel-1").await;
    let message = world.message(shown);
    assert!(message.words().contains("control/ci"), "{}", message.words());
    world.telegram().press(shown.message, "Yes, release").unwrap();
    world.owner_record_when("rel-1", "answered").await;
    let answer = world.saved_answer("rel-1").await;
    assert_eq!((&answer["outcome"], &answer["choice"]), (&json!("chosen"), &json!("yes")));
    let refusal = world.sends("event-0002", &withdrawal("rel-1", json!({"agent": "ci"}))).await.problem(409, "already_answered");
    assert_eq!((&refusal["state"], &refusal["answer"]), (&json!("answered"), &answer));
}

#[tokio::test]
async fn a_question_is_withdrawn_by_its_own_source_and_with_its_reason() {
    let world = signed_world().await;
    world.sends("event-0001", &question("rel-1", json!({"agent": "ci"}))).await.with(201);
    for (id, other) in [("event-0002", json!({})), ("event-0003", json!({"agent": "cd"}))] {
        world.sends(id, &withdrawal("rel-1", other)).await.problem(404, "not_found");
    }
    assert_eq!(world.owner().get("/v1/questions/rel-1").await.with(200)["state"], "open");
    let record = world.sends("event-0004", &withdrawal("rel-1", json!({"agent": "ci"}))).await.with(200);
    assert_eq!((&record["state"], &record["reason"]), (&json!("withdrawn"), &json!("solved")));
    assert_eq!(record["resolved_by"], json!({"kind": "agent", "id": "agent:control/ci", "via": "http"}));
    assert_eq!(world.sends("event-0005", &withdrawal("rel-1", json!({"agent": "ci"}))).await.with(200), record);
}

#[tokio::test]
async fn an_agent_with_a_token_and_the_control_repository_have_nothing_of_each_other() {
    let world = signed_world().await;
    world.asks("rel-1").await;
    world.sends("event-0001", &question("rel-2", json!({"agent": "tester"}))).await.with(201);
    world.agent().get("/v1/questions/rel-2").await.problem(404, "not_found");
    world.agent().post("/v1/questions/rel-2/withdraw", &json!({})).await.problem(404, "not_found");
    world.sends("event-0002", &withdrawal("rel-1", json!({"agent": "tester"}))).await.problem(404, "not_found");
    let taken = world.sends("event-0003", &question("rel-1", json!({"agent": "tester"}))).await.problem(409, "id_used");
    assert!(taken["answer"].is_null() && taken["state"].is_null(), "another's state is not told: {taken}");
    assert_eq!(world.record("rel-1").await["state"], "open");
}

#[tokio::test]
async fn no_token_is_made_for_an_agent_called_control() {
    let world = World::start().await;
    for name in ["control", "control/ci"] {
        let ended = world.pagerd(&["token", "create", "--role", "agent", "--name", name]).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{ended:?}");
        assert!(ended.words.contains("--name"), "{ended:?}");
    }
}

#[tokio::test]
async fn a_question_is_asked_by_the_service_s_clock() {
    let world = signed_world().await;
    let record = world.sends("event-0001", &question("rel-1", json!({"sent_at": "2001-01-01T00:00:00Z"}))).await.with(201);
    assert!(record["asked_at"].as_str().unwrap() > "2026", "{record}");
}

#[tokio::test]
async fn what_is_wrong_in_an_event_is_told_by_field_and_changes_nothing() {
    let world = signed_world().await;
    let before = world.held().await;
    for (body, code, field) in [
        (json!({"type": "request", "text": "x"}), "invalid", "title"),
        (json!({"type": "dance"}), "invalid", "type"),
        (question("rel-1", json!({"about": "r-1"})), "invalid", "about"),
        (question("rel-1", json!({"default": "1"})), "invalid", "default"),
        (question("rel-1", json!({"colour": "red"})), "unknown_field", "colour"),
        (question("rel-1", json!({"sender": {"login": "olga"}})), "invalid", "sender.id"),
        (question("Rel 1", json!({})), "invalid", "id"),
        (withdrawal("rel-1", json!({"incarnation": "0000000000000000"})), "unknown_field", "incarnation"),
    ] {
        assert_eq!(world.sends("event-0001", &body).await.problem(422, code)["field"], field, "{body}");
    }
    let no_json = crate::world::sent(world.signed_event("event-0001", b"{\"type\":")).await.unwrap();
    no_json.problem(400, "malformed");
    let crowd = crate::world::sent(world.signed_event("event-0001", &vec![b' '; 64 * 1024 + 1])).await.unwrap();
    crowd.problem(413, "too_large");
    for id in ["", "../../../etc/passwd", "with a blank"] {
        world.sends(id, &question("rel-1", json!({}))).await.problem(400, "malformed");
    }
    assert_eq!(world.held().await, before);
    // The id of an event that was refused is still good.
    world.sends("event-0001", &question("rel-1", json!({}))).await.with(201);
}

#[tokio::test]
async fn an_event_is_logged_and_counted_without_its_words() {
    let world = signed_world().await;
    world.sends("event-0001", &question("rel-1", json!({"text": "A very private matter"}))).await.with(201);
    world.sends("event-0002", &withdrawal("rel-2", json!({"reason": "A very private matter"}))).await.problem(404, "not_found");
    let log = world.log();
    let told = |id: &str, status: &str| log.lines().any(|line| line.contains(id) && line.contains(status));
    assert!(told("event-0001", "status=201") && told("event-0002", "status=404"), "{log}");
    assert!(!log.contains("private matter"), "{log}");
    let figures = world.nobody().get("/metrics").await.text;
    for sample in [r#"{type="ask",status="201"} 1"#, r#"{type="withdraw",status="404"} 1"#] {
        assert!(figures.contains(&format!("pager_control_events_total{sample}")), "{figures}");
    }
}

#[tokio::test]
async fn what_is_delegated_makes_no_question_and_the_event_is_handled_once() {
    let mut settings = signed_settings();
    settings.push(("PAGER_GATES__MERGE", "delegated".to_owned()));
    let world = World::start_with(&borrowed(&settings)).await;
    let approval = json!({
        "type": "ask", "id": "merge-1", "purpose": "approval", "text": "Merge?", "gate": "merge", "waiting_on": "the merge", "agent": "ci",
    });
    for _ in 0..2 {
        assert_eq!(world.sends("event-0001", &approval).await.with(200), json!({"delegated": true}));
    }
    world.owner().get("/v1/questions/merge-1").await.problem(404, "not_found");
    let other = json!({"type": "ask", "id": "merge-2", "text": "Merge?", "waiting_on": "the merge"});
    world.sends("event-0001", &other).await.problem(409, "event_reused");
}
