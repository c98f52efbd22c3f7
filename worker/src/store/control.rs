//! What is remembered of events from the control repository: those that were handled, and withdrawals that came too early.

use pager_questions::{Author, EventId, QuestionId, Time};

/// An event that was handled, and what was replied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandledEvent {
    /// Its id.
    pub id: EventId,
    /// SHA-256 of its body, hex.
    pub digest: String,
    /// The HTTP status of the reply.
    pub status: u16,
    /// The reply, a JSON text.
    pub reply: String,
    /// When it was handled.
    pub at: Time,
}

/// The withdrawal of a question that is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlyWithdrawal {
    /// Whose question it is about.
    pub author: Author,
    /// Which one.
    pub question: QuestionId,
    /// When its agent sent it, by the agent's clock.
    pub sent_at: Time,
    /// Why.
    pub reason: Option<String>,
    /// When it came.
    pub at: Time,
}
