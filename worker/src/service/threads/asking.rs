//! Work that somebody asks agents for, in fields of its own. What owners write in a chat or on the page is `service/request.rs`'s.

use pager_questions::request::fingerprint;
use pager_questions::{Incarnation, Party, Request, RequestDraft, RequestId};

use super::told_of_request;
use crate::service::{Actor, MOST_TRIES, Service, ServiceError};
use crate::store::{StoreError, Write};
use crate::{clock, secrets};

/// What came of asking for work.
#[derive(Debug)]
pub struct RequestMade {
    /// The request, new or the original.
    pub request: Request,
    /// Whether it is new.
    pub is_new: bool,
    /// What was read with a grain of salt.
    pub warnings: Vec<String>,
}

impl Service {
    /// Asks agents for what this draft says. `also` is stored in the same transaction when it is new.
    ///
    /// # Errors
    /// `Fault` for a deadline beyond the latest, `IdUsed`, `DraftChanged`, `Capacity`, `Revoked`, `Unusable`.
    pub async fn make_request(
        &self,
        actor: &Actor,
        draft: &RequestDraft,
        also: &(dyn Fn(&Request) -> Vec<Write> + Sync),
    ) -> Result<RequestMade, ServiceError> {
        let party = Party::of(&actor.by).unwrap_or(Party::Owner);
        let origin = |id: &RequestId| match &draft.publication_id {
            Some(publication) => format!("request:{party}:{publication}"),
            None => format!("request:{party}:id:{id}"),
        };
        for _ in 0..MOST_TRIES {
            if let Some(request) = self.requested_before(&party, draft, &origin).await? {
                return Ok(RequestMade { request, is_new: false, warnings: draft.warnings.clone() });
            }
            let now = clock::now();
            let held = draft.within(&self.policy.deadlines, now)?;
            let id = held.id.clone().unwrap_or_else(|| RequestId::of(&Incarnation::from_random(secrets::random())));
            let request = held.ask(id, actor.by.clone(), now);
            let mut writes: Vec<Write> = actor.token.clone().map(Write::RequireToken).into_iter().collect();
            let (origin, most) = (origin(&request.id), self.policy.limits.records);
            writes.push(Write::MakeRequest { request: Box::new(request.clone()), origin, most });
            writes.push(told_of_request(&request));
            writes.extend(also(&request));
            match self.store.commit(writes).await {
                Ok(()) => return Ok(RequestMade { request, is_new: true, warnings: held.warnings }),
                // Made by somebody at the same moment: look by whom.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::Busy)
    }

    async fn requested_before(
        &self,
        party: &Party,
        draft: &RequestDraft,
        origin: &(dyn Fn(&RequestId) -> String + Sync),
    ) -> Result<Option<Request>, ServiceError> {
        if draft.publication_id.is_some() {
            let unnamed = RequestId::of(&Incarnation::from_random([0; 8]));
            if let Some(request) = self.store.request_from(&origin(&unnamed)).await? {
                let is_same =
                    draft.id.as_ref().is_none_or(|id| *id == request.id) && fingerprint(&request) == draft.fingerprint();
                return if is_same { Ok(Some(request)) } else { Err(ServiceError::DraftChanged) };
            }
        }
        let Some(id) = &draft.id else { return Ok(None) };
        match self.store.request(id).await? {
            Some(request) if request.party() == *party && fingerprint(&request) == draft.fingerprint() => Ok(Some(request)),
            Some(_) => Err(ServiceError::IdUsed),
            None if self.is_used_by_question(id).await? => Err(ServiceError::IdUsed),
            None => Ok(None),
        }
    }

    async fn is_used_by_question(&self, id: &RequestId) -> Result<bool, ServiceError> {
        let id = id.thread().question();
        Ok(self.store.is_used(&id).await? || self.is_in_repository(&id).await?)
    }
}
