//! Death around a deadline: the question ends by it once.

use serde_json::json;

use crate::world::{World, until};

/// What a deadline passes.
pub const POINTS: [&str; 4] = ["deadline.due", "save.begun", "save.written", "save.stored"];

/// A question whose deadline passes, with a death at each of these points, one life after the other.
pub async fn story(points: &[&str]) {
    eprintln!("deadline: {points:?}");
    let mut world = World::start_with(&[("PAGER_DEADLINE__MIN", "1s")]).await;
    let deadline = (jiff::Timestamp::now() + jiff::SignedDuration::from_secs(1)).to_string();
    let options = json!([{"label": "Yes"}, {"label": "No"}]);
    world.asks_with(json!({"id": "d-1", "text": "Go on?", "deadline": deadline, "default": "2", "options": options})).await;
    world.kill9().await;
    for point in points {
        world.serve_to_crash(point).await;
        // In a later life the point may lie behind: then the question ends.
        until(&format!("a death or an end after {points:?}"), async || {
            (world.has_crashed() || world.answer_file("d-1").is_some() && !world.commits_of("d-1").is_empty()).then_some(())
        })
        .await;
        if !world.has_crashed() {
            world.kill9().await;
        }
    }
    world.serve().await;
    let record = world.in_state("d-1", "defaulted").await;
    assert_eq!(record["answer"]["default"], "2");
    assert_eq!(world.commits_of("d-1").len(), 1, "{points:?}");
}
