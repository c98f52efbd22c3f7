//! Everything that can be stored, as data. Guards come first in a list: they decide whether the rest is stored.

use pager_questions::{Author, EventId, Incarnation, Record, Reply, Request, RequestId, Time, Update};

use super::{
    Dispatch, EarlyWithdrawal, EventFile, HandledEvent, Happening, Job, Limits, LoginLink, OldRequests, Place, Runner, Session,
    StoredWake, Token, UsedKey,
};

/// One thing to store.
#[derive(Debug, Clone)]
pub enum Write {
    /// Guard: the token with this id is not revoked.
    RequireToken(String),
    /// Guard: this id was never used, and this publication neither, nothing like it is pending, and its source has room for it.
    /// Stores the new record, and tells it. For room the oldest settled ones leave the window that may.
    Create {
        /// The record.
        record: Box<Record>,
        /// The fingerprint of its draft.
        fingerprint: String,
        /// Its agent gave neither an id nor a publication: of such, one with this fingerprint may be pending.
        is_unnamed: bool,
        /// How much of its source may be live.
        limits: Limits,
    },
    /// Guard: the stored record has this revision. Stores the next one, and what that tells.
    Change {
        /// The next version.
        record: Box<Record>,
        /// The revision that it was made from.
        from: u64,
        /// When.
        at: Time,
    },
    /// Tells what happened to something else than a question: questions tell by themselves.
    Tell(Happening),
    /// Forgets what happened before this moment, the oldest first.
    ForgetHappenings {
        /// The moment.
        before: Time,
        /// So many of the newest stay, however old they are.
        keep: u32,
        /// At most so many go.
        most: u32,
    },
    /// Guard: its publication was never used, and its source has room for it within these limits. Stores the new update.
    /// The oldest dismissed ones of the source make room, as far as it takes.
    PublishUpdate {
        /// The update.
        update: Box<Update>,
        /// What its source may have.
        limits: Limits,
    },
    /// Guard: the stored update is in the state of this name. Stores the next version; of those that are dismissed only
    /// the newest are kept.
    MarkUpdate {
        /// The next version.
        update: Box<Update>,
        /// The state that it was made from.
        from: &'static str,
    },
    /// Guard: this actor did not use this key before. Stores it with what it was used for.
    UseKey(Box<UsedKey>),
    /// Forgets keys that were used before this moment.
    ForgetKeys {
        /// The moment.
        before: Time,
    },
    /// Forgets a record beyond its window that has nothing left to do. Its id stays used.
    ForgetRecord(Incarnation),
    /// Forgets a request with its thread, if it is old and nothing is left to do. Its id stays used.
    ForgetRequest {
        /// The request.
        request: RequestId,
        /// From when on it is old.
        old: OldRequests,
    },
    /// Guard: no update of this id was received before. Stores it as it came.
    Receive(Received),
    /// This update was handled.
    Handled {
        /// Its id.
        update: i64,
    },
    /// This update could not be handled; after too many tries it is set aside.
    Poison {
        /// Its id.
        update: i64,
        /// How often it was tried.
        tries: u32,
        /// Set it aside?
        aside: bool,
    },
    /// Forgets updates that were received and handled before this moment.
    ForgetUpdates {
        /// The moment.
        before: Time,
    },
    /// Stores a request of words that somebody wrote; of one origin there is only the first.
    AddRequest {
        /// The request.
        request: Box<Request>,
        /// What it was made of, so that a repetition makes no second one.
        origin: String,
    },
    /// Guard: its id and its origin were never used, and whoever asks has room for it: of what nobody answered, and that is not over,
    /// at most this many requests (0: no limit). Stores it.
    MakeRequest {
        /// The request.
        request: Box<Request>,
        /// What it was made of.
        origin: String,
        /// The most of them.
        most: u32,
    },
    /// Guard: its origin was never used, and whoever writes has written less than this many into the thread (0: no limit). Stores the
    /// reply; the first answer of another author answers the request.
    AddReply {
        /// The reply.
        reply: Box<Reply>,
        /// What it was made of, so that a repetition makes no second one.
        origin: String,
        /// The most of them.
        most: u32,
    },
    /// Guard: no event of this id was handled before. Stores it with its reply.
    HandleEvent(Box<HandledEvent>),
    /// Guard: this proof was not used before. It was for this event.
    UseProof {
        /// What the proof says once only.
        proof: String,
        /// The event.
        event: EventId,
        /// When.
        at: Time,
    },
    /// Remembers a withdrawal until its question comes; of one question the one that was sent last.
    RememberWithdrawal(Box<EarlyWithdrawal>),
    /// Forgets events and their proofs, and early withdrawals, that came before these moments.
    ForgetEvents {
        /// The moment for events and proofs.
        before: Time,
        /// The moment for withdrawals.
        withdrawals_before: Time,
    },
    /// Adds a job; one that is there already stays as it is.
    AddJob(Job),
    /// The job is being tried: recorded before the call, so that a crash leaves a trace.
    Attempt {
        /// The job's id.
        job: String,
    },
    /// The job waits again.
    Retry {
        /// The job's id.
        job: String,
        /// Until when.
        due_at: Time,
        /// How many of its tries had an unknown outcome.
        attempts: u32,
    },
    /// The job is done and gone.
    FinishJob {
        /// The job's id.
        job: String,
    },
    /// The job is given up.
    FailJob {
        /// The job's id.
        job: String,
        /// Why.
        reason: String,
    },
    /// The job was refused because of the chat: it is set aside until the chat is well again.
    Park {
        /// The job's id.
        job: String,
        /// Why.
        reason: String,
    },
    /// Every job that was set aside waits again.
    Unpark {
        /// Until when.
        due_at: Time,
    },
    /// Adds an event for the control repository; one that is there already stays as it is.
    AddDispatch(Dispatch),
    /// It waits again.
    RetryDispatch {
        /// Its id.
        id: String,
        /// Until when.
        due_at: Time,
        /// How often it was tried.
        attempts: u32,
    },
    /// It waits again, in a line of its own: those behind it need not wait for somebody to mend what holds it up.
    SetAsideDispatch {
        /// Its id.
        id: String,
        /// Until when.
        due_at: Time,
        /// How often it was tried.
        attempts: u32,
    },
    /// It was taken and is gone.
    FinishDispatch {
        /// Its id.
        id: String,
    },
    /// It is given up.
    FailDispatch {
        /// Its id.
        id: String,
        /// Why.
        reason: String,
    },
    /// The file of an event was dealt with; one of this name that was before is forgotten.
    KeepEventFile(EventFile),
    /// The file of this name is gone from the branch.
    ForgetEventFile {
        /// Its name.
        name: String,
    },
    /// A topic of a question, or the message in it once there is one.
    SetPlace(Place),
    /// That message is gone; with message 0, the whole topic.
    ForgetPlace(Place),
    /// Nothing of what was shown counts any more, nor what was to be done about it: another chat or another bot.
    ForgetChat,
    /// A new token.
    AddToken(Token),
    /// A token that stops working.
    RevokeToken {
        /// Its id.
        id: String,
        /// Since when.
        at: Time,
    },
    /// A new login link.
    AddLoginLink(LoginLink),
    /// Guard: this link was not spent. Spends it.
    SpendLoginLink {
        /// The link's hash.
        hash: String,
    },
    /// A browser that logged in.
    AddSession(Session),
    /// Forgets sessions and login links that ended before this moment.
    ForgetLogins {
        /// The moment.
        before: Time,
    },
    /// A browser that logged out.
    EndSession {
        /// The session's hash.
        hash: String,
    },
    /// Private words were given for this question; its agent does not have them yet.
    AwaitPrivate(Incarnation),
    /// The agent has them.
    ConfirmPrivate(Incarnation),
    /// This agent keeps a runner: from here on what happens to it is kept as causes of wakes, with what happened since. Once.
    RegisterRunner(Runner),
    /// Lists a wake; one that there is stays as it is.
    AddWake(Box<StoredWake>),
    /// These causes were listed; older ones, which were not asked for, stay.
    SettleCauses {
        /// Whose.
        agent: Author,
        /// The moment that was asked for.
        since: Time,
        /// The number of the last one.
        up_to: i64,
    },
    /// Guard: the stored wake waits, and has this mark. Stores the next version.
    ChangeWake {
        /// The next version.
        wake: Box<StoredWake>,
        /// The mark that it was made from.
        from: Option<String>,
    },
    /// The wake is acknowledged, whether it was listed or not.
    AcknowledgeWake(Box<StoredWake>),
    /// Forgets wakes that are over, and causes that nobody listed, from before these moments.
    ForgetWakes {
        /// The moment for wakes.
        wakes_before: Time,
        /// The moment for causes.
        causes_before: Time,
    },
    /// A value that pagerd keeps for itself.
    Keep {
        /// Its name.
        name: String,
        /// The value.
        value: String,
    },
    /// Forgets what it kept under names that begin so, and did not keep anew since.
    ForgetKept {
        /// How the names begin.
        prefix: &'static str,
        /// The moment.
        before: Time,
    },
}

/// A raw update, as Telegram sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Telegram's id.
    pub id: i64,
    /// When it was received.
    pub received_at: Time,
    /// The JSON text.
    pub body: String,
    /// How often handling it failed.
    pub tries: u32,
}
