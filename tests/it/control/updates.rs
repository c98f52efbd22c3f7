//! News through the control repository: published once for each event, by the source that the event names.

use serde_json::{Value, json};

use super::sending::{borrowed, signed_settings, signed_world};
use crate::world::{World, until};

fn news(title: &str, more: Value) -> Value {
    let mut body = json!({"type": "update", "title": title, "body": "All checks passed."});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn titles(world: &World, query: &str) -> Vec<String> {
    let page = world.owner().get(&format!("/v1/updates?state=all{query}")).await.with(200);
    page["items"].as_array().unwrap().iter().map(|update| update["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_update_belongs_to_the_control_repository_and_the_agent_it_names() {
    let world = signed_world().await;
    let more = json!({"agent": "ci", "sent_at": "2026-11-30T13:25:03Z", "source": {"run": "77"}});
    let update = world.sends("event-0001", &news("Released", more)).await.with(201);
    assert_eq!((&update["source"]["agent"], &update["source"]["run"]), (&json!("control/ci"), &json!("77")));
    world.sends("event-0002", &news("Green", json!({}))).await.with(201);
    assert_eq!(titles(&world, "&source=control/ci").await, ["Released"]);
    assert_eq!(titles(&world, "&source=control").await, ["Green"]);
    assert_eq!(world.owner().get(&format!("/v1/updates/{}", update["id"].as_str().unwrap())).await.with(200), update);
    let figures = world.nobody().get("/metrics").await.text;
    assert!(figures.contains(r#"pager_control_events_total{type="update",status="201"} 2"#), "{figures}");
}

#[tokio::test]
async fn the_same_event_publishes_once_also_over_a_restart() {
    let mut world = World::start_with(&borrowed(&signed_settings())).await;
    let first = world.sends("event-0001", &news("Released", json!({}))).await.with(201);
    assert_eq!(world.sends("event-0001", &news("Released", json!({}))).await.with(201), first);
    world.restart().await;
    assert_eq!(world.sends("event-0001", &news("Released", json!({}))).await.with(201), first);
    world.sends("event-0001", &news("Another", json!({}))).await.problem(409, "event_reused");
    assert_eq!(titles(&world, "").await, ["Released"]);
}

#[tokio::test]
async fn a_publication_holds_over_events_and_a_changed_draft_is_refused() {
    let world = signed_world().await;
    let body = news("Released", json!({"publication_id": "pub-1"}));
    let first = world.sends("event-0001", &body).await.with(201);
    assert_eq!(world.sends("event-0002", &body).await.with(200), first);
    let changed = news("Released 2.5", json!({"publication_id": "pub-1"}));
    for _ in 0..2 {
        world.sends("event-0003", &changed).await.problem(409, "draft_changed");
    }
    let elsewhere = news("Released", json!({"publication_id": "pub-1", "agent": "ci"}));
    world.sends("event-0004", &elsewhere).await.with(201);
    assert_eq!(titles(&world, "").await, ["Released", "Released"]);
}

#[tokio::test]
async fn what_is_wrong_in_an_update_is_told_by_field_and_changes_nothing() {
    let world = signed_world().await;
    for (body, code, field) in [
        (json!({"type": "update", "text": "x"}), "invalid", "title"),
        (news("t", json!({"state": "read"})), "unknown_field", "state"),
        (news("t", json!({"links": [{"label": "x", "url": "ftp://x"}]})), "invalid", "links[0].url"),
    ] {
        assert_eq!(world.sends("event-0001", &body).await.problem(422, code)["field"], field, "{body}");
    }
    assert_eq!(titles(&world, "").await, [""; 0]);
    world.sends("event-0001", &news("Fine", json!({}))).await.with(201);
}

#[tokio::test]
async fn an_event_without_room_for_its_update_can_come_again() {
    let mut settings = signed_settings();
    settings.push(("PAGER_LIMITS__RECORDS", "3".to_owned()));
    let world = World::start_with(&borrowed(&settings)).await;
    for number in 0..3 {
        world.sends(&format!("event-{number:04}"), &news("News", json!({}))).await.with(201);
    }
    world.sends("event-last", &news("Last", json!({}))).await.problem(429, "capacity");
    let page = world.owner().get("/v1/updates?limit=1").await.with(200);
    let path = format!("/v1/updates/{}/dismiss", page["items"][0]["id"].as_str().unwrap());
    world.owner().post_empty(&path).await.with(200);
    world.sends("event-last", &news("Last", json!({}))).await.with(201);
    assert_eq!(titles(&world, "&limit=1").await, ["Last"]);
}

#[tokio::test]
async fn an_update_survives_a_crash_before_its_reply_and_is_published_once() {
    let mut world = World::prepare(&borrowed(&signed_settings()), None).await;
    world.serve_to_crash("control.stored").await;
    let body = news("Released", json!({}));
    let lost = crate::world::sent(world.signed_event("event-0001", body.to_string().as_bytes())).await;
    assert!(lost.is_err(), "{lost:?}");
    world.until_crashed().await;
    world.serve().await;
    let update = until("it is replied to", async || Some(world.sends("event-0001", &body).await)).await.with(201);
    assert_eq!(titles(&world, "").await, ["Released"]);
    assert_eq!(update["title"], "Released");
}
