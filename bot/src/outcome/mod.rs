//! What a call came to. Every failure is classified once, here, and nowhere else.

mod classify;
mod kind;

use std::time::Duration;

pub use classify::{answered, sending};
pub use kind::Kind;

/// Why a call did not bring what it was made for. No text of it holds the token, an address or a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Nothing happened at Telegram: the same call may be made again.
    #[error("not applied: {reason}")]
    NotApplied {
        /// How long Telegram asks to wait; the whole chat pauses so long.
        retry_after: Option<Duration>,
        /// What is known, for people.
        reason: String,
    },
    /// The same call will never succeed.
    #[error("refused for good: {reason}")]
    Permanent {
        /// What has to follow.
        kind: Kind,
        /// What Telegram said.
        reason: String,
    },
    /// It may or may not have happened. Only an edit, an icon or a reaction may be repeated without a thought.
    #[error("unknown outcome: {reason}")]
    Unknown {
        /// What is known, for people.
        reason: String,
    },
}

impl Failure {
    /// What is known, for people.
    pub fn reason(&self) -> &str {
        match self {
            Self::NotApplied { reason, .. } | Self::Permanent { reason, .. } | Self::Unknown { reason } => reason,
        }
    }

    /// What a permanent failure means; None for the others.
    pub fn kind(&self) -> Option<&Kind> {
        match self {
            Self::Permanent { kind, .. } => Some(kind),
            Self::NotApplied { .. } | Self::Unknown { .. } => None,
        }
    }

    /// Another poller or a webhook has the updates (409).
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::NotApplied { reason, .. } if reason.starts_with("Conflict"))
    }

    /// A webhook is set: polling works once [`delete_webhook`](crate::Telegram::delete_webhook) removed it.
    pub fn is_webhook_in_the_way(&self) -> bool {
        self.is_conflict() && self.reason().contains("webhook is active")
    }
}
