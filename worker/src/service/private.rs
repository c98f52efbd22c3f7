//! Words for an agent alone. They are held in memory, handed over beside the answer, and forgotten once the agent confirmed.
//! Nothing here writes them anywhere: what the store knows is that they are waited for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pager_questions::{Answer, Author, By, Incarnation, Record, State, Time};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Actor, Named, Service, ServiceError};
use crate::clock;
use crate::store::{Happening, HappeningKind, Write};

/// One attempt to answer with private words: what it held is told from what others held at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attempt(u64);

/// The words of one claim.
struct Held {
    attempt: Attempt,
    at: Time,
    by: By,
    words: SecretString,
}

/// What is held, and whether something came.
pub struct PrivateWords {
    held: Mutex<HashMap<Incarnation, Vec<Held>>>,
    /// Updates of Telegram's as they came, by their ids: their words were taken out before they were stored.
    updates: Mutex<HashMap<i64, SecretString>>,
    attempts: AtomicU64,
    came: watch::Sender<u64>,
}

impl Default for PrivateWords {
    fn default() -> Self {
        Self { held: Mutex::default(), updates: Mutex::default(), attempts: AtomicU64::new(0), came: watch::Sender::new(0) }
    }
}

impl PrivateWords {
    fn with<T>(&self, act: impl FnOnce(&mut HashMap<Incarnation, Vec<Held>>) -> T) -> T {
        act(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A new attempt.
    pub(super) fn attempt(&self) -> Attempt {
        Attempt(self.attempts.fetch_add(1, Ordering::Relaxed))
    }

    /// Holds the words of this claim.
    pub(super) fn hold(&self, attempt: Attempt, answer: &Answer, words: &str) {
        let held = Held { attempt, at: answer.at, by: answer.by.clone(), words: words.to_owned().into() };
        self.with(|all| all.entry(answer.incarnation.clone()).or_default().push(held));
        self.came.send_modify(|count| *count += 1);
    }

    /// Forgets everything about this question.
    pub(super) fn forget(&self, incarnation: &Incarnation) {
        self.with(|all| all.remove(incarnation));
    }

    /// Forgets what does not count of what this attempt held: all of it, but for the words of the answer that it made.
    pub(super) fn let_go(&self, incarnation: &Incarnation, attempt: Attempt, made: Option<&Answer>) {
        self.retain(incarnation, |held| held.attempt != attempt || made.is_some_and(|made| held.is_of(made)));
    }

    /// Forgets the words of an answer that counts no more.
    pub(super) fn forget_words_of(&self, answer: &Answer) {
        self.retain(&answer.incarnation, |held| !held.is_of(answer));
    }

    fn retain(&self, incarnation: &Incarnation, keep: impl Fn(&Held) -> bool) {
        self.with(|all| {
            let Some(held) = all.get_mut(incarnation) else { return };
            held.retain(keep);
            if held.is_empty() {
                all.remove(incarnation);
            }
        });
    }

    /// Holds an update as it came, until it is handled.
    pub fn hold_update(&self, update: i64, body: String) {
        self.updates.lock().unwrap_or_else(PoisonError::into_inner).insert(update, body.into());
    }

    /// The update as it came, as long as it is held.
    pub fn update(&self, update: i64) -> Option<String> {
        let updates = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        updates.get(&update).map(|body| body.expose_secret().to_owned())
    }

    /// It was handled, or never will be.
    pub fn forget_update(&self, update: i64) {
        self.updates.lock().unwrap_or_else(PoisonError::into_inner).remove(&update);
    }

    /// The words of this answer, as long as they are held.
    pub fn of(&self, answer: &Answer) -> Option<String> {
        self.with(|all| {
            let mut held = all.get(&answer.incarnation)?.iter();
            held.find(|held| held.is_of(answer)).map(|held| held.words.expose_secret().to_owned())
        })
    }
}

impl Held {
    fn is_of(&self, answer: &Answer) -> bool {
        self.at == answer.at && self.by == answer.by
    }
}

/// Under this name the store keeps that the owner was asked to write the lost words of this question again.
pub fn asked_again(incarnation: &Incarnation) -> String {
    format!("private-lost:{incarnation}")
}

/// The private answer of this record, from its claim on.
fn private_answer(record: &Record) -> Option<&Answer> {
    let answer = match &record.state {
        State::Answering(claim) => Some(&claim.answer),
        State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => record.answer(),
    };
    answer.filter(|answer| answer.private == Some(true))
}

impl Service {
    /// The version of a claim with private words: they are held before the claim is stored, since whoever waits may be quick.
    pub(super) fn holding(&self, attempt: Attempt, next: &Record, words: &str) -> Vec<Write> {
        let State::Answering(claim) = &next.state else { return Vec::new() };
        self.private.hold(attempt, &claim.answer, words);
        let incarnation = &next.question.incarnation;
        vec![Write::AwaitPrivate(incarnation.clone()), Write::Keep { name: asked_again(incarnation), value: String::new() }]
    }

    /// The private answer that a change of a record undoes: its words are waited for no more.
    pub(super) fn undone<'a>(&self, before: &'a Record, next: &Record) -> Option<&'a Answer> {
        private_answer(before).filter(|_| private_answer(next).is_none())
    }

    /// Did its private words get lost, with a restart, before its agent had them? The answer that they belong to.
    ///
    /// # Errors
    /// `Unusable`.
    pub async fn lost_words<'a>(&self, record: &'a Record) -> Result<Option<&'a Answer>, ServiceError> {
        let Some(answer) = private_answer(record) else { return Ok(None) };
        let is_lost = self.private.of(answer).is_none() && self.store.is_private_awaited(&record.question.incarnation).await?;
        Ok(is_lost.then_some(answer))
    }

    /// An owner writes lost words again. They belong to the answer that stands already.
    ///
    /// # Errors
    /// `Revoked`, `Unusable`.
    pub(super) async fn write_again(
        &self,
        actor: &Actor,
        record: &Record,
        answer: &Answer,
        words: &str,
    ) -> Result<(), ServiceError> {
        let (agent, about) = (record.question.source.agent.clone(), record.question.incarnation.to_string());
        let mut writes: Vec<Write> = actor.token.clone().map(Write::RequireToken).into_iter().collect();
        // Pages that ask for the words hear that they came.
        writes.push(Write::Tell(Happening { kind: HappeningKind::Changed, agent: Some(agent), about, at: clock::now() }));
        // Should they be lost once more, that is to be told anew.
        writes.push(Write::Keep { name: asked_again(&record.question.incarnation), value: String::new() });
        self.store.commit(writes).await?;
        self.private.hold(self.private.attempt(), answer, words);
        Ok(())
    }

    /// Every question whose private words were lost.
    ///
    /// # Errors
    /// `Unusable`.
    pub async fn all_lost(&self) -> Result<Vec<Record>, ServiceError> {
        let mut lost = Vec::new();
        for incarnation in self.store.private_answers().await? {
            let Some(record) = self.store.record_of(&incarnation).await? else { continue };
            if self.lost_words(&record).await?.is_some() {
                lost.push(record);
            }
        }
        Ok(lost)
    }

    /// The private words beside this answer: None when there are none (any more), the inner None when they were lost and did not
    /// come again within the patience.
    ///
    /// # Errors
    /// `Unusable`.
    pub async fn private_words(&self, answer: &Answer, patience: Duration) -> Result<Option<Option<String>>, ServiceError> {
        if answer.private != Some(true) || !self.store.is_private_awaited(&answer.incarnation).await? {
            return Ok(None);
        }
        let until = Instant::now() + patience;
        let mut came = self.private.came.subscribe();
        loop {
            came.mark_unchanged();
            if let Some(words) = self.private.of(answer) {
                return Ok(Some(Some(words)));
            }
            tokio::select! {
                changed = tokio::time::timeout_at(until, came.changed()) => if changed.is_err() { return Ok(Some(None)) },
                () = self.ending.cancelled() => return Ok(Some(None)),
            }
        }
    }

    /// The agent has the words: they are forgotten. A second time it is done already.
    ///
    /// # Errors
    /// `NotFound`, `IncarnationMismatch`, `Revoked`, `Unusable`.
    pub async fn confirm_private(&self, actor: &Actor, agent: &Author, named: &Named) -> Result<(), ServiceError> {
        let incarnation = self.find_own(agent, named).await?.question.incarnation;
        let mut writes: Vec<Write> = actor.token.clone().map(Write::RequireToken).into_iter().collect();
        writes.push(Write::ConfirmPrivate(incarnation.clone()));
        self.store.commit(writes).await?;
        self.private.forget(&incarnation);
        Ok(())
    }
}
