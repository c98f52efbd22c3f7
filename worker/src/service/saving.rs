//! What the rest of pagerd may know of the saver: whether answers wait, since when the answers repository is in trouble,
//! and a bell for whoever finds it well again.

use std::sync::atomic::{AtomicU64, Ordering};

use pager_questions::Time;
use tokio::sync::{Notify, watch};

/// The answers that were decided and are not saved yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unsaved {
    /// How many, those that are being written this moment included.
    pub waiting: usize,
    /// Why they wait, when the repository did not answer to the last try.
    pub trouble: Option<Trouble>,
}

/// The answers repository does not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Since when.
    pub since: Time,
    /// What is known. Never an answer's words.
    pub reason: String,
}

/// Shared by the saver and those who look at it.
#[derive(Debug)]
pub struct Saving {
    unsaved: watch::Sender<Unsaved>,
    well: Notify,
    saved: AtomicU64,
}

impl Default for Saving {
    fn default() -> Self {
        Self { unsaved: watch::Sender::new(Unsaved::default()), well: Notify::new(), saved: AtomicU64::new(0) }
    }
}

impl Saving {
    /// How it stands, and its changes.
    pub fn watch(&self) -> watch::Receiver<Unsaved> {
        self.unsaved.subscribe()
    }

    /// How it stands.
    pub fn unsaved(&self) -> Unsaved {
        self.unsaved.borrow().clone()
    }

    /// How many answers were saved by this process. It has changed when there may be something new to compare.
    pub fn saved(&self) -> u64 {
        self.saved.load(Ordering::Relaxed)
    }

    /// Somebody found the repository well: what waits is tried at once, unless the repository itself asked for the pause.
    pub fn found_well(&self) {
        self.well.notify_waiters();
    }

    /// Returns once somebody found the repository well.
    pub(super) async fn well(&self) {
        self.well.notified().await;
    }

    /// So many answers were saved.
    pub(super) fn count_saved(&self, count: usize) {
        self.saved.fetch_add(u64::try_from(count).unwrap_or(0), Ordering::Relaxed);
    }

    /// Tells how it stands.
    pub(super) fn tell(&self, unsaved: Unsaved) {
        self.unsaved.send_if_modified(|before| {
            let is_new = *before != unsaved;
            *before = unsaved;
            is_new
        });
    }
}
