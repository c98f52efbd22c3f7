//! Events that leave for the control repository: an outbox beside the one for Telegram, one row an event.

use pager_questions::{Incarnation, ReplyId, RequestId, Time};
use serde::{Deserialize, Serialize};

/// One event to send. Stored together with the change that asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatch {
    /// The delivery's id, a UUID made of what it is about: a replay makes the same one, and so does every try.
    pub id: String,
    /// Those of one line go out in the order in which they were stored.
    pub line: String,
    /// What to send.
    pub kind: DispatchKind,
    /// When it was stored.
    pub made_at: Time,
    /// Not before this moment.
    pub due_at: Time,
    /// How often it was tried.
    pub attempts: u32,
}

/// What to send. It is put together when it is sent, from what the store has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DispatchKind {
    /// An owner's text that answers no question: `pager-text`.
    Text {
        /// The request that it was stored as, or in whose thread it stands.
        request: RequestId,
        /// The further message that it was stored as; None for the request itself.
        #[serde(default)]
        reply: Option<ReplyId>,
        /// The chat it was written in; None for one that was written elsewhere.
        chat: Option<i64>,
        /// The topic it was written in.
        topic: Option<i64>,
        /// Its message id.
        message: Option<i64>,
        /// Where it can be seen.
        link: Option<String>,
    },
    /// A question ended that somebody is to be woken for: `pager-answered`.
    Answered {
        /// The question.
        incarnation: Incarnation,
        /// Its end: `answered`, `declined`, `cancelled`.
        reason: String,
    },
}

impl DispatchKind {
    /// The type of the event.
    pub fn event_type(&self) -> &'static str {
        match self {
            Self::Text { .. } => "pager-text",
            Self::Answered { .. } => "pager-answered",
        }
    }
}
