//! Whose events are taken, once there is a list.

use serde_json::json;

use super::sending::{borrowed, question, signed_settings, signed_world, withdrawal};
use crate::world::World;

#[tokio::test]
async fn an_event_of_an_account_that_is_not_listed_is_refused_and_changes_nothing() {
    let mut settings = signed_settings();
    settings.push(("PAGER_CONTROL__MAINTAINERS", "7, 8".to_owned()));
    let world = World::start_with(&borrowed(&settings)).await;
    let before = world.held().await;
    for sender in [json!({"id": 9, "login": "mallory"}), json!({"id": 77}), json!(null)] {
        for body in [question("rel-1", json!({"sender": sender})), withdrawal("rel-1", json!({"sender": sender}))] {
            world.sends("event-0001", &body).await.problem(403, "sender_not_allowed");
        }
    }
    assert_eq!(world.held().await, before);
    for (event, id) in [("event-0001", 7), ("event-0002", 8)] {
        let body = question(&format!("rel-{id}"), json!({"sender": {"id": id, "login": "not looked at"}}));
        world.sends(event, &body).await.with(201);
    }
}

#[tokio::test]
async fn without_a_list_the_proof_decides_alone() {
    let world = signed_world().await;
    world.sends("event-0001", &question("rel-1", json!({"sender": {"id": 9}}))).await.with(201);
    world.sends("event-0002", &question("rel-2", json!({}))).await.with(201);
}
