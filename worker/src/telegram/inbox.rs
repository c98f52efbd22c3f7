//! Storing what was received, the same for both ways in: each update as it came, once, before it is acknowledged. Of words for
//! a secret question nothing is stored.

use std::time::Duration;

use pager_questions::Time;
use serde_json::Value;
use tokio::time::Instant;

use super::withhold::{self, Look};
use crate::clock;
use crate::service::Service;
use crate::store::{Received, StoreError, Stored, Write};

/// How long handled updates are remembered, so that a repetition is known: over a day.
const REMEMBERED_MILLIS: i64 = 3 * 24 * 3600 * 1000;
const FORGET_EVERY: Duration = Duration::from_secs(3600);

/// How many updates are looked through for one that waits.
const MOST_WAITING: u32 = 1000;

/// An update as it may be stored.
pub(super) struct Looked {
    received: Received,
    /// Its words are held in memory instead.
    is_bare: bool,
}

/// Stores one update. One that was seen before is stored already: it was handled, or will be.
pub(super) async fn store(service: &Service, id: i64, update: &Value, received_at: Time) -> Stored<()> {
    keep(service, look(service, id, update, received_at).await?).await
}

/// Looks what of an update may be stored.
pub(super) async fn look(service: &Service, id: i64, update: &Value, received_at: Time) -> Stored<Looked> {
    let (body, is_bare) = match withhold::look(service, update).await? {
        Look::Whole => (update.to_string(), false),
        Look::Lessened(lessened) => (lessened.to_string(), false),
        Look::Bare(bare) => {
            service.private.hold_update(id, update.to_string());
            (bare.to_string(), true)
        }
    };
    Ok(Looked { received: Received { id, received_at, body, tries: 0 }, is_bare })
}

/// Stores what was looked at. Several are stored in the order in which this is first asked to: they are handled in it.
pub(super) async fn keep(service: &Service, looked: Looked) -> Stored<()> {
    let (id, is_bare) = (looked.received.id, looked.is_bare);
    match service.store.commit(vec![Write::Receive(looked.received)]).await {
        Err(StoreError::Conflict) if is_bare => {
            // Told once more, perhaps after a restart that lost its words: it is held only while it waits to be handled.
            let waits = service.store.unhandled_updates(MOST_WAITING).await?.iter().any(|waiting| waiting.id == id);
            if !waits {
                service.private.forget_update(id);
            }
            Ok(())
        }
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
