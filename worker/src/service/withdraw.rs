//! An agent takes its question back. When an answer is being saved, that is waited for: it may have come first.

use std::time::Duration;

use pager_questions::apply::{Event, Refusal};
use pager_questions::{Author, Record};

use super::{Actor, Named, Service, ServiceError};

/// How long a withdrawal waits for an answer that is being saved.
pub const HELD_FOR_SAVE: Duration = Duration::from_secs(5);

impl Service {
    /// Withdraws a question of this agent's own.
    ///
    /// # Errors
    /// `NotFound` (also another agent's), `IncarnationMismatch`, `RevisionConflict`, `Refused` when it was answered or still is being saved.
    pub async fn withdraw(
        &self,
        actor: &Actor,
        agent: &Author,
        named: &Named,
        reason: Option<String>,
    ) -> Result<Record, ServiceError> {
        let record = self.find_own(agent, named).await?;
        let event = Event::Withdraw { by: actor.by.clone(), reason };
        match self.change_of(record, named.revision(), Some(actor), &event, &|_| Vec::new()).await {
            Err(ServiceError::Refused(Refusal::Answering, record)) => {
                let settled = self.settled(*record, HELD_FOR_SAVE).await?;
                // What it expects was open; a save that was refused since made another revision of it.
                if named.revision().is_some() && !settled.is_over() {
                    return Err(ServiceError::RevisionConflict);
                }
                self.change(settled, Some(actor), &event, &[]).await
            }
            outcome => outcome,
        }
    }

    /// The agent's own record that it named by its id, its incarnation and its revision, as far as it said them.
    ///
    /// # Errors
    /// As [`Self::find_own`].
    pub async fn own(&self, agent: &Author, named: Named, revision: Option<u64>) -> Result<Named, ServiceError> {
        let Some(revision) = revision else { return Ok(named) };
        Ok(Named::Revision(self.find_own(agent, &named).await?.question.incarnation, revision))
    }

    /// The agent's own record that is meant; another's is as unknown as none.
    ///
    /// # Errors
    /// `NotFound`, `IncarnationMismatch`.
    pub async fn find_own(&self, agent: &Author, named: &Named) -> Result<Record, ServiceError> {
        // An incarnation says nothing to somebody whose question it is not: ownership is looked at first.
        let unnamed = match named {
            Named::Id(id, _) => Named::Id(id.clone(), None),
            Named::Incarnation(incarnation) | Named::Revision(incarnation, _) => Named::Incarnation(incarnation.clone()),
        };
        let record = self.find(&unnamed).await?;
        if record.question.source.agent != *agent {
            return Err(ServiceError::NotFound);
        }
        match named {
            Named::Id(_, Some(incarnation)) if *incarnation != record.question.incarnation => {
                Err(ServiceError::IncarnationMismatch)
            }
            Named::Revision(_, revision) if *revision != record.revision => Err(ServiceError::RevisionConflict),
            Named::Id(..) | Named::Incarnation(_) | Named::Revision(..) => Ok(record),
        }
    }
}
