//! Work through the control repository: requests, replies and offers, each once for its event, by the author that it names.

use serde_json::{Value, json};

use super::sending::{borrowed, question, signed_settings, signed_world};
use crate::world::{World, until};

fn request(id: &str, more: Value) -> Value {
    with(json!({"type": "request", "id": id, "title": "Build it", "text": "In Rust.", "tags": ["cap:rust"]}), more)
}

fn reply(request: &str, more: Value) -> Value {
    with(json!({"type": "reply", "request": request, "title": "Built", "text": "Untested."}), more)
}

fn offer(request: &str, more: Value) -> Value {
    with(
        json!({"type": "offer", "request": request, "deliverable": "untested code", "missing": "a build", "why": "no compiler"}),
        more,
    )
}

fn with(mut body: Value, more: Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn thread(world: &World, id: &str) -> Value {
    world.owner().get(&format!("/v1/requests/{id}")).await.with(200)
}

#[tokio::test]
async fn work_is_asked_for_replied_to_and_offered_by_whom_the_event_names() {
    let world = signed_world().await;
    let made = world.sends("event-0001", &request("r-1", json!({"agent": "ci", "sent_at": 5}))).await.with(201);
    assert_eq!((&made["from"]["kind"], &made["from"]["id"]), (&json!("agent"), &json!("agent:control/ci")));
    let further = world.sends("event-0002", &reply("r-1", json!({"agent": "ci"}))).await.with(201);
    assert_eq!(further["kind"], "message");
    let answer = world.sends("event-0003", &reply("r-1", json!({"agent": "builder"}))).await.with(201);
    assert_eq!((&answer["kind"], &answer["author"]["id"]), (&json!("answer"), &json!("agent:control/builder")));
    let offered = world.sends("event-0004", &offer("r-1", json!({"agent": "builder", "id": "o-1"}))).await.with(201);
    assert_eq!((&offered["source"]["agent"], &offered["about"]), (&json!("control/builder"), &json!("r-1")));
    assert_eq!(
        offered["put_to"],
        Value::Null,
        "whoever asks through the control repository has no door: its maintainer settles it"
    );
    world.owner().post("/v1/questions/o-1/answer", &json!({"answer": "x", "option": "deliverable"})).await.with(200);
    let thread = thread(&world, "r-1").await;
    assert_eq!((&thread["state"], &thread["replies"]), (&json!("answered"), &json!([further, answer])));
    let figures = world.nobody().get("/metrics").await.text;
    for kind in ["request", "reply", "offer"] {
        assert!(figures.contains(&format!(r#"pager_control_events_total{{type="{kind}",status="201"}}"#)), "{figures}");
    }
}

#[tokio::test]
async fn an_offer_about_an_agents_own_request_is_put_to_that_agent() {
    let world = signed_world().await;
    let body = json!({"id": "r-1", "title": "Build it", "text": "In Rust."});
    world.agent().post("/v1/requests", &body).await.with(201);
    world.sends("event-0001", &offer("r-1", json!({"id": "o-1"}))).await.with(201);
    let picked = world.agent().post("/v1/questions/o-1/pick", &json!({"option": "deliverable"})).await.with(200);
    assert_eq!(picked["choice"], "deliverable");
}

#[tokio::test]
async fn each_event_counts_once_also_over_a_restart() {
    let mut world = World::start_with(&borrowed(&signed_settings())).await;
    let events = [request("r-1", json!({})), reply("r-1", json!({"agent": "ci"})), offer("r-1", json!({"id": "o-1"}))];
    let mut first = Vec::new();
    for (number, body) in events.iter().enumerate() {
        first.push(world.sends(&format!("event-{number:04}"), body).await.with(201));
    }
    world.restart().await;
    for (number, body) in events.iter().enumerate() {
        assert_eq!(world.sends(&format!("event-{number:04}"), body).await.with(201), first[number]);
    }
    world.sends("event-0001", &reply("r-1", json!({"text": "Another."}))).await.problem(409, "event_reused");
    let thread = thread(&world, "r-1").await;
    assert_eq!((thread["replies"].as_array().unwrap().len(), thread["clarifies"].as_array().unwrap().len()), (1, 1));
}

#[tokio::test]
async fn a_publication_holds_over_events() {
    let world = signed_world().await;
    let published = request("r-1", json!({"publication_id": "p-1"}));
    let made = world.sends("event-0001", &published).await.with(201);
    assert_eq!(world.sends("event-0002", &published).await.with(200), made);
    let changed = request("r-1", json!({"publication_id": "p-1", "text": "In Go."}));
    world.sends("event-0003", &changed).await.problem(409, "draft_changed");
    let published = reply("r-1", json!({"publication_id": "p-1"}));
    let written = world.sends("event-0004", &published).await.with(201);
    assert_eq!(world.sends("event-0005", &published).await.with(200), written);
    world.sends("event-0006", &question("r-1", json!({}))).await.problem(409, "id_used");
}

#[tokio::test]
async fn what_comes_before_its_request_is_refused_and_told_and_to_be_sent_again() {
    let world = signed_world().await;
    for (id, body) in [("event-0001", reply("r-1", json!({}))), ("event-0002", offer("r-1", json!({"id": "o-1"})))] {
        world.sends(id, &body).await.problem(404, "not_found");
    }
    assert!(world.log().contains("not_found"), "{}", world.log());
    world.sends("event-0003", &request("r-1", json!({}))).await.with(201);
    // The very same events, which count once from then on.
    let written = world.sends("event-0001", &reply("r-1", json!({}))).await.with(201);
    assert_eq!(world.sends("event-0001", &reply("r-1", json!({}))).await.with(201), written);
    world.sends("event-0002", &offer("r-1", json!({"id": "o-1"}))).await.with(201);
}

#[tokio::test]
async fn an_event_without_room_can_come_again() {
    let mut settings = signed_settings();
    settings.push(("PAGER_LIMITS__RECORDS", "1".to_owned()));
    let world = World::start_with(&borrowed(&settings)).await;
    let full = async |id: &str, body: &Value| {
        for _ in 0..2 {
            world.sends(id, body).await.problem(429, "capacity");
        }
    };
    world.sends("event-0001", &request("r-1", json!({}))).await.with(201);
    full("event-0002", &request("r-2", json!({}))).await;
    world.sends("event-0003", &question("rel-1", json!({"agent": "ci"}))).await.with(201);
    full("event-0004", &offer("r-1", json!({"agent": "ci", "id": "o-1"}))).await;
    let withdrawal = super::sending::withdrawal("rel-1", json!({"agent": "ci"}));
    world.sends("event-0005", &withdrawal).await.with(200);
    world.sends("event-0004", &offer("r-1", json!({"agent": "ci", "id": "o-1"}))).await.with(201);
}

#[tokio::test]
async fn what_is_wrong_in_one_is_told_by_field_and_changes_nothing() {
    let world = signed_world().await;
    let before = world.held().await;
    for (body, code, field) in [
        (request("r-1", json!({"title": null})), "invalid", "title"),
        (request("r-1", json!({"tags": ["a b"]})), "invalid", "tags[0]"),
        (request("r-1", json!({"from": "owner"})), "unknown_field", "from"),
        (reply("R 1", json!({})), "invalid", "request"),
        (reply("r-1", json!({"kind": "answer"})), "unknown_field", "kind"),
        (offer("r-1", json!({"or": "untested code"})), "invalid", "or"),
        (offer("r-1", json!({"put_to": "ci"})), "unknown_field", "put_to"),
    ] {
        assert_eq!(world.sends("event-0001", &body).await.problem(422, code)["field"], field, "{body}");
    }
    assert_eq!(world.held().await, before);
    world.sends("event-0001", &request("r-1", json!({}))).await.with(201);
}

#[tokio::test]
async fn a_request_survives_a_crash_before_its_reply_and_is_made_once() {
    let mut world = World::prepare(&borrowed(&signed_settings()), None).await;
    world.serve_to_crash("control.stored").await;
    let body = request("r-1", json!({}));
    let lost = crate::world::sent(world.signed_event("event-0001", body.to_string().as_bytes())).await;
    assert!(lost.is_err(), "{lost:?}");
    world.until_crashed().await;
    world.serve().await;
    until("it is replied to", async || Some(world.sends("event-0001", &body).await)).await.with(201);
    assert_eq!(world.owner().get("/v1/requests").await.with(200)["items"].as_array().unwrap().len(), 1);
}
