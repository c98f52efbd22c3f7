//! What the message of a question depends on beside its record.

use jiff::tz::TimeZone;
use pager_questions::OptionId;

use crate::chat::ChatKind;

/// Where, and with what beside it, a question's message stands.
#[derive(Debug, Clone)]
pub struct Display<'a> {
    /// The kind of the chat.
    pub kind: ChatKind,
    /// In which the owner is told times.
    pub zone: &'a TimeZone,
    /// What became of its documents.
    pub attached: Attached,
    /// The options that are marked by now, where several may be picked.
    pub marked: Vec<OptionId>,
}

/// What became of the documents of a question. Only an approval's buttons depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attached {
    /// They follow.
    Coming,
    /// All of them stand where the message does.
    Sent,
    /// They could not be sent; the question is whole on this page.
    Missing {
        /// Its address.
        page: String,
    },
}

impl<'a> Display<'a> {
    /// A message that is sent: nothing stands beside it, and nothing is marked.
    pub fn new(kind: ChatKind, zone: &'a TimeZone) -> Self {
        Self { kind, zone, attached: Attached::Coming, marked: Vec::new() }
    }
}
