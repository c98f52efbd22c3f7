//! A fake's state behind a lock, with a signal at every change, so that a test waits for a condition and never for a time.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// State behind a lock.
#[derive(Debug)]
pub(crate) struct Watched<State> {
    state: Mutex<State>,
    version: watch::Sender<u64>,
}

impl<State> Watched<State> {
    pub(crate) fn new(state: State) -> Self {
        Self { state: Mutex::new(state), version: watch::Sender::new(0) }
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the state and wakes everyone who waits for a change.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.version.send_modify(|version| *version += 1);
        result
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Waits until `find` finds something; None when the time is over.
    pub(crate) async fn find_within<T>(&self, patience: Duration, mut find: impl FnMut(&State) -> Option<T>) -> Option<T> {
        let deadline = tokio::time::Instant::now() + patience;
        let mut changes = self.changes();
        loop {
            changes.borrow_and_update();
            if let Some(found) = self.look(&mut find) {
                return Some(found);
            }
            if !matches!(tokio::time::timeout_at(deadline, changes.changed()).await, Ok(Ok(()))) {
                return None;
            }
        }
    }
}
