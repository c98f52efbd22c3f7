//! What pagerd remembers. A trait, so that another database can join; every back-end passes `conformance`.
//!
//! Writing is data: a list of [`Write`]s is stored whole or not at all. Nothing outside is called while it is written.

#[cfg(test)]
pub(crate) mod conformance;
mod control;
mod dispatches;
mod event_files;
mod figures;
mod happenings;
mod jobs;
mod keys;
mod limits;
mod lists;
mod old_requests;
mod people;
mod places;
pub mod sqlite;
mod updates;
mod wakes;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use pager_questions::{
    Author, EventId, Incarnation, Party, QuestionId, Record, Reply, ReplyId, Request, RequestId, ThreadId, Time, Update,
    UpdateId, WakeId,
};
use tokio::sync::watch;

pub use control::{EarlyWithdrawal, HandledEvent};
pub use dispatches::{Dispatch, DispatchKind};
pub use event_files::EventFile;
pub use figures::Figures;
pub use happenings::{Happened, Happening, HappeningKind, Mark, Subject};
pub use jobs::{Job, JobKind, JobState};
pub use keys::UsedKey;
pub use limits::{Full, Kept, Limits, SETTLED_THAT_STAY, SPARE_BYTES};
pub use lists::{HistoryPlace, InHistory, InMailbox, ListedRequest, Mailbox, MailboxPlace, RequestListing};
pub use old_requests::OldRequests;
pub use people::{LoginLink, Role, Session, Token};
pub use places::Place;
pub use updates::{ListedUpdate, ShownUpdates, UpdateListing};
pub use wakes::{CauseKind, OfInterest, Runner, StoredWake, WakeCause, WakeState};
pub use write::{Received, Write};

/// Why nothing was stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// What a write expected is not there any more: read again and decide again.
    #[error("something else was stored in between")]
    Conflict,
    /// The caller's token or session was revoked in between.
    #[error("the caller's right was taken back in between")]
    Revoked,
    /// The source of a new record has no room for it.
    #[error("the source has no room for another record")]
    Full(Full),
    /// The idempotency key was used before.
    #[error("the idempotency key was used before")]
    KeyUsed,
    /// The database cannot be used.
    #[error("the store cannot be used: {0}")]
    Unusable(String),
}

/// The result of asking the store.
pub type Stored<T> = Result<T, StoreError>;

/// Which records a list shows.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Only this author's.
    pub agent: Option<Author>,
    /// Only in this state, by its wire name.
    pub state: Option<String>,
    /// At most this many.
    pub limit: u32,
    /// Only what comes after this place in the order.
    pub after: Option<Cursor>,
}

/// A place in a list, made of the sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Whether that record is hard to reverse; only the open list sorts by it.
    pub hard: bool,
    /// Its time of asking, in milliseconds since 1970.
    pub asked_at: i64,
    /// Its number in the store, which breaks ties.
    pub number: i64,
}

/// A record and its place in the list it came from.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The record.
    pub record: Record,
    /// Its place.
    pub cursor: Cursor,
}

/// A store. Times in queries are the caller's: the store has no clock.
#[async_trait]
pub trait Store: Send + Sync {
    /// Stores a list of writes, whole or not at all; on return it is on disk.
    async fn commit(&self, writes: Vec<Write>) -> Stored<()>;

    /// Stores what was sent before and lets go of everything; nothing can be stored afterwards.
    async fn close(&self);

    /// The record of an id.
    async fn record(&self, id: &QuestionId) -> Stored<Option<Record>>;
    /// The record of an incarnation.
    async fn record_of(&self, incarnation: &Incarnation) -> Stored<Option<Record>>;
    /// The record that this agent published under this identity.
    async fn published(&self, agent: &Author, publication: &str) -> Stored<Option<Record>>;
    /// This agent's pending record with this fingerprint.
    async fn pending_like(&self, agent: &Author, fingerprint: &str) -> Stored<Option<Record>>;
    /// Was this id ever used?
    async fn is_used(&self, id: &QuestionId) -> Stored<bool>;
    /// At most so many approvals that name this run, this agent's or everybody's, in the order in which they were asked.
    async fn gates(&self, agent: Option<&Author>, run: &str, limit: u32) -> Stored<Vec<Record>>;
    /// Records, newest first.
    async fn newest(&self, listing: &Listing) -> Stored<Vec<Listed>>;
    /// Open records that are the owner's to settle, hard to reverse first, then oldest.
    async fn open(&self, limit: u32, after: Option<Cursor>) -> Stored<Vec<Listed>>;
    /// Records whose incarnation begins with these hex digits: pending ones first, then the newest.
    async fn with_key(&self, key: &str, limit: u32) -> Stored<Vec<Record>>;
    /// How many of these there are.
    async fn count_open(&self) -> Stored<u64>;
    /// Records whose answer is being saved, oldest first.
    async fn answering(&self) -> Stored<Vec<Record>>;
    /// When the next deadline passes that ends a question.
    async fn next_deadline(&self) -> Stored<Option<Time>>;
    /// Open records that a deadline ends which has passed by now, earliest deadline first.
    async fn due(&self, now: Time, limit: u32) -> Stored<Vec<Record>>;
    /// When the owner of an open question whose deadline has not passed is to be reminded next; perhaps before now.
    async fn next_reminder(&self, now: Time) -> Stored<Option<Time>>;
    /// Open records whose owner is to be reminded by now and whose deadline has not passed, the earliest first.
    async fn to_remind(&self, now: Time, limit: u32) -> Stored<Vec<Record>>;
    /// Records that ended since this moment, oldest end first.
    async fn ended_since(&self, since: Time) -> Stored<Vec<Record>>;

    /// When those of these records that have ended did; the others are left out, in no order.
    async fn ended_at(&self, ids: &[QuestionId]) -> Stored<Vec<(QuestionId, Time)>>;
    /// The records that ended last of those that were put to owners, newest end first.
    async fn recently_ended(&self, limit: u32) -> Stored<Vec<Record>>;
    /// Every record, newest first; of one time by source, of one source the newest insertion first.
    async fn mailbox(&self, mailbox: &Mailbox) -> Stored<Vec<InMailbox>>;
    /// Every ended record that has all of these words, newest end first. Any text is a search; None or a blank one finds all.
    async fn history(&self, search: Option<&str>, limit: u32, after: Option<HistoryPlace>) -> Stored<Vec<InHistory>>;
    /// Records beyond their windows that ended before this moment and have nothing left to do, oldest end first. One that an agent is still
    /// to be woken for is none of them, if it ended since the other moment.
    async fn forgettable(&self, before: Time, woken_since: Time, limit: u32) -> Stored<Vec<Incarnation>>;
    /// Requests that are old, about which nothing is open and nothing is left to do, the oldest first.
    async fn forgettable_requests(&self, old: OldRequests, limit: u32) -> Stored<Vec<RequestId>>;
    /// Do private words of this question wait for its agent?
    async fn is_private_awaited(&self, incarnation: &Incarnation) -> Stored<bool>;
    /// Every question of which private words wait for its agent, held or lost.
    async fn private_answers(&self) -> Stored<Vec<Incarnation>>;
    /// What this actor used this idempotency key for.
    async fn used_key(&self, actor: &str, key: &str) -> Stored<Option<UsedKey>>;

    /// The most urgent job that is due: by class, then by age.
    async fn next_job(&self, now: Time) -> Stored<Option<Job>>;
    /// When the next waiting job is due, when none is now.
    async fn next_due(&self) -> Stored<Option<Time>>;
    /// Jobs that are being tried, or were with an unknown outcome; oldest first.
    async fn tried_jobs(&self) -> Stored<Vec<Job>>;
    /// Questions whose topic or message waits to be made, in the order in which they will be. Those are left out that were never
    /// tried and are not due yet: they are held back until then.
    async fn unshown(&self, now: Time) -> Stored<Vec<Incarnation>>;
    /// The jobs that were set aside until the chat is well again, oldest first.
    async fn parked_jobs(&self) -> Stored<Vec<Job>>;
    /// The jobs of one question, also failed ones; oldest first.
    async fn jobs_of(&self, incarnation: &Incarnation) -> Stored<Vec<Job>>;
    /// The next event for the control repository that is due: of each line the oldest, of those the oldest.
    async fn next_dispatch(&self, now: Time) -> Stored<Option<Dispatch>>;
    /// When the next one is due, when none is now.
    async fn next_dispatch_due(&self) -> Stored<Option<Time>>;
    /// The files of events that were dealt with and may still lie on the branch, by name.
    async fn event_files(&self) -> Stored<Vec<EventFile>>;
    /// Where this question is shown.
    async fn places(&self, incarnation: &Incarnation) -> Stored<Vec<Place>>;
    /// Which question this topic is about. Never asked for 0, which is no topic.
    async fn place_in(&self, chat: i64, thread: i64) -> Stored<Option<Place>>;

    /// Updates that were received and not handled yet, oldest first.
    async fn unhandled_updates(&self, limit: u32) -> Stored<Vec<Received>>;

    /// Updates received since this moment whose JSON text has these words in it, oldest first.
    async fn updates_with(&self, words: &str, since: Time) -> Stored<Vec<Received>>;

    /// The request of an id.
    async fn request(&self, id: &RequestId) -> Stored<Option<Request>>;
    /// The request that was made of this.
    async fn request_from(&self, origin: &str) -> Stored<Option<Request>>;
    /// Requests, newest first.
    async fn requests(&self, listing: &RequestListing) -> Stored<Vec<ListedRequest>>;
    /// At most so many requests since this moment that nobody else answered, oldest first; only this side's, where one is named.
    async fn unanswered_requests(&self, party: Option<&Party>, since: Time, limit: u32) -> Stored<Vec<Request>>;
    /// What stands in the thread of a request, oldest first.
    async fn replies(&self, request: &RequestId) -> Stored<Vec<Reply>>;
    /// How many answers stand there.
    async fn answers(&self, request: &RequestId) -> Stored<u64>;
    /// The reply of an id.
    async fn reply(&self, id: &ReplyId) -> Stored<Option<Reply>>;
    /// The reply that was made of this.
    async fn reply_from(&self, origin: &str) -> Stored<Option<Reply>>;
    /// Records that are about this, in the order in which they were asked.
    async fn about(&self, thread: &ThreadId) -> Stored<Vec<Record>>;
    /// Records that are about any of these, in the order in which they were asked.
    async fn about_any(&self, threads: &[ThreadId]) -> Stored<Vec<Record>>;
    /// At most so many open records that are put to this agent, oldest first.
    async fn put_to(&self, agent: &Author, limit: u32) -> Stored<Vec<Record>>;
    /// At most so many open records of this agent that open a thread and were asked since this moment, oldest first.
    async fn opened_by(&self, agent: &Author, since: Time, limit: u32) -> Stored<Vec<Record>>;

    /// What is known of this agent's runner, when it keeps one.
    async fn runner(&self, agent: &Author) -> Stored<Option<Runner>>;
    /// At most so many causes of wakes that were not listed yet, in the order in which they were stored: those since this moment, and
    /// deadlines that passed, however long ago.
    async fn wake_causes(&self, agent: &Author, since: Time, limit: u32) -> Stored<Vec<WakeCause>>;
    /// At most so many wakes of this agent that nobody acknowledged, oldest first; also those that are marked. Where there are
    /// more, the agent's own come before those of others, and no author hides another.
    async fn waiting_wakes(&self, agent: &Author, limit: u32) -> Stored<Vec<StoredWake>>;
    /// The wake of this id of this agent.
    async fn wake(&self, agent: &Author, id: &WakeId) -> Stored<Option<StoredWake>>;
    /// Requests of others that nobody else answered and that fit, oldest first.
    async fn requests_of_interest(&self, wanted: &OfInterest) -> Stored<Vec<Request>>;
    /// Did nobody else answer this request, and did this agent not post in its thread?
    async fn is_still_of_interest(&self, agent: &Author, request: &RequestId) -> Stored<bool>;

    /// The update of an id.
    async fn update(&self, id: &UpdateId) -> Stored<Option<Update>>;
    /// The update that this source published under this identity, as long as it is kept.
    async fn published_update(&self, source: &Author, publication: &str) -> Stored<Option<Update>>;
    /// Updates, newest first: by their time, then the one stored last.
    async fn updates(&self, listing: &UpdateListing) -> Stored<Vec<ListedUpdate>>;
    /// How many updates nobody has read.
    async fn count_unread_updates(&self) -> Stored<u64>;
    /// Unread updates whose message stands nowhere, by their keys, oldest first.
    async fn unshown_updates(&self) -> Stored<Vec<Incarnation>>;
    /// The jobs that wait to send an update, in the order in which they will be done.
    async fn update_jobs(&self) -> Stored<Vec<Job>>;
    /// The jobs that are still to show a reply in its thread, in the order in which they will be done.
    async fn thread_jobs(&self) -> Stored<Vec<Job>>;

    /// The event of this id, when it was handled.
    async fn control_event(&self, id: &EventId) -> Stored<Option<HandledEvent>>;
    /// The event that this proof was used for.
    async fn control_proof(&self, proof: &str) -> Stored<Option<EventId>>;
    /// The withdrawal of this author's question that came before it, and not before this moment.
    async fn early_withdrawal(&self, author: &Author, question: &QuestionId, since: Time) -> Stored<Option<EarlyWithdrawal>>;

    /// The token with this hash, unless it was revoked.
    async fn token(&self, hash: &str) -> Stored<Option<Token>>;
    /// The token with this id, unless it was revoked.
    async fn token_by_id(&self, id: &str) -> Stored<Option<Token>>;
    /// All tokens, also revoked ones.
    async fn tokens(&self) -> Stored<Vec<Token>>;
    /// The session with this hash, unless it is over or its token was revoked.
    async fn session(&self, hash: &str, now: Time) -> Stored<Option<Session>>;
    /// The login link with this hash, when it can still be used.
    async fn login_link(&self, hash: &str, now: Time) -> Stored<Option<LoginLink>>;

    /// What happened after the entry of this number, oldest first, with what it tells of as that is.
    async fn happened_after(&self, number: i64, limit: u32) -> Stored<Vec<Happened>>;
    /// The place of what happened last.
    async fn last_happened(&self) -> Stored<Mark>;
    /// Whether this is a place in this log, and nothing that happened after it was forgotten.
    async fn remembers(&self, mark: Mark) -> Stored<bool>;
    /// Counts the commits after which there is more that happened.
    fn news(&self) -> watch::Receiver<u64>;

    /// How much of everything there is.
    async fn figures(&self) -> Stored<Figures>;
    /// When the oldest job that is still to be done was stored.
    async fn oldest_job(&self) -> Stored<Option<Time>>;

    /// A value that pagerd keeps for itself.
    async fn kept(&self, name: &str) -> Stored<Option<String>>;
}

/// A store, shared.
pub type SharedStore = Arc<dyn Store>;
