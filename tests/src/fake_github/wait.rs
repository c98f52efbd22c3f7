//! Waiting for a condition of the state.

use std::time::Duration;

use anyhow::bail;

use super::FakeGitHub;
use super::faults::matches;
use super::state::{Call, Outcome, State};
use crate::watched::Watched;

/// How long waiting lasts when nothing else is said.
const PATIENCE: Duration = Duration::from_secs(15);

/// The state, shared by the server and the handles.
pub(super) type Shared = Watched<State>;

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
        find: impl FnMut(&State) -> Option<T>,
    ) -> anyhow::Result<T> {
        if let Some(found) = self.shared().find_within(patience, find).await {
            return Ok(found);
        }
        let calls = self.shared().look(|state| {
            let from = state.calls.len().saturating_sub(12);
            state.calls[from..].iter().map(told).collect::<Vec<_>>().join("\n")
        });
        bail!("no {what} after {patience:?}; the last requests:\n{calls}");
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
