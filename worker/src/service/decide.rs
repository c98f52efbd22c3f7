//! An entitled person answers, declines or cancels. One way for every door.

use std::time::Duration;

use pager_questions::apply::{Event, Resolution};
use pager_questions::fields::Fault;
use pager_questions::looks_secret::looks_secret;
use pager_questions::{Incarnation, Question, QuestionId, Record, State};

use super::threads::check_right;
use super::{Actor, Service, ServiceError, Spoken};
use crate::crash;
use crate::store::Write;

/// How long an owner's write is held for the save.
pub const HELD_FOR_SAVE: Duration = Duration::from_secs(10);

/// Which record a write means.
#[derive(Debug, Clone)]
pub enum Named {
    /// By its id, and by its incarnation where the caller gave one.
    Id(QuestionId, Option<Incarnation>),
    /// By its incarnation alone, as buttons do.
    Incarnation(Incarnation),
    /// The same, in the very revision that the caller read.
    Revision(Incarnation, u64),
}

/// Whether words that look like a secret are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// They are held back.
    Checked,
    /// Whoever wrote them was told, and means them.
    Meant,
}

impl Words {
    /// What a door calls them, that lets people say so.
    pub fn meant(is_meant: bool) -> Self {
        if is_meant { Self::Meant } else { Self::Checked }
    }

    /// Of what would be kept: as an answer, or in a thread as a late pick.
    pub(super) fn check(self, record: &Record, resolution: &Resolution) -> Result<(), ServiceError> {
        let is_kept = matches!(record.state, State::Open { .. }) || record.is_defaulted_offer();
        match (self, resolution) {
            (Self::Checked, Resolution::OwnWords(words)) if is_kept && !record.question.secret => {
                looks_secret(words).map_or(Ok(()), |looks| Err(ServiceError::LooksSecret(looks)))
            }
            (Self::Checked | Self::Meant, _) => Ok(()),
        }
    }
}

impl Named {
    /// The revision that it must have.
    pub(super) fn revision(&self) -> Option<u64> {
        match self {
            Self::Id(..) | Self::Incarnation(_) => None,
            Self::Revision(_, revision) => Some(*revision),
        }
    }
}

impl Service {
    /// Claims the question for what this person decided; saving goes on by itself. `also` is stored in the same transaction. What was
    /// said once the deadline had passed lets the deadline act, and is refused as after any other end.
    ///
    /// # Errors
    /// `NotFound`, `IncarnationMismatch`, `RevisionConflict`, `Fault` of the resolution, `LooksSecret`, `Refused` with the record that says what happened, `Revoked`.
    pub async fn decide(
        &self,
        actor: &Actor,
        named: &Named,
        words: Words,
        resolve: impl Fn(&Question) -> Result<Resolution, Fault>,
        spoken: Spoken,
        also: &[Write],
    ) -> Result<Record, ServiceError> {
        let record = self.find(named).await?;
        let resolution = resolve(&record.question)?;
        check_right(actor, &record.question, &resolution)?;
        words.check(&record, &resolution)?;
        crash::point("claim.decided");
        let private = private_words(&record.question, &resolution);
        if let (Some(words), Some(answer)) = (&private, self.lost_words(&record).await?) {
            self.write_again(actor, &record, answer, words).await?;
            self.store.commit(also.to_vec()).await?;
            self.outbox.notify_one();
            return Ok(record);
        }
        let decided = resolution.clone();
        let event = Event::Claim { resolution, by: actor.by.clone(), origin: spoken.origin, said_at: spoken.at };
        let incarnation = record.question.incarnation.clone();
        let attempt = self.private.attempt();
        let with = |next: &Record| {
            let private = private.as_deref().map(|words| self.holding(attempt, next, words)).unwrap_or_default();
            [also, &private].concat()
        };
        let claimed = self.change_of(record, named.revision(), Some(actor), &event, &with).await;
        let made = claimed.as_ref().ok().and_then(|claimed| match &claimed.state {
            State::Answering(claim) => Some(&claim.answer),
            State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => None,
        });
        self.private.let_go(&incarnation, attempt, made);
        let claimed = match claimed {
            Ok(claimed) => claimed,
            Err(error) => return Err(self.refused(error, actor, words, &decided, spoken.late).await),
        };
        crash::point("claim.stored");
        Ok(claimed)
    }

    /// The record that a caller named by its id, its incarnation and its revision, as far as they said them.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub async fn exactly(&self, named: Named, revision: Option<u64>) -> Result<Named, ServiceError> {
        let Some(revision) = revision else { return Ok(named) };
        Ok(Named::Revision(self.find(&named).await?.question.incarnation, revision))
    }

    /// The record that is meant.
    ///
    /// # Errors
    /// `NotFound`, `IncarnationMismatch` when the id lives as another record, `RevisionConflict` when it has changed.
    pub async fn find(&self, named: &Named) -> Result<Record, ServiceError> {
        match named {
            Named::Incarnation(incarnation) => self.store.record_of(incarnation).await?.ok_or(ServiceError::NotFound),
            Named::Revision(incarnation, revision) => {
                let record = self.store.record_of(incarnation).await?.ok_or(ServiceError::NotFound)?;
                if record.revision == *revision { Ok(record) } else { Err(ServiceError::RevisionConflict) }
            }
            Named::Id(id, incarnation) => {
                let record = self.store.record(id).await?.ok_or(ServiceError::NotFound)?;
                match incarnation {
                    Some(incarnation) if *incarnation != record.question.incarnation => Err(ServiceError::IncarnationMismatch),
                    _ => Ok(record),
                }
            }
        }
    }
}

/// What is for the agent alone in what was decided.
fn private_words(question: &Question, resolution: &Resolution) -> Option<String> {
    match resolution {
        Resolution::OwnWords(words) if question.secret => Some(words.clone()),
        Resolution::OwnWords(_) | Resolution::Chosen(_) | Resolution::Declined | Resolution::Cancelled(_) => None,
    }
}
