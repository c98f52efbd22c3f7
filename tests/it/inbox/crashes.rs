//! Death while events are taken from the branch and taken away: each counts once, and the branch ends tidy.

use super::github::Inbox;
use super::{ask, ids, in_state, withdraw};
use crate::world::until;

/// What an event passes on its way in, and out of the branch.
pub const POINTS: [&str; 3] = ["inbox.received", "inbox.kept", "inbox.tidied"];

/// A question and a withdrawal, with a death at each of these points, one life after the other.
pub async fn story(points: &[&str]) {
    eprintln!("inbox: {points:?}");
    let mut inbox = Inbox::prepare(&[("PAGER_INBOX_TIDY_MILLIS", "1")]).await;
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    inbox.push(2, &ask("rel-2", "2026-11-30T13:00:00Z"));
    inbox.push(3, &withdraw("rel-2", "2026-11-30T13:01:00Z"));
    for point in points {
        inbox.world.serve_to_crash(point).await;
        // In a later life the point may lie behind: then it ends with a tidy branch.
        until(&format!("a death or a tidy branch after {points:?}"), async || {
            (inbox.world.has_crashed() || inbox.files().len() == 1).then_some(())
        })
        .await;
        if !inbox.world.has_crashed() {
            inbox.world.kill9().await;
        }
    }
    inbox.world.serve().await;
    in_state(&inbox.world, "rel-1", "open").await;
    in_state(&inbox.world, "rel-2", "withdrawn").await;
    until("the branch is tidy", async || (inbox.files().len() == 1).then_some(())).await;
    assert_eq!(ids(&inbox.world).await.len(), 2, "{points:?}");
}
