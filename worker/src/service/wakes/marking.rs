//! Marks a wake for one runner, acknowledges it once its run is over, and lets it go when the run did not start. Every step is a
//! compare-and-set on the mark, so that two runners never both have one.

use pager_questions::wake::{About, Reason};
use pager_questions::{Author, Incarnation, Party, Time, WakeId};
use serde::Serialize;
use utoipa::ToSchema;

use super::{MOST_TIMES, asker, name_of};
use crate::service::{Service, ServiceError};
use crate::store::{StoreError, StoredWake, WakeState, Write};
use crate::{clock, secrets};

/// Why a wake was not marked or let go.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// Another runner has it, or it is done with.
    #[error("the wake is taken")]
    Taken,
    /// Whatever else.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl From<StoreError> for MarkError {
    fn from(error: StoreError) -> Self {
        Self::Service(error.into())
    }
}

/// A mark that holds.
#[derive(Debug, Serialize, ToSchema)]
pub struct Marked {
    /// The wake.
    #[schema(value_type = String)]
    pub id: WakeId,
    /// The token by which it is renewed, acknowledged or let go.
    pub mark: String,
    /// Until when nobody else gets it.
    pub lease_until: Time,
    /// It was marked before and never acknowledged.
    pub repeated: bool,
}

/// Whoever calls for a wake, and the token that must not have been revoked.
#[derive(Debug, Clone, Copy)]
pub struct Caller<'a> {
    /// The agent.
    pub agent: &'a Author,
    /// Its token.
    pub token: &'a str,
}

impl Service {
    /// Marks it for so many seconds, or renews the mark that is named.
    ///
    /// # Errors
    /// `Taken`, `NotFound`, `Revoked`, `Unusable`.
    pub async fn mark_wake(
        &self,
        runner: &Caller<'_>,
        id: &WakeId,
        lease: u32,
        renewed: Option<&str>,
    ) -> Result<Marked, MarkError> {
        let now = clock::now();
        let stored = self.store.wake(runner.agent, id).await?.ok_or(ServiceError::NotFound)?;
        let is_renewal = renewed.is_some() && renewed == stored.mark.as_deref();
        let may = match renewed {
            Some(_) => is_renewal,
            None => !stored.is_held(now) && stored.times < MOST_TIMES,
        };
        if stored.state != WakeState::Waiting || !may {
            return Err(MarkError::Taken);
        }
        let mark = if is_renewal { stored.mark.clone() } else { None };
        let mark = mark.unwrap_or_else(|| Incarnation::from_random(secrets::random()).to_string());
        let times = if is_renewal { stored.times } else { stored.times + 1 };
        let lease_until = now.plus_millis(i64::from(lease) * 1000);
        let from = stored.mark.clone();
        let next = StoredWake { mark: Some(mark.clone()), lease_until: Some(lease_until), times, ..stored };
        self.change_wake(runner, next, from).await?;
        Ok(Marked { id: id.clone(), mark, lease_until, repeated: times > 1 })
    }

    /// Its run did not start: as if it had not been marked. One that is not marked is left as it is.
    ///
    /// # Errors
    /// As [`Self::mark_wake`].
    pub async fn release_wake(&self, runner: &Caller<'_>, id: &WakeId, mark: &str) -> Result<(), MarkError> {
        let stored = self.store.wake(runner.agent, id).await?.ok_or(ServiceError::NotFound)?;
        match stored.mark.as_deref() {
            None if stored.state == WakeState::Waiting => return Ok(()),
            Some(held) if held == mark && stored.state == WakeState::Waiting => {}
            _ => return Err(MarkError::Taken),
        }
        let (from, times) = (stored.mark.clone(), stored.times.saturating_sub(1));
        self.change_wake(runner, StoredWake { mark: None, lease_until: None, times, ..stored }, from).await
    }

    /// It is done with, whether it was listed or not; any number of times. Without a mark, one that a runner has is left alone: what a
    /// run reads about its own wake must not take the wake from it, should it die.
    ///
    /// # Errors
    /// `NotFound` for what is not this agent's, or did not happen; `Revoked`, `Unusable`.
    pub async fn acknowledge_wake(&self, runner: &Caller<'_>, id: &WakeId, mark: Option<&str>) -> Result<(), ServiceError> {
        let wake = match self.store.wake(runner.agent, id).await? {
            Some(stored) if stored.state == WakeState::Done => return Ok(()),
            Some(stored) if mark.is_none() && stored.is_held(clock::now()) => return Ok(()),
            Some(stored) => stored,
            None => self.unlisted(runner, id).await?,
        };
        let token = Write::RequireToken(runner.token.to_owned());
        Ok(self.store.commit(vec![token, Write::AcknowledgeWake(Box::new(wake))]).await?)
    }

    async fn change_wake(&self, runner: &Caller<'_>, wake: StoredWake, from: Option<String>) -> Result<(), MarkError> {
        let writes = vec![Write::RequireToken(runner.token.to_owned()), Write::ChangeWake { wake: Box::new(wake), from }];
        match self.store.commit(writes).await {
            // Whoever is held hears of a lease to wait for, or of a wake that is free again.
            Ok(()) => {
                self.runners.ring(runner.agent);
                Ok(())
            }
            Err(StoreError::Conflict) => Err(MarkError::Taken),
            Err(error) => Err(error.into()),
        }
    }

    /// A wake that nobody listed, of something that happened to this agent.
    async fn unlisted(&self, runner: &Caller<'_>, id: &WakeId) -> Result<StoredWake, ServiceError> {
        let (name, party) = (runner.agent, Party::Agent(runner.agent.clone()));
        let found = match id.about() {
            About::Record(incarnation) => {
                let record = self.store.record_of(incarnation).await?.ok_or(ServiceError::NotFound)?;
                let question = &record.question;
                let is_so = match id.reason() {
                    Reason::Awaiting => question.put_to.as_ref() == Some(name),
                    Reason::LatePick => {
                        let origin = crate::service::late_pick_origin(incarnation);
                        question.source.agent == *name && self.store.reply_from(&origin).await?.is_some()
                    }
                    _ => question.source.agent == *name && WakeId::of_end(&record).as_ref() == Some(id),
                };
                let author =
                    if id.reason() == Reason::Awaiting { Some(question.source.agent.to_string()) } else { asker(&record) };
                is_so.then(|| (author, record.ended_at().unwrap_or(question.asked_at)))
            }
            About::Reply(reply) => {
                let reply = self.store.reply(reply).await?.ok_or(ServiceError::NotFound)?;
                let request = self.store.request(&reply.request).await?;
                let writer = Party::of(&reply.author);
                let is_so = request.is_some_and(|request| request.party() == party) && writer.as_ref() != Some(&party);
                is_so.then(|| (name_of(writer.as_ref()), reply.at))
            }
            About::Request(request) => {
                let request = self.store.request(request).await?.ok_or(ServiceError::NotFound)?;
                (request.party() != party).then(|| (name_of(Some(&request.party())), request.at))
            }
        };
        let (author, at) = found.ok_or(ServiceError::NotFound)?;
        Ok(StoredWake::listed(name, id.clone(), author, at))
    }
}
