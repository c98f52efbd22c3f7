//! The store on SQLite: one writer with group commit, several readers, WAL, every commit flushed.

mod apply;
mod asks;
mod control;
mod copy;
mod deadlines;
mod dispatches;
mod event_files;
mod figures;
mod gates;
mod happenings;
mod history;
mod inspect;
mod jobs;
mod kept;
mod lock;
mod look;
mod mailbox;
mod migrate;
mod old_requests;
mod open;
mod people;
mod places;
mod private_answers;
mod questions;
mod readers;
mod reads;
mod received;
mod reminders;
mod rows;
#[cfg(test)]
mod tests;
mod threads;
mod updates;
mod used_keys;
mod wakes;
mod window;
mod writer;

use std::path::Path;

use async_trait::async_trait;
use pager_questions::{
    Author, EventId, Incarnation, Party, QuestionId, Record, Reply, ReplyId, Request, RequestId, ThreadId, Time, Update,
    UpdateId, WakeId,
};
use tokio::sync::watch;

use self::lock::Lock;
use self::readers::Readers;
use self::writer::Writer;
use super::{
    Cursor, Dispatch, EarlyWithdrawal, EventFile, Figures, HandledEvent, Happened, HistoryPlace, InHistory, InMailbox, Job,
    Listed, ListedRequest, ListedUpdate, Listing, LoginLink, Mailbox, Mark, OfInterest, OldRequests, Place, Received,
    RequestListing, Runner, Session, Store, StoreError, Stored, StoredWake, Token, UpdateListing, UsedKey, WakeCause, Write,
};

pub use copy::copy;
pub use look::look;
pub use open::OpenError;

/// A SQLite store. Dropping the last handle ends its writer.
pub struct SqliteStore {
    readers: Readers,
    writer: Writer,
    _lock: Option<Lock>,
}

impl SqliteStore {
    /// Opens the store for the service: made when absent, migrated, and locked against a second service.
    ///
    /// # Errors
    /// [`OpenError`] when it is in use, corrupt, newer than this program, or cannot be reached.
    pub async fn open(path: &Path) -> Result<Self, OpenError> {
        let lock = Lock::take(path)?;
        Self::connect(path, Some(lock)).await
    }

    /// Opens the store beside a running service, for the commands that only add or read a little.
    ///
    /// # Errors
    /// [`OpenError`] as for [`Self::open`], except that it may be in use.
    pub async fn open_beside(path: &Path) -> Result<Self, OpenError> {
        Self::connect(path, None).await
    }

    async fn connect(path: &Path, lock: Option<Lock>) -> Result<Self, OpenError> {
        let (writing, readers) = open::connect(path).await?;
        Ok(Self { readers, writer: Writer::start(writing), _lock: lock })
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unusable(error.to_string())
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn commit(&self, writes: Vec<Write>) -> Stored<()> {
        self.writer.commit(writes).await
    }
    async fn close(&self) {
        self.writer.close().await;
    }
    async fn record(&self, id: &QuestionId) -> Stored<Option<Record>> {
        reads::record(&self.readers, id).await
    }
    async fn record_of(&self, incarnation: &Incarnation) -> Stored<Option<Record>> {
        reads::record_of(&self.readers, incarnation).await
    }
    async fn published(&self, agent: &Author, publication: &str) -> Stored<Option<Record>> {
        reads::published(&self.readers, agent, publication).await
    }
    async fn pending_like(&self, agent: &Author, fingerprint: &str) -> Stored<Option<Record>> {
        reads::pending_like(&self.readers, agent, fingerprint).await
    }
    async fn is_used(&self, id: &QuestionId) -> Stored<bool> {
        reads::is_used(&self.readers, id).await
    }
    async fn gates(&self, agent: Option<&Author>, run: &str, limit: u32) -> Stored<Vec<Record>> {
        gates::of_run(&self.readers, agent, run, limit).await
    }
    async fn newest(&self, listing: &Listing) -> Stored<Vec<Listed>> {
        reads::newest(&self.readers, listing).await
    }
    async fn open(&self, limit: u32, after: Option<Cursor>) -> Stored<Vec<Listed>> {
        reads::open(&self.readers, limit, after).await
    }
    async fn with_key(&self, key: &str, limit: u32) -> Stored<Vec<Record>> {
        reads::with_key(&self.readers, key, limit).await
    }
    async fn count_open(&self) -> Stored<u64> {
        reads::count_open(&self.readers).await
    }
    async fn answering(&self) -> Stored<Vec<Record>> {
        reads::answering(&self.readers).await
    }
    async fn next_deadline(&self) -> Stored<Option<Time>> {
        deadlines::next(&self.readers).await
    }
    async fn due(&self, now: Time, limit: u32) -> Stored<Vec<Record>> {
        deadlines::due(&self.readers, now, limit).await
    }
    async fn next_reminder(&self, now: Time) -> Stored<Option<Time>> {
        reminders::next(&self.readers, now).await
    }
    async fn to_remind(&self, now: Time, limit: u32) -> Stored<Vec<Record>> {
        reminders::due(&self.readers, now, limit).await
    }
    async fn ended_since(&self, since: Time) -> Stored<Vec<Record>> {
        reads::ended_since(&self.readers, since).await
    }
    async fn ended_at(&self, ids: &[QuestionId]) -> Stored<Vec<(QuestionId, Time)>> {
        reads::ended_at(&self.readers, ids).await
    }
    async fn recently_ended(&self, limit: u32) -> Stored<Vec<Record>> {
        reads::recently_ended(&self.readers, limit).await
    }
    async fn mailbox(&self, mailbox: &Mailbox) -> Stored<Vec<InMailbox>> {
        mailbox::list(&self.readers, mailbox).await
    }
    async fn history(&self, search: Option<&str>, limit: u32, after: Option<HistoryPlace>) -> Stored<Vec<InHistory>> {
        history::list(&self.readers, search, limit, after).await
    }
    async fn forgettable(&self, before: Time, woken_since: Time, limit: u32) -> Stored<Vec<Incarnation>> {
        window::forgettable(&self.readers, before, woken_since, limit).await
    }
    async fn forgettable_requests(&self, old: OldRequests, limit: u32) -> Stored<Vec<RequestId>> {
        old_requests::list(&self.readers, old, limit).await
    }
    async fn is_private_awaited(&self, incarnation: &Incarnation) -> Stored<bool> {
        private_answers::waits(&self.readers, incarnation).await
    }
    async fn private_answers(&self) -> Stored<Vec<Incarnation>> {
        private_answers::all(&self.readers).await
    }
    async fn used_key(&self, actor: &str, key: &str) -> Stored<Option<UsedKey>> {
        used_keys::used(&self.readers, actor, key).await
    }
    async fn next_job(&self, now: Time) -> Stored<Option<Job>> {
        reads::next_job(&self.readers, now).await
    }
    async fn next_due(&self) -> Stored<Option<Time>> {
        reads::next_due(&self.readers).await
    }
    async fn tried_jobs(&self) -> Stored<Vec<Job>> {
        reads::tried_jobs(&self.readers).await
    }
    async fn unshown(&self, now: Time) -> Stored<Vec<Incarnation>> {
        reads::unshown(&self.readers, now).await
    }
    async fn parked_jobs(&self) -> Stored<Vec<Job>> {
        reads::parked_jobs(&self.readers).await
    }
    async fn jobs_of(&self, incarnation: &Incarnation) -> Stored<Vec<Job>> {
        reads::jobs_of(&self.readers, incarnation).await
    }
    async fn next_dispatch(&self, now: Time) -> Stored<Option<Dispatch>> {
        dispatches::next(&self.readers, now).await
    }
    async fn next_dispatch_due(&self) -> Stored<Option<Time>> {
        dispatches::next_due(&self.readers).await
    }
    async fn event_files(&self) -> Stored<Vec<EventFile>> {
        reads::event_files(&self.readers).await
    }
    async fn places(&self, incarnation: &Incarnation) -> Stored<Vec<Place>> {
        reads::places(&self.readers, incarnation).await
    }
    async fn place_in(&self, chat: i64, thread: i64) -> Stored<Option<Place>> {
        reads::place_in(&self.readers, chat, thread).await
    }
    async fn unhandled_updates(&self, limit: u32) -> Stored<Vec<Received>> {
        reads::unhandled_updates(&self.readers, limit).await
    }
    async fn updates_with(&self, words: &str, since: Time) -> Stored<Vec<Received>> {
        reads::updates_with(&self.readers, words, since).await
    }
    async fn request(&self, id: &RequestId) -> Stored<Option<Request>> {
        threads::request(&self.readers, id).await
    }
    async fn request_from(&self, origin: &str) -> Stored<Option<Request>> {
        threads::request_from(&self.readers, origin).await
    }
    async fn requests(&self, listing: &RequestListing) -> Stored<Vec<ListedRequest>> {
        threads::requests(&self.readers, listing).await
    }
    async fn unanswered_requests(&self, party: Option<&Party>, since: Time, limit: u32) -> Stored<Vec<Request>> {
        threads::unanswered(&self.readers, party, since, limit).await
    }
    async fn replies(&self, request: &RequestId) -> Stored<Vec<Reply>> {
        threads::replies(&self.readers, request).await
    }
    async fn answers(&self, request: &RequestId) -> Stored<u64> {
        threads::answers(&self.readers, request).await
    }
    async fn reply(&self, id: &ReplyId) -> Stored<Option<Reply>> {
        threads::reply(&self.readers, id).await
    }
    async fn reply_from(&self, origin: &str) -> Stored<Option<Reply>> {
        threads::reply_from(&self.readers, origin).await
    }
    async fn about(&self, thread: &ThreadId) -> Stored<Vec<Record>> {
        threads::about(&self.readers, thread).await
    }
    async fn about_any(&self, threads: &[ThreadId]) -> Stored<Vec<Record>> {
        threads::about_any(&self.readers, threads).await
    }
    async fn put_to(&self, agent: &Author, limit: u32) -> Stored<Vec<Record>> {
        threads::put_to(&self.readers, agent, limit).await
    }
    async fn opened_by(&self, agent: &Author, since: Time, limit: u32) -> Stored<Vec<Record>> {
        threads::opened_by(&self.readers, agent, since, limit).await
    }
    async fn runner(&self, agent: &Author) -> Stored<Option<Runner>> {
        wakes::runner(&self.readers, agent).await
    }
    async fn wake_causes(&self, agent: &Author, since: Time, limit: u32) -> Stored<Vec<WakeCause>> {
        wakes::causes(&self.readers, agent, since, limit).await
    }
    async fn waiting_wakes(&self, agent: &Author, limit: u32) -> Stored<Vec<StoredWake>> {
        wakes::waiting(&self.readers, agent, limit).await
    }
    async fn wake(&self, agent: &Author, id: &WakeId) -> Stored<Option<StoredWake>> {
        wakes::one(&self.readers, agent, id).await
    }
    async fn requests_of_interest(&self, wanted: &OfInterest) -> Stored<Vec<Request>> {
        wakes::of_interest(&self.readers, wanted).await
    }
    async fn is_still_of_interest(&self, agent: &Author, request: &RequestId) -> Stored<bool> {
        wakes::is_of_interest_still(&self.readers, agent, request.as_str()).await
    }
    async fn update(&self, id: &UpdateId) -> Stored<Option<Update>> {
        updates::one(&self.readers, id).await
    }
    async fn published_update(&self, source: &Author, publication: &str) -> Stored<Option<Update>> {
        updates::published(&self.readers, source, publication).await
    }
    async fn updates(&self, listing: &UpdateListing) -> Stored<Vec<ListedUpdate>> {
        updates::newest(&self.readers, listing).await
    }
    async fn count_unread_updates(&self) -> Stored<u64> {
        updates::count_unread(&self.readers).await
    }
    async fn unshown_updates(&self) -> Stored<Vec<Incarnation>> {
        updates::unshown(&self.readers).await
    }
    async fn update_jobs(&self) -> Stored<Vec<Job>> {
        reads::update_jobs(&self.readers).await
    }
    async fn thread_jobs(&self) -> Stored<Vec<Job>> {
        reads::thread_jobs(&self.readers).await
    }
    async fn control_event(&self, id: &EventId) -> Stored<Option<HandledEvent>> {
        control::event(&self.readers, id).await
    }
    async fn control_proof(&self, proof: &str) -> Stored<Option<EventId>> {
        control::proof(&self.readers, proof).await
    }
    async fn early_withdrawal(&self, author: &Author, question: &QuestionId, since: Time) -> Stored<Option<EarlyWithdrawal>> {
        control::early(&self.readers, author, question, since).await
    }
    async fn token(&self, hash: &str) -> Stored<Option<Token>> {
        reads::token(&self.readers, hash).await
    }
    async fn token_by_id(&self, id: &str) -> Stored<Option<Token>> {
        reads::token_by_id(&self.readers, id).await
    }
    async fn tokens(&self) -> Stored<Vec<Token>> {
        reads::tokens(&self.readers).await
    }
    async fn session(&self, hash: &str, now: Time) -> Stored<Option<Session>> {
        reads::session(&self.readers, hash, now).await
    }
    async fn login_link(&self, hash: &str, now: Time) -> Stored<Option<LoginLink>> {
        reads::login_link(&self.readers, hash, now).await
    }
    async fn happened_after(&self, number: i64, limit: u32) -> Stored<Vec<Happened>> {
        happenings::after(&self.readers, number, limit).await
    }
    async fn last_happened(&self) -> Stored<Mark> {
        happenings::last(&self.readers).await
    }
    async fn remembers(&self, mark: Mark) -> Stored<bool> {
        happenings::remembers(&self.readers, mark).await
    }
    fn news(&self) -> watch::Receiver<u64> {
        self.writer.news()
    }
    async fn figures(&self) -> Stored<Figures> {
        figures::all(&self.readers).await
    }
    async fn oldest_job(&self) -> Stored<Option<Time>> {
        figures::oldest_job(&self.readers).await
    }
    async fn kept(&self, name: &str) -> Stored<Option<String>> {
        reads::kept(&self.readers, name).await
    }
}
