//! What reaches the terminal's core, and what it wants done outside. Both are data, so that the core runs without a
//! terminal, a network or a clock.

use pager_questions::{Incarnation, OptionId, QuestionId};
use ratatui::crossterm::event::KeyEvent;

use super::wire::{Answer, Page, Question, Update, UpdateId};

/// Something happened. Times come beside it.
#[derive(Debug, Clone)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// A text was pasted.
    Pasted(String),
    /// The terminal has this many columns and rows.
    Resized(u16, u16),
    /// A second went by.
    Tick,
    /// The open questions, or why they could not be read.
    Open(Result<Page<Question>, String>),
    /// The updates that are not dismissed.
    Updates(Result<Page<Update>, String>),
    /// A page of the mailbox, after this cursor.
    History(Option<String>, Result<Page<Question>, String>),
    /// One record.
    Record(Box<Question>),
    /// The stream of this number.
    Stream(u64, Stream),
    /// What became of an owner's act.
    Written(Box<Write>, Box<Outcome>),
    /// An update was marked, or why not.
    Marked(UpdateId, Mark, Result<(), String>),
}

/// What is heard of the stream of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stream {
    /// It began.
    Up,
    /// It is alive.
    Heard,
    /// An event.
    Message(Message),
    /// This pagerd has none.
    Absent,
    /// It broke or could not begin, and is tried again.
    Lost(String),
}

/// One event of the stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// Like `question.asked`.
    pub name: String,
    /// JSON.
    pub data: String,
    /// Where to go on after it.
    pub id: Option<String>,
}

/// An owner's act on one very record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The question.
    pub id: QuestionId,
    /// The very record.
    pub incarnation: Incarnation,
    /// What it asks, for people.
    pub title: String,
    /// The act.
    pub act: Act,
}

/// What an owner may do with a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Chooses these, each with its label.
    Choose(Vec<(OptionId, String)>),
    /// Says this.
    Words {
        /// As it was typed.
        text: String,
        /// Although it looks like a secret.
        anyway: bool,
    },
    /// Leaves it to the agent.
    Decline,
    /// Calls it off.
    Cancel,
}

/// What became of an act.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It counts.
    Settled(Answer),
    /// It was taken and is being saved.
    Saving(Box<Question>),
    /// The words look like a secret, and nothing was done.
    LooksSecret(String),
    /// Nothing was done.
    Refused {
        /// What is wrong, for people.
        words: String,
        /// Whether the question is not what this screen shows.
        is_stale: bool,
    },
    /// Nobody knows whether it arrived.
    Unknown(String),
}

/// How an update is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// As read.
    Read,
    /// As done with.
    Dismissed,
}

/// Something is to be done outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read the open questions.
    ReadOpen,
    /// Read the updates.
    ReadUpdates,
    /// Read a page of the mailbox, after this cursor.
    ReadHistory(Option<String>),
    /// Read one record.
    ReadRecord(QuestionId),
    /// Send an act.
    Settle(Box<Write>),
    /// Mark an update.
    Mark(UpdateId, Mark),
    /// Listen to events under this number, after this one.
    Listen(u64, Option<String>),
    /// End.
    Quit,
}
