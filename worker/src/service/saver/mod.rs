//! Writes claimed answers into the answers repository, in the order of their claims. What waits while a commit is under
//! way, or while the repository does not answer, goes together into the next one. One call at a time, and no other retries.

mod keeping;
mod pauses;
mod queue;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pager_answers::{AnswerFile, AnswerPath, Keeper, SaveOutcome};
use pager_questions::apply::{Event, Refusal};
use pager_questions::{Answer, Record, SigningKey};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::decisions;
use super::saving::{Saving, Trouble, Unsaved};
use super::{Service, ServiceError};
use crate::health::Health;
use crate::metrics::Metrics;
use crate::store::Stored;
use crate::{clock, crash, secrets};
use keeping::write;
use pauses::{Pauses, Tried};
use queue::{Place, Queue, claim};

/// The most answers of one commit.
const MOST_TOGETHER: usize = 256;
/// A claim that comes so long after it was made was somebody else's before, who may have written it.
const COMES_WITHIN_MILLIS: i64 = 30_000;
/// Whoever answered is shown that saving takes long after so long.
const TOLD_AFTER: Duration = Duration::from_secs(5);
/// What is said before the repository said anything.
const NO_REPLY_YET: &str = "the answers repository has not replied yet";

/// Its part in the health of pagerd.
pub(super) const PART: &str = "answers";

/// Where claims come from and where their outcomes go.
#[async_trait]
pub(super) trait Claims: Send + Sync + 'static {
    /// Every record whose answer is being saved.
    async fn answering(&self) -> Stored<Vec<Record>>;
    /// Stores what became of one.
    async fn settle(&self, record: Record, event: &Event) -> Result<Record, ServiceError>;
}

#[async_trait]
impl Claims for Service {
    async fn answering(&self) -> Stored<Vec<Record>> {
        self.store.answering().await
    }

    async fn settle(&self, record: Record, event: &Event) -> Result<Record, ServiceError> {
        self.change(record, None, event, &[]).await
    }
}

/// The saver, and what it works with.
pub(super) struct Saver<C> {
    claims: Arc<C>,
    keeper: Arc<dyn Keeper>,
    key: SigningKey,
    health: Arc<Health>,
    metrics: Arc<Metrics>,
    saving: Arc<Saving>,
    /// For those whose outcome could not be stored.
    again: mpsc::UnboundedSender<Record>,
    queue: Queue,
    pauses: Pauses,
    trouble: Option<Trouble>,
    /// How many are written together. Less after each batch of which nothing is known: it may fail for its size.
    together: usize,
}

/// A claim with its file, ready to be written.
struct Ready {
    place: Place,
    record: Record,
    number: u64,
    signed: Answer,
}

/// Saves whatever is sent, until the service ends.
pub(super) async fn run(service: Arc<Service>, to_save: mpsc::UnboundedReceiver<Record>) {
    let saver = Saver {
        keeper: service.keeper.clone(),
        key: service.key.clone(),
        health: service.health.clone(),
        metrics: service.metrics.clone(),
        saving: service.saving.clone(),
        again: service.saves.clone(),
        claims: service,
        queue: Queue::default(),
        pauses: Pauses::default(),
        trouble: None,
        together: MOST_TOGETHER,
    };
    saver.run(to_save).await;
}

impl<C: Claims> Saver<C> {
    async fn run(mut self, mut to_save: mpsc::UnboundedReceiver<Record>) {
        self.begin().await;
        while self.wait(&mut to_save).await {
            self.save(&mut to_save).await;
        }
    }

    /// What an earlier process left behind comes first.
    async fn begin(&mut self) {
        loop {
            match self.claims.answering().await {
                Ok(records) => {
                    for record in records {
                        self.queue.add(record, Instant::now(), true);
                    }
                    return;
                }
                Err(error) => {
                    tracing::error!(%error, "the answers that wait to be saved could not be read; it is tried again");
                    tokio::time::sleep(pauses::FIRST).await;
                }
            }
        }
    }

    /// Returns once something is to be saved and no pause is on; false when nothing can come any more.
    async fn wait(&mut self, to_save: &mut mpsc::UnboundedReceiver<Record>) -> bool {
        loop {
            while let Ok(record) = to_save.try_recv() {
                self.take(record);
            }
            self.tell();
            let until = self.pauses.until().filter(|until| *until > Instant::now());
            if self.queue.len() > 0 && until.is_none() {
                return true;
            }
            let untold = self.queue.next_untold(TOLD_AFTER);
            tokio::select! {
                record = to_save.recv() => match record {
                    Some(record) => self.take(record),
                    None => return false,
                },
                () = moment(until) => {}
                () = moment(untold) => self.tell_delayed(),
                () = self.saving.well() => self.pauses.found_well(),
            }
        }
    }

    fn take(&mut self, record: Record) {
        self.add(record);
        self.pauses.came();
    }

    fn add(&mut self, record: Record) {
        let latest = clock::now().plus_millis(-COMES_WITHIN_MILLIS);
        let is_late = claim(&record).is_some_and(|claim| claim.answer.at < latest);
        self.queue.add(record, Instant::now(), is_late);
    }

    /// Writes the first ones, and stores what became of each.
    async fn save(&mut self, to_save: &mut mpsc::UnboundedReceiver<Record>) {
        let mut ready = Vec::new();
        let mut files = Vec::new();
        for (place, record) in self.queue.first(self.together) {
            match self.prepare(place, record) {
                Some((prepared, file)) => {
                    files.push((file, self.queue.may_be_written(place)));
                    ready.push(prepared);
                }
                None => self.queue.remove(place),
            }
        }
        crash::point("save.begun");
        let began = Instant::now();
        let outcomes = self.call(files, to_save).await;
        self.metrics.saved(began.elapsed(), &outcomes);
        crash::point("save.written");
        self.learn(&outcomes);
        for (ready, outcome) in ready.into_iter().zip(outcomes) {
            self.follow(ready, outcome);
        }
        self.tell();
    }

    fn prepare(&self, place: Place, record: Record) -> Option<(Ready, AnswerFile)> {
        let claim = claim(&record)?;
        let (number, signed) = (claim.number, claim.answer.signed(&self.key));
        let path = AnswerPath::new(&signed.id).ok()?;
        let beside = decisions::entry(&record.question, &signed);
        let file = AnswerFile { path, bytes: signed.file(), message: signed.commit_message(), beside };
        Some((Ready { place, record, number, signed }, file))
    }

    /// One call to the keeper. Meanwhile claims are taken in, and those that wait for long are shown.
    async fn call(&mut self, files: Vec<(AnswerFile, bool)>, to_save: &mut mpsc::UnboundedReceiver<Record>) -> Vec<SaveOutcome> {
        let call = write(self.keeper.clone(), files);
        tokio::pin!(call);
        loop {
            let untold = self.queue.next_untold(TOLD_AFTER);
            tokio::select! {
                outcomes = &mut call => return outcomes,
                Some(record) = to_save.recv() => {
                    self.add(record);
                    self.tell();
                }
                () = moment(untold) => self.tell_delayed(),
            }
        }
    }

    /// What the outcomes of a batch say about the repository.
    fn learn(&mut self, outcomes: &[SaveOutcome]) {
        let (mut unknown, mut refused, mut asked, mut kept) = (None, None, None, 0);
        for outcome in outcomes {
            match outcome {
                SaveOutcome::Saved { .. } | SaveOutcome::Taken => kept += 1,
                SaveOutcome::Refused { reason } => refused = Some(reason.clone()),
                SaveOutcome::Unknown { reason, pause } => {
                    unknown = Some(reason.clone());
                    asked = asked.max(*pause);
                }
            }
        }
        self.saving.count_saved(kept);
        match (&unknown, &refused) {
            (Some(reason), _) | (None, Some(reason)) => self.health.trouble(PART, reason.clone()),
            (None, None) => self.health.well(PART),
        }
        let is_answering = kept > 0 || refused.is_some();
        if unknown.is_none() || is_answering {
            self.together = MOST_TOGETHER;
        } else if outcomes.len() > 1 && asked.is_none() {
            self.together = outcomes.len() / 2;
        }
        match unknown {
            Some(reason) => {
                self.pauses.failed(Instant::now(), Tried { asked, is_answering }, chance());
                let earlier = self.trouble.as_ref().map(|trouble| trouble.since).or_else(|| self.queue.in_doubt_since());
                self.trouble = Some(Trouble { since: earlier.unwrap_or_else(clock::now), reason });
            }
            None => {
                self.pauses.succeeded();
                self.trouble = None;
            }
        }
    }

    /// Stores what became of one. What is uncertain stays where it is in the queue.
    fn follow(&mut self, ready: Ready, outcome: SaveOutcome) {
        let (claim, id) = (ready.number, ready.signed.id.clone());
        let event = match outcome {
            SaveOutcome::Saved { commit } => {
                let signature = ready.signed.signature.unwrap_or_default();
                Event::Saved { claim, signature, commit }
            }
            SaveOutcome::Taken => {
                tracing::error!(%id, "the answers repository holds something else under this id; the question is cancelled");
                Event::Taken { claim }
            }
            SaveOutcome::Refused { reason } => {
                tracing::error!(%id, reason, "the answers repository refused an answer; the question is open again");
                Event::Refused { claim, reason }
            }
            SaveOutcome::Unknown { reason, .. } => {
                tracing::warn!(%id, reason, "it is not known whether an answer was saved; it is written again");
                if let Some(record) = self.queue.doubt(ready.place, &reason) {
                    self.note(record, Event::Uncertain { claim, reason });
                }
                return;
            }
        };
        self.queue.remove(ready.place);
        tokio::spawn(settle(self.claims.clone(), self.again.clone(), ready.record, event));
    }

    /// Shows those who answered that saving takes long.
    fn tell_delayed(&mut self) {
        let reason = self.trouble.as_ref().map_or(NO_REPLY_YET, |trouble| &trouble.reason).to_owned();
        for record in self.queue.take_untold(TOLD_AFTER, Instant::now()) {
            let Some(claim) = claim(&record).map(|claim| claim.number) else { continue };
            self.note(record, Event::Delayed { claim, reason: reason.clone() });
        }
    }

    /// Stores something that decides nothing, beside the saving.
    fn note(&self, record: Record, event: Event) {
        let claims = self.claims.clone();
        tokio::spawn(async move {
            let id = record.question.id.clone();
            match claims.settle(record, &event).await {
                Ok(_) | Err(ServiceError::Refused(Refusal::Stale, _)) => {}
                Err(error) => tracing::warn!(%id, %error, "it could not be stored that an answer waits to be saved"),
            }
        });
    }

    fn tell(&self) {
        self.metrics.save_trouble(self.trouble.as_ref().map(|trouble| trouble.since));
        self.saving.tell(Unsaved { waiting: self.queue.len(), trouble: self.trouble.clone() });
    }
}

async fn settle<C: Claims>(claims: Arc<C>, again: mpsc::UnboundedSender<Record>, record: Record, event: Event) {
    let id = record.question.id.clone();
    match claims.settle(record.clone(), &event).await {
        Ok(_) => crash::point("save.stored"),
        Err(ServiceError::Refused(Refusal::Stale, _)) => {}
        Err(error) => {
            tracing::error!(%id, %error, "the outcome of a save could not be stored; it is tried again");
            tokio::time::sleep(pauses::LAST).await;
            let _ = again.send(record);
        }
    }
}

/// Returns at that moment, or never.
async fn moment(when: Option<Instant>) {
    match when {
        Some(when) => tokio::time::sleep_until(when).await,
        None => std::future::pending().await,
    }
}

/// A number between 0 and 1.
fn chance() -> f64 {
    let [byte] = secrets::random();
    f64::from(byte) / 255.0
}
