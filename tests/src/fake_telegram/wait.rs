//! Waiting for a condition of the state.

use std::time::Duration;

use anyhow::bail;

use super::FakeTelegram;
use super::callbacks::CallbackAnswer;
use super::chat::Topic;
use super::message::Message;
use super::state::{Call, FORUM, Outcome, State};
use crate::watched::Watched;

/// How long waiting lasts when nothing else is said.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// The state, shared by the server and the handles.
pub(super) type Shared = Watched<State>;

impl FakeTelegram {
    /// Waits at most [`PATIENCE`] until `find` finds something in the state.
    ///
    /// # Errors
    /// When the time is over; the text names `what` and the last calls.
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
        bail!("no {what} after {patience:?}; the last calls:\n{calls}");
    }

    /// Waits for a message in the forum that fits.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub async fn wait_for_message(&self, what: &str, mut fits: impl FnMut(&Message) -> bool) -> anyhow::Result<Message> {
        self.wait_for(what, |state| state.chats[&FORUM].messages.values().find(|message| fits(message)).cloned()).await
    }

    /// Waits for a topic of the forum whose name holds these words.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub async fn wait_for_topic(&self, name: &str) -> anyhow::Result<Topic> {
        self.wait_for(&format!("topic named {name}"), |state| {
            let mut topics = state.chats[&FORUM].topics.values();
            topics.find(|topic| !topic.is_deleted && topic.name.contains(name)).cloned()
        })
        .await
    }

    /// Waits until a press is answered.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub async fn wait_for_callback_answer(&self, id: &str) -> anyhow::Result<CallbackAnswer> {
        self.wait_for(&format!("answer to press {id}"), |state| {
            state.callbacks.iter().find(|query| query.id == id)?.answer.clone()
        })
        .await
    }

    /// Waits for a call of a method (in any case) that fits and is over.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub async fn wait_for_call(&self, method: &str, mut fits: impl FnMut(&Call) -> bool) -> anyhow::Result<Call> {
        self.wait_for(&format!("call of {method}"), |state| {
            state
                .calls
                .iter()
                .find(|call| call.method.eq_ignore_ascii_case(method) && call.outcome != Outcome::Open && fits(call))
                .cloned()
        })
        .await
    }
}

fn told(call: &Call) -> String {
    let outcome = match &call.outcome {
        Outcome::Done(_) => "done".to_owned(),
        Outcome::Open => "open".to_owned(),
        Outcome::Abandoned => "abandoned".to_owned(),
        Outcome::Refused(refusal) => refusal.description.clone(),
        Outcome::Spoilt { applied } => format!("spoilt, applied: {applied}"),
    };
    format!("{} {} -> {outcome}", call.method, call.parameters)
}
