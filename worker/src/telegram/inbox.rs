//! Storing what was received, the same for both ways in: each update as it came, once, before it is acknowledged.

use std::time::Duration;

use pager_questions::Time;
use tokio::time::Instant;

use crate::clock;
use crate::service::Service;
use crate::store::{Received, StoreError, Stored, Write};

/// How long handled updates are remembered, so that a repetition is known: over a day.
const REMEMBERED_MILLIS: i64 = 3 * 24 * 3600 * 1000;
const FORGET_EVERY: Duration = Duration::from_secs(3600);

/// Stores one update. One that was seen before is stored already: it was handled, or will be.
pub(super) async fn store(service: &Service, id: i64, body: String, received_at: Time) -> Stored<()> {
    let update = Received { id, received_at, body, tries: 0 };
    match service.store.commit(vec![Write::Receive(update)]).await {
        Err(StoreError::Conflict) => Ok(()),
        outcome => outcome,
    }
}

/// Forgets old updates, now and then.
#[derive(Default)]
pub(super) struct Forgetting {
    last: Option<Instant>,
}

impl Forgetting {
    /// Forgets, when it is time.
    pub(super) async fn look(&mut self, service: &Service) {
        if self.last.is_some_and(|then| then.elapsed() <= FORGET_EVERY) {
            return;
        }
        self.last = Some(Instant::now());
        let before = clock::now().plus_millis(-REMEMBERED_MILLIS);
        if let Err(error) = service.store.commit(vec![Write::ForgetUpdates { before }]).await {
            tracing::warn!(%error, "old updates could not be forgotten");
        }
    }
}
