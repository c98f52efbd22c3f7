//! What pagerd counts about itself, in one place. Parts count; `/metrics` tells. Nothing of people or secrets is a label.

mod exposition;
mod histogram;
mod labelled;
mod text;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use pager_answers::SaveOutcome;
use pager_bot::Failure;
use pager_bot::api::Watch;
use pager_questions::{Record, State, Time};

use histogram::Histogram;
use labelled::Labelled;

/// Every counter, from the start of the process.
#[derive(Debug)]
pub struct Metrics {
    started_at: Time,
    asked: AtomicU64,
    ended: Labelled,
    saves: Labelled,
    save_seconds: Histogram,
    save_trouble_since: AtomicI64,
    archived: AtomicU64,
    telegram_calls: Labelled,
    paused_until: AtomicI64,
    last_poll: AtomicI64,
    updates_stored: AtomicU64,
    dispatches: Labelled,
    requests: Labelled,
    control_events: Labelled,
    wakes_given_up: Labelled,
}

impl Metrics {
    /// Nothing counted yet.
    pub fn new(started_at: Time) -> Self {
        Self {
            started_at,
            asked: AtomicU64::new(0),
            ended: Labelled::default(),
            saves: Labelled::default(),
            save_seconds: Histogram::default(),
            save_trouble_since: AtomicI64::new(0),
            archived: AtomicU64::new(0),
            telegram_calls: Labelled::default(),
            paused_until: AtomicI64::new(0),
            last_poll: AtomicI64::new(0),
            updates_stored: AtomicU64::new(0),
            dispatches: Labelled::default(),
            requests: Labelled::default(),
            control_events: Labelled::default(),
            wakes_given_up: Labelled::default(),
        }
    }

    /// A question was asked.
    pub fn asked(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// A question is over.
    pub fn ended(&self, record: &Record) {
        let outcome = match &record.state {
            State::Ended { answer, .. } => answer.outcome.as_str(),
            State::Withdrawn { .. } => "withdrawn",
            State::IdTaken { .. } => "id_taken",
            State::Open { .. } | State::Answering(_) => return,
        };
        self.ended.count(outcome, "");
    }

    /// The answers repository took so long, for all answers that were saved together, and this came of each.
    pub fn saved(&self, took: Duration, outcomes: &[SaveOutcome]) {
        self.save_seconds.observe(took);
        for outcome in outcomes {
            let outcome = match outcome {
                SaveOutcome::Saved { .. } => "saved",
                SaveOutcome::Taken => "taken",
                SaveOutcome::Refused { .. } => "refused",
                SaveOutcome::Unknown { .. } => "unknown",
            };
            self.saves.count(outcome, "");
        }
    }

    /// Since when the answers repository has not replied; None while it does.
    pub fn save_trouble(&self, since: Option<Time>) {
        self.save_trouble_since.store(since.map_or(0, Time::as_millis), Ordering::Relaxed);
    }

    /// So many answers were moved to the archive.
    pub fn archived(&self, count: usize) {
        self.archived.fetch_add(u64::try_from(count).unwrap_or(0), Ordering::Relaxed);
    }

    /// What tells of each call to Telegram.
    pub fn watch(self: &Arc<Self>) -> Watch {
        let metrics = Arc::clone(self);
        Arc::new(move |method, outcome| {
            let outcome = match outcome {
                Ok(()) => "ok",
                Err(Failure::NotApplied { retry_after: Some(_), .. }) => "paused",
                Err(Failure::NotApplied { retry_after: None, .. }) => "not_applied",
                Err(Failure::Permanent { .. }) => "refused",
                Err(Failure::Unknown { .. }) => "unknown",
            };
            metrics.telegram_calls.count(method, outcome);
        })
    }

    /// Telegram asked to send nothing before this moment.
    pub fn paused(&self, until: Time) {
        self.paused_until.fetch_max(until.as_millis(), Ordering::Relaxed);
    }

    /// A poll was finished.
    pub fn polled(&self, at: Time) {
        self.last_poll.store(at.as_millis(), Ordering::Relaxed);
    }

    /// When the last poll was finished; None before the first one.
    pub fn last_poll(&self) -> Option<Time> {
        let at = self.last_poll.load(Ordering::Relaxed);
        (at != 0).then(|| Time::from_millis(at))
    }

    /// Updates were received and stored.
    pub fn stored_updates(&self, count: usize) {
        self.updates_stored.fetch_add(u64::try_from(count).unwrap_or(0), Ordering::Relaxed);
    }

    /// An event was tried to be sent to the control repository: `taken`, `limited`, `refused` or `unknown`.
    pub fn dispatched(&self, event: &str, outcome: &str) {
        self.dispatches.count(event, outcome);
    }

    /// An event of the control repository was replied to. `kind` is its type, or why it has none.
    pub fn control_event(&self, kind: &'static str, status: u16) {
        self.control_events.count(kind, &status.to_string());
    }

    /// A wake of a runner was marked as often as it may be, and never acknowledged.
    pub fn wake_given_up(&self, reason: &str) {
        self.wakes_given_up.count(reason, "");
    }

    /// A request was answered. `route` is the pattern, never the address itself.
    pub fn answered(&self, route: &str, status: &str) {
        self.requests.count(route, status);
    }
}
