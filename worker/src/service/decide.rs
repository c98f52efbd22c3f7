//! An entitled person answers, declines or cancels. One way for every door.

use std::time::Duration;

use pager_questions::apply::{Event, Resolution};
use pager_questions::fields::Fault;
use pager_questions::looks_secret::looks_secret;
use pager_questions::{Incarnation, Question, QuestionId, Record, State};

use super::{Actor, Service, ServiceError};
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
}

impl Service {
    /// Claims the question for what this person decided; saving goes on by itself. `also` is stored in the same transaction.
    ///
    /// # Errors
    /// `NotFound`, `IncarnationMismatch`, `Fault` of the resolution, `LooksSecret`, `Refused` with the
    /// record that says what happened, `Revoked`.
    pub async fn decide(
        &self,
        actor: &Actor,
        named: &Named,
        resolve: impl Fn(&Question) -> Result<Resolution, Fault>,
        origin: Option<String>,
        also: &[Write],
    ) -> Result<Record, ServiceError> {
        let record = self.find(named).await?;
        if let (Resolution::OwnWords(words), State::Open { .. }) = (resolve(&record.question)?, &record.state)
            && !record.question.secret
            && let Some(looks) = looks_secret(&words)
        {
            return Err(ServiceError::LooksSecret(looks));
        }
        self.decide_on(record, actor, resolve, origin, also).await
    }

    /// The same for words that may look like a secret: whoever wrote them was told, and means them.
    ///
    /// # Errors
    /// As [`Self::decide`], but for `LooksSecret`.
    pub async fn decide_knowingly(
        &self,
        actor: &Actor,
        named: &Named,
        resolve: impl Fn(&Question) -> Result<Resolution, Fault>,
        origin: Option<String>,
        also: &[Write],
    ) -> Result<Record, ServiceError> {
        let record = self.find(named).await?;
        self.decide_on(record, actor, resolve, origin, also).await
    }

    async fn decide_on(
        &self,
        record: Record,
        actor: &Actor,
        resolve: impl Fn(&Question) -> Result<Resolution, Fault>,
        origin: Option<String>,
        also: &[Write],
    ) -> Result<Record, ServiceError> {
        let resolution = resolve(&record.question)?;
        crash::point("claim.decided");
        let event = Event::Claim { resolution, by: actor.by.clone(), origin };
        let claimed = self.change(record, Some(actor), &event, also).await?;
        crash::point("claim.stored");
        Ok(claimed)
    }

    /// The record that is meant.
    ///
    /// # Errors
    /// `NotFound`, or `IncarnationMismatch` when the id lives as another record.
    pub async fn find(&self, named: &Named) -> Result<Record, ServiceError> {
        match named {
            Named::Incarnation(incarnation) => self.store.record_of(incarnation).await?.ok_or(ServiceError::NotFound),
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
