//! Where a question is shown in Telegram.

use pager_questions::Incarnation;

/// One topic, where there are any, and, once it was sent, one message of a question. After an unknown outcome there may be two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The question.
    pub incarnation: Incarnation,
    /// The chat.
    pub chat: i64,
    /// The topic; 0 in a chat without topics.
    pub thread: i64,
    /// The question's message; 0 before it was sent.
    pub message: i64,
}
