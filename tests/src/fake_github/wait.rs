//! The shared state with a signal at every change, and waiting for a condition with it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::bail;
use tokio::sync::watch;

use super::FakeGitHub;
use super::faults::matches;
use super::state::{Call, Outcome, State};

/// How long waiting lasts when nothing else is said.
const PATIENCE: Duration = Duration::from_secs(15);

/// State behind a lock.
#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    version: watch::Sender<u64>,
}

impl Shared {
    pub(super) fn new(state: State) -> Self {
        Self { state: Mutex::new(state), version: watch::Sender::new(0) }
    }

    pub(super) fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the state and wakes everyone who waits for a change.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.version.send_modify(|version| *version += 1);
        result
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }
}

impl FakeGitHub {
    /// Waits for at most 15 s until `find` finds something in the state.
    ///
    /// # Errors
    /// When the time is over; the text names `what` and the last requests.
    pub async fn wait_for<T>(&self, what: &str, find: impl FnMut(&State) -> Option<T>) -> anyhow::Result<T> {
        self.wait_for_within(PATIENCE, what, find).await
    }

    /// The same with a time of its own.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub async fn wait_for_within<T>(
        &self,
        patience: Duration,
        what: &str,
        mut find: impl FnMut(&State) -> Option<T>,
    ) -> anyhow::Result<T> {
        let deadline = tokio::time::Instant::now() + patience;
        let mut changes = self.shared().changes();
        loop {
            changes.borrow_and_update();
            if let Some(found) = self.shared().look(&mut find) {
                return Ok(found);
            }
            if !matches!(tokio::time::timeout_at(deadline, changes.changed()).await, Ok(Ok(()))) {
                let calls = self.look(|state| {
                    let from = state.calls.len().saturating_sub(12);
                    state.calls[from..].iter().map(told).collect::<Vec<_>>().join("\n")
                });
                bail!("no {what} after {patience:?}; the last requests:\n{calls}");
            }
        }
    }

    /// Waits for a request that is over; `*` in the path stands for anything.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub async fn wait_for_call(&self, method: &str, path: &str, mut fits: impl FnMut(&Call) -> bool) -> anyhow::Result<Call> {
        self.wait_for(&format!("{method} {path}"), |state| {
            let mut calls = state.calls.iter().filter(|call| call.method == method && matches(path, &call.path));
            calls.find(|call| call.outcome != Outcome::Open && fits(call)).cloned()
        })
        .await
    }
}

fn told(call: &Call) -> String {
    let outcome = match &call.outcome {
        Outcome::Done(status) => status.to_string(),
        Outcome::Open => "open".to_owned(),
        Outcome::Abandoned => "abandoned".to_owned(),
        Outcome::Refused(refusal) => format!("{} {}", refusal.status, refusal.message),
        Outcome::Spoilt { applied } => format!("spoilt, applied: {applied}"),
    };
    format!("{} {} -> {outcome}", call.method, call.path)
}
