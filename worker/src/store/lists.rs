//! The owner's two long lists: the mailbox, with every record, and the history, with every ended one that can be searched.

use pager_questions::{Author, Party, Record, Request, Time};

use super::Cursor;

/// Which part of the mailbox is asked for.
#[derive(Debug, Clone, Default)]
pub struct Mailbox {
    /// Only this source's.
    pub source: Option<Author>,
    /// Only in this state, by its wire name.
    pub state: Option<String>,
    /// At most this many.
    pub limit: u32,
    /// Only what comes after this place.
    pub after: Option<MailboxPlace>,
}

/// Which requests are asked for.
#[derive(Debug, Clone, Default)]
pub struct RequestListing {
    /// Only this side's.
    pub party: Option<Party>,
    /// Only those with this tag.
    pub tag: Option<String>,
    /// Only those that somebody else answered, or only those that nobody did.
    pub answered: Option<bool>,
    /// At most this many.
    pub limit: u32,
    /// Only what comes after this place.
    pub after: Option<Cursor>,
}

/// A request, whether somebody else answered it, and its place in the list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRequest {
    /// The request.
    pub request: Request,
    /// When somebody else answered it first.
    pub answered_at: Option<Time>,
    /// Its place; never hard.
    pub cursor: Cursor,
}

/// A place in the mailbox: newest first, then by source, then the newest insertion first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxPlace {
    /// The time of asking, in milliseconds since 1970.
    pub asked_at: i64,
    /// The source.
    pub source: Author,
    /// The record's number in the store.
    pub number: i64,
}

/// A record and its place in the mailbox.
#[derive(Debug, Clone)]
pub struct InMailbox {
    /// The record.
    pub record: Record,
    /// Its place.
    pub place: MailboxPlace,
}

/// A place in the history: the newest end first, then the newest insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryPlace {
    /// The time of the end, in milliseconds since 1970.
    pub ended_at: i64,
    /// The record's number in the store.
    pub number: i64,
}

/// An ended record and its place in the history.
#[derive(Debug, Clone)]
pub struct InHistory {
    /// The record.
    pub record: Record,
    /// Its place.
    pub place: HistoryPlace,
}
