//! The log of what happened: small rows in the order of the commits, each stored together with the change that it tells of.

use pager_questions::{Author, Record, Reply, Request, Time, Update, UpdateState};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HappeningKind {
    /// A question was asked.
    Asked,
    /// Somebody answered, and the answer is being saved.
    Answering,
    /// A question ended.
    Ended,
    /// A question came further on its way to the owner, or met trouble there.
    Delivery,
    /// Anything else about a question.
    Changed,
    /// An answer counts, and is shown once more.
    Shown,
    /// An update was published.
    Published,
    /// The owner read an update.
    Read,
    /// The owner dismissed an update.
    Dismissed,
    /// Work was asked for.
    Requested,
    /// Somebody wrote into the thread of a request.
    Replied,
}

impl HappeningKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Asked,
        Self::Answering,
        Self::Ended,
        Self::Delivery,
        Self::Changed,
        Self::Shown,
        Self::Published,
        Self::Read,
        Self::Dismissed,
        Self::Requested,
        Self::Replied,
    ];

    /// The name in the store and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "question.asked",
            Self::Answering => "question.answering",
            Self::Ended => "question.ended",
            Self::Delivery => "question.delivery",
            Self::Changed => "question.changed",
            Self::Shown => "answer.shown",
            Self::Published => "update.published",
            Self::Read => "update.read",
            Self::Dismissed => "update.dismissed",
            Self::Requested => "request.made",
            Self::Replied => "request.replied",
        }
    }

    /// What happened to an update that came into this state.
    pub fn of_update(state: UpdateState) -> Self {
        match state {
            UpdateState::Unread => Self::Published,
            UpdateState::Read { .. } => Self::Read,
            UpdateState::Dismissed { .. } => Self::Dismissed,
        }
    }

    /// The kind of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A place in the log: the number of an entry and its time, which tells the entry from one of the same number in another
/// store. Number 0 is the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// Its number, rising with each entry.
    pub number: i64,
    /// Its time, in milliseconds since 1970.
    pub at: i64,
}

/// One entry, to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// What happened.
    pub kind: HappeningKind,
    /// Whose question, update or request it is about; None for an owner's.
    pub agent: Option<Author>,
    /// The incarnation of the question, or the id of the update, the request or the reply.
    pub about: String,
    /// When.
    pub at: Time,
}

/// One entry, with what it tells of as that is when it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// Its place.
    pub mark: Mark,
    /// What happened.
    pub kind: HappeningKind,
    /// Whose question, update or request it is about; None for an owner's.
    pub agent: Option<Author>,
    /// What it tells of; None when that is gone.
    pub subject: Option<Subject>,
}

/// What an entry tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A question.
    Question(Box<Record>),
    /// An update.
    Update(Box<Update>),
    /// A request.
    Request(Box<Request>),
    /// A reply.
    Reply(Box<Reply>),
}
