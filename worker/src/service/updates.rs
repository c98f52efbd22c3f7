//! News of agents: published, read, dismissed. One way for every door; nothing else ever follows from an update.

use pager_questions::update::Mark;
use pager_questions::{Author, Incarnation, Update, UpdateDraft, UpdateId, UpdateState};

use super::{Actor, MOST_TRIES, Service, ServiceError, effects};
use crate::store::{Happening, HappeningKind, JobKind, StoreError, Write};
use crate::{clock, secrets};

/// What came of publishing.
#[derive(Debug)]
pub struct Published {
    /// The update, new or the original.
    pub update: Update,
    /// Whether it is new.
    pub is_new: bool,
}

/// What is stored in one transaction with a new update.
pub type WithUpdate<'a> = &'a (dyn Fn(&Update) -> Vec<Write> + Sync);

impl Service {
    /// Publishes what this draft says. `token` must not have been revoked; None for what proved itself otherwise.
    ///
    /// # Errors
    /// `DraftChanged`, `FullOfNews`, `Revoked`, `Unusable`.
    pub async fn publish(
        &self,
        agent: &Author,
        token: Option<&str>,
        draft: &UpdateDraft,
        also: WithUpdate<'_>,
    ) -> Result<Published, ServiceError> {
        for _ in 0..MOST_TRIES {
            if let Some(publication) = draft.publication_id()
                && let Some(update) = self.store.published_update(agent, publication).await?
            {
                let is_same = update.fingerprint() == draft.fingerprint();
                return if is_same { Ok(Published { update, is_new: false }) } else { Err(ServiceError::DraftChanged) };
            }
            let update = draft.publish(&Incarnation::from_random(secrets::random()), clock::now());
            let mut writes: Vec<Write> = token.map(|token| Write::RequireToken(token.to_owned())).into_iter().collect();
            writes.push(Write::PublishUpdate { update: Box::new(update.clone()), limits: self.policy.limits });
            writes.extend(self.update_changed(&update));
            writes.extend(also(&update));
            match self.store.commit(writes).await {
                Ok(()) => {
                    self.tell_of_updates();
                    return Ok(Published { update, is_new: true });
                }
                // The same publication came a second time, at the same moment.
                Err(StoreError::Conflict) => {}
                Err(StoreError::Full(full)) => return Err(ServiceError::FullOfNews(full)),
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::Busy)
    }

    /// An owner read or dismissed an update. Both may be repeated. `also` is stored in the same transaction.
    ///
    /// # Errors
    /// `NotFound`, `Revoked`, `Unusable`.
    pub async fn mark(&self, actor: &Actor, id: &UpdateId, mark: Mark, also: &[Write]) -> Result<Update, ServiceError> {
        for _ in 0..MOST_TRIES {
            let update = self.store.update(id).await?.ok_or(ServiceError::NotFound)?;
            let next = update.marked(mark, clock::now());
            let is_changed = next != update;
            let mut writes: Vec<Write> = actor.token.clone().map(Write::RequireToken).into_iter().collect();
            if is_changed {
                writes.push(Write::MarkUpdate { update: Box::new(next.clone()), from: update.state.name() });
                writes.extend(self.update_changed(&next));
            }
            writes.extend_from_slice(also);
            match self.store.commit(writes).await {
                Ok(()) => {
                    if is_changed || !also.is_empty() {
                        self.tell_of_updates();
                    }
                    return Ok(next);
                }
                // It was read or dismissed elsewhere at the same moment.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::Busy)
    }

    /// Where the page shows this update.
    pub(crate) fn link_to_update(&self, update: &Update) -> String {
        format!("{}/updates#{}", self.url, update.id)
    }

    /// Whatever is stored together with a change of an update: published when it is unread, else read or dismissed.
    fn update_changed(&self, update: &Update) -> Vec<Write> {
        let (what, kind) = match update.state {
            UpdateState::Unread => ("send", JobKind::SendUpdate),
            UpdateState::Read { .. } => ("read", JobKind::EditUpdate),
            UpdateState::Dismissed { .. } => ("dismissed", JobKind::EditUpdate),
        };
        let mut writes = vec![Write::Tell(Happening {
            kind: HappeningKind::of_update(update.state),
            agent: Some(update.source.agent.clone()),
            about: update.id.to_string(),
            at: clock::now(),
        })];
        if self.has_telegram {
            let key = update.id.key();
            writes.push(Write::AddJob(effects::job_about(format!("{key}-{what}"), key, kind)));
        }
        writes
    }

    /// What follows a stored change inside this process: the outbox and pages hear of it.
    fn tell_of_updates(&self) {
        if self.has_telegram {
            self.outbox.notify_one();
        }
    }
}
