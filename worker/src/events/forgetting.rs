//! Forgets what happened long ago. Whoever comes back after that is told to read the lists anew.

use std::sync::Arc;
use std::time::Duration;

use crate::clock;
use crate::service::Service;
use crate::store::Write;

/// How long an entry is kept at least.
const KEPT_MILLIS: i64 = 24 * 3600 * 1000;
/// So many of the newest are kept, however old they are.
const KEPT: u32 = 50_000;
/// How many go at a time, so that nobody waits long behind it.
const MOST: u32 = 20_000;
/// How often it looks.
const EVERY: Duration = Duration::from_secs(60);

/// Forgets for as long as pagerd runs.
pub async fn run(service: Arc<Service>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = service.ending.cancelled() => return,
        }
        let before = clock::now().plus_millis(-KEPT_MILLIS);
        if let Err(error) = service.store.commit(vec![Write::ForgetHappenings { before, keep: KEPT, most: MOST }]).await {
            tracing::warn!(%error, "what happened long ago could not be forgotten");
        }
    }
}
