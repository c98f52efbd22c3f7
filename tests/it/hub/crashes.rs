//! Death while an event is sent: it arrives at least once, each time with the same id, and the text gets 👀 in the end.

use pager_tests::fake_github::Event;

use super::{Hub, pager};
use crate::world::until;

/// What a text and a wake-up pass on their way to GitHub.
pub const POINTS: [&str; 3] = ["dispatch.taken", "dispatch.called", "dispatch.stored"];

/// A text of the owner, with a death at each of these points, one life after the other.
pub async fn story(points: &[&str]) {
    eprintln!("dispatch: {points:?}");
    let mut hub = Hub::prepare().await;
    let mut text = 0;
    for (life, point) in points.iter().enumerate() {
        hub.world.serve_to_crash(point).await;
        if life == 0 {
            text = hub.world.telegram().write_in_general("Build this").unwrap();
        }
        // In a later life the point may lie behind: then it ends with the mark.
        until(&format!("a death or 👀 after {points:?}"), async || {
            (hub.world.has_crashed() || hub.is_seen(text)).then_some(())
        })
        .await;
        if !hub.world.has_crashed() {
            hub.world.kill9().await;
        }
    }
    hub.world.serve().await;
    hub.seen(text).await;
    let events = hub.github.events();
    assert!((1..=1 + points.len()).contains(&events.len()), "{points:?}: {events:?}");
    let id = |event: &Event| pager(event)["event"].clone();
    assert!(events.iter().all(|event| id(event) == id(&events[0])), "{points:?}: {events:?}");
    assert_eq!(hub.requests().await.len(), 1, "{points:?}");
}
