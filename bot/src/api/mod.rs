//! Calls to the Bot API, each with a classified outcome, a timeout, and no retry of its own.
//!
//! The types of messages and keyboards are teloxide's; the HTTP call is made here. teloxide sleeps ten seconds inside a
//! request that met a 5xx, drops the error code, and has no errors for topics, reactions and late presses, so what a
//! failure means could not be told through it.

mod call;
mod chats;
mod inspect;
mod messages;
#[cfg(test)]
mod tests;
mod topics;
mod updates;

use std::sync::Arc;
use std::time::Duration;

pub use call::PATIENCE;
pub use chats::{ChatInfo, Me, Member};
use secrecy::SecretString;
pub use topics::{Icon, icon_of};
pub use updates::{Scope, WebhookInfo};
use url::Url;

use crate::outcome::Failure;

/// The Bot API, as one bot.
#[derive(Clone)]
pub struct Telegram {
    client: reqwest::Client,
    base: Url,
    token: SecretString,
    patience: Duration,
    watch: Option<Watch>,
}

/// Told of each call that ended: the method, and how. It must return at once.
pub type Watch = Arc<dyn Fn(&str, Result<(), &Failure>) + Send + Sync>;

/// Where a message landed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// The message's id, above 0.
    pub message_id: i64,
    /// The topic it landed in, which is not the one asked for when the chat has no topics any more. None outside topics.
    pub thread: Option<i64>,
}

impl Telegram {
    /// A client for the server at `api_url` (`https://api.telegram.org`, or with a path prefix).
    ///
    /// # Errors
    /// [`Failure::NotApplied`] when the HTTP client cannot be made on this machine.
    pub fn new(api_url: &Url, token: SecretString) -> Result<Self, Failure> {
        Ok(Self { client: call::client()?, base: api_url.clone(), token, patience: call::PATIENCE, watch: None })
    }

    /// The same client, which waits so long for an answer (20 seconds by default; a poll's own time comes on top).
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The same client, which tells of each call that ended.
    #[must_use]
    pub fn watched(self, watch: Watch) -> Self {
        Self { watch: Some(watch), ..self }
    }
}

impl std::fmt::Debug for Telegram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Telegram(…)")
    }
}
