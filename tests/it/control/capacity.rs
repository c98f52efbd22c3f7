//! A source of the control repository has no more room than any other.

use serde_json::json;

use super::sending::{borrowed, question, signed_settings, withdrawal};
use crate::world::World;

#[tokio::test]
async fn an_event_that_finds_its_source_full_is_refused_and_can_be_sent_again() {
    let mut settings = signed_settings();
    settings.push(("PAGER_LIMITS__RECORDS", "1".to_owned()));
    let world = World::start_with(&borrowed(&settings)).await;
    let ci = || json!({"agent": "ci"});
    world.sends("event-0001", &question("rel-1", ci())).await.with(201);
    for _ in 0..2 {
        let problem = world.sends("event-0002", &question("rel-2", ci())).await.problem(429, "capacity");
        assert!(problem["detail"].as_str().unwrap().contains("limits.records allows 1"), "{problem}");
    }
    // A repetition of what fitted, and another source's.
    world.sends("event-0001", &question("rel-1", ci())).await.with(201);
    world.sends("event-0003", &question("rel-3", json!({"agent": "cd"}))).await.with(201);
    world.sends("event-0004", &withdrawal("rel-1", ci())).await.with(200);
    world.sends("event-0002", &question("rel-2", ci())).await.with(201);
}
