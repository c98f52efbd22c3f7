//! The middle of pagerd: every door calls these, and every write ends here. Doors translate; this decides and stores.

mod archiver;
mod ask;
mod attendance;
mod consume;
mod deadlines;
mod decide;
mod decisions;
pub mod effects;
mod error;
mod forgetting;
mod gates;
mod keeping;
mod keys;
mod overdue;
mod private;
mod request;
mod reset;
mod revocations;
mod saver;
mod saving;
mod spoken;
mod sweeper;
mod threads;
mod updates;
mod waiters;
pub mod wakes;
mod withdraw;

use std::sync::Arc;
use std::time::Duration;

use pager_answers::Keeper;
use pager_questions::apply::{Effect, Event, apply};
use pager_questions::draft::Bounds;
use pager_questions::gate::Policies;
use pager_questions::{By, Record, SigningKey, State};
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::clock;
use crate::health::Health;
use crate::hub::Outlet;
use crate::metrics::Metrics;
use crate::store::{Limits, SharedStore, StoreError, Write};

pub use ask::{AskOutcome, Terms};
pub use attendance::Attendance;
pub use consume::Spending;
pub use decide::{HELD_FOR_SAVE, Named, Words};
pub use error::ServiceError;
pub use keys::{Once, checked_key};
pub use private::{PrivateWords, asked_again};
pub use request::{Requested, Written};
pub use reset::Resetter;
pub use revocations::Revocations;
pub use saving::{Saving, Trouble, Unsaved};
pub use spoken::Spoken;
pub use threads::{LatePick, Replied, late_pick_origin, picked_of, told_of_reply};
pub use waiters::Waiters;
pub use wakes::Runners;
pub use withdraw::HELD_FOR_SAVE as WITHDRAWAL_HELD_FOR_SAVE;

/// How often a write is decided again when something else was stored in between.
const MOST_TRIES: usize = 32;

/// What is stored in one transaction with a version of a record.
pub(crate) type Also<'a> = &'a (dyn Fn(&Record) -> Vec<Write> + Sync);

/// What a service is made of.
pub struct Parts {
    /// What pagerd remembers.
    pub store: SharedStore,
    /// Where answers are kept.
    pub keeper: Arc<dyn Keeper>,
    /// Signs answers.
    pub key: SigningKey,
    /// Whether questions go to Telegram.
    pub has_telegram: bool,
    /// Where events leave for the control repository, and what may be woken.
    pub outlet: Outlet,
    /// What the operator laid down for asking.
    pub policy: Policy,
    /// The address of the page, without a slash at its end.
    pub url: String,
    /// Set when pagerd ends.
    pub ending: CancellationToken,
}

/// What the operator laid down for asking.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The earliest and the latest deadline.
    pub deadlines: Bounds,
    /// Whether an owner is reminded halfway to a deadline.
    pub remind: bool,
    /// From what age on something is unanswered, in milliseconds; 0 for never without a deadline of its own.
    pub unanswered_after: i64,
    /// How much of one source may be live.
    pub limits: Limits,
    /// For how long the history is kept; None for ever.
    pub history_keep: Option<Duration>,
    /// What agents may do without asking.
    pub gates: Policies,
}

/// Who acts, and what their right rests on: it is looked at again in the transaction that stores the act.
#[derive(Debug, Clone)]
pub struct Actor {
    /// As it will stand in the answer.
    pub by: By,
    /// The token that must not have been revoked; None for a Telegram account on the operator's list.
    pub token: Option<String>,
}

/// What the doors share.
pub struct Service {
    /// What pagerd remembers.
    pub store: SharedStore,
    /// Where answers are kept.
    pub keeper: Arc<dyn Keeper>,
    /// Signs answers.
    pub key: SigningKey,
    /// Whoever waits for the end of a question.
    pub waiters: Waiters,
    /// Which questions an agent waits for.
    pub attendance: Attendance,
    /// Runners of agents that are held until there is something for them.
    pub runners: Runners,
    /// Words for agents alone, held until those have them.
    pub private: PrivateWords,
    /// Which tokens were revoked, for requests that are held.
    pub revocations: Revocations,
    /// What the operator laid down for asking.
    pub policy: Policy,
    /// Rung when a question with a deadline is open.
    pub deadlines: Notify,
    /// Whether Telegram was heard since the start, where it is a door.
    pub heard: watch::Sender<bool>,
    /// Rung when the outbox has something new.
    pub outbox: Notify,
    /// Where events leave for the control repository, and what may be woken.
    pub outlet: Outlet,
    /// How pagerd itself is.
    pub health: Arc<Health>,
    /// What pagerd counts about itself.
    pub metrics: Arc<Metrics>,
    /// Whether questions go to Telegram.
    pub has_telegram: bool,
    /// The address of the page, without a slash at its end.
    pub url: String,
    /// Set when pagerd ends: whoever waits is let go.
    pub ending: CancellationToken,
    /// How saving goes.
    pub saving: Arc<Saving>,
    saves: mpsc::UnboundedSender<Record>,
}

impl Service {
    /// Puts the parts together and starts the saver and the sweeper.
    pub fn start(parts: Parts) -> Arc<Self> {
        let Parts { store, keeper, key, has_telegram, outlet, policy, url, ending } = parts;
        let (saves, to_save) = mpsc::unbounded_channel();
        let service = Arc::new(Self {
            store,
            keeper,
            key,
            waiters: Waiters::default(),
            attendance: Attendance::default(),
            runners: Runners::default(),
            private: PrivateWords::default(),
            revocations: Revocations::default(),
            policy,
            deadlines: Notify::new(),
            heard: watch::Sender::new(false),
            outbox: Notify::new(),
            outlet,
            health: Arc::default(),
            metrics: Arc::new(Metrics::new(clock::now())),
            has_telegram,
            url,
            ending,
            saving: Arc::default(),
            saves,
        });
        tokio::spawn(saver::run(service.clone(), to_save));
        tokio::spawn(sweeper::run(service.clone()));
        tokio::spawn(deadlines::run(service.clone()));
        tokio::spawn(attendance::run(service.clone()));
        tokio::spawn(revocations::run(service.clone()));
        tokio::spawn(wakes::run(service.clone()));
        tokio::spawn(forgetting::run(service.clone(), service.policy.history_keep));
        service
    }

    /// Moves settled answers to the archive from here on. `after`: how old one is then; None for never by age alone.
    pub fn archive(self: &Arc<Self>, after: Option<Duration>) {
        tokio::spawn(archiver::run(self.clone(), after));
    }

    /// Applies an event to the newest version of a record and stores what follows, with `also` in the same transaction.
    ///
    /// `record` is the version at hand; when another was stored in between it is read again and decided again.
    pub(crate) async fn change(
        &self,
        record: Record,
        actor: Option<&Actor>,
        event: &Event,
        also: &[Write],
    ) -> Result<Record, ServiceError> {
        self.change_with(record, actor, event, &|_| also.to_vec()).await
    }

    /// The same, with what depends on the version that is stored.
    pub(crate) async fn change_with(
        &self,
        record: Record,
        actor: Option<&Actor>,
        event: &Event,
        also: Also<'_>,
    ) -> Result<Record, ServiceError> {
        self.change_of(record, None, actor, event, also).await
    }

    /// The same, of this revision alone: one that was stored in between is not read again.
    async fn change_of(
        &self,
        mut record: Record,
        revision: Option<u64>,
        actor: Option<&Actor>,
        event: &Event,
        also: Also<'_>,
    ) -> Result<Record, ServiceError> {
        for _ in 0..MOST_TRIES {
            let at = clock::now();
            let applied = apply(&record, event.clone(), at);
            let (next, effects) = applied.map_err(|refusal| ServiceError::Refused(refusal, Box::new(record.clone())))?;
            let unchanged = next.revision == record.revision;
            let also = also(&next);
            if unchanged && also.is_empty() {
                return Ok(next);
            }
            let mut writes = Vec::with_capacity(2 + effects.len() + also.len());
            writes.extend(actor.and_then(|actor| actor.token.clone()).map(Write::RequireToken));
            if !unchanged {
                writes.push(Write::Change { record: Box::new(next.clone()), from: record.revision, at });
            }
            writes.extend(effects.iter().flat_map(|effect| self.jobs(effect, &next)));
            writes.extend(also);
            let undone = self.undone(&record, &next);
            writes.extend(undone.map(|answer| Write::ConfirmPrivate(answer.incarnation.clone())));
            match self.store.commit(writes).await {
                Ok(()) => {
                    if let Some(answer) = undone {
                        self.private.forget_words_of(answer);
                    }
                    if !record.is_over() {
                        self.metrics.ended(&next);
                    }
                    self.follow(&next, &effects);
                    return Ok(next);
                }
                Err(StoreError::Conflict) if revision.is_some() => return Err(ServiceError::RevisionConflict),
                Err(StoreError::Conflict) => {
                    let incarnation = record.question.incarnation.clone();
                    record = self.store.record_of(&incarnation).await?.ok_or(ServiceError::NotFound)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::Busy)
    }

    /// Where the page shows this question.
    pub(crate) fn link_to(&self, record: &Record) -> String {
        match (&record.question.put_to, &record.question.about) {
            (Some(_), Some(request)) => format!("{}/requests/{request}", self.url),
            _ => format!("{}/#q-{}", self.url, record.question.incarnation),
        }
    }

    /// What follows a stored change inside this process: the saver, the outbox and waiters hear of it.
    fn follow(&self, record: &Record, effects: &[Effect]) {
        if effects.iter().any(|effect| matches!(effect, Effect::Save { .. })) {
            // The receiver ends only with the process; the sweeper finds the claim at the next start.
            let _ = self.saves.send(record.clone());
        }
        if self.has_telegram {
            self.outbox.notify_one();
        }
        if effects.contains(&Effect::Wake) {
            self.outlet.ring();
        }
        if record.question.deadline.is_some() && matches!(record.state, State::Open { .. }) {
            self.deadlines.notify_one();
        }
        self.waiters.tell(record);
    }
}
