//! An agent spends the approval that it got: once. Who lost the reply repeats the call under the same key and is told the same.

use pager_questions::apply::{Event, Refusal, apply};
use pager_questions::{Author, Record};

use super::{Actor, Named, Service, ServiceError};
use crate::store::Write;
use crate::{clock, secrets};

/// What a spending may say besides which approval it means.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spending<'a> {
    /// The digest of what is about to be done: it must be the approved one.
    pub digest: Option<&'a str>,
    /// The caller's own name for this call, the same when it is repeated.
    pub key: Option<&'a str>,
}

impl Service {
    /// Spends an approval of this agent's own.
    ///
    /// # Errors
    /// `NotFound` (also another agent's), `IncarnationMismatch`, `DigestMismatch`, `Refused` when it was not approved or was spent
    /// before, `Revoked`.
    pub async fn consume(
        &self,
        actor: &Actor,
        agent: &Author,
        named: &Named,
        spending: Spending<'_>,
    ) -> Result<Record, ServiceError> {
        let record = self.find_own(agent, named).await?;
        match apply(&record, Event::Consume, clock::now()) {
            // That a digest is wrong is said of an approval that there is.
            Ok(_) | Err(Refusal::Spent) if spending.digest.is_some_and(|digest| !is_of(&record, digest)) => {
                return Err(ServiceError::DigestMismatch);
            }
            Ok(_) | Err(_) => {}
        }
        let kept = spending.key.map(|key| (name(&record), secrets::hash(key)));
        let also: Vec<Write> = kept.clone().map(|(name, value)| Write::Keep { name, value }).into_iter().collect();
        match self.change_of(record, named.revision(), Some(actor), &Event::Consume, &|_| also.clone()).await {
            Err(ServiceError::Refused(Refusal::Spent, spent)) => {
                let Some((name, value)) = kept else { return Err(ServiceError::Refused(Refusal::Spent, spent)) };
                if self.store.kept(&name).await? != Some(value) {
                    return Err(ServiceError::Refused(Refusal::Spent, spent));
                }
                self.store.commit(actor.token.clone().map(Write::RequireToken).into_iter().collect()).await?;
                Ok(*spent)
            }
            outcome => outcome,
        }
    }
}

fn is_of(record: &Record, digest: &str) -> bool {
    record.answer().is_some_and(|answer| answer.digest.as_deref() == Some(digest))
}

/// Under which the key is kept that an approval was spent with.
fn name(record: &Record) -> String {
    format!("spent:{}", record.question.incarnation)
}
