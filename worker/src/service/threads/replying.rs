//! Replies in the thread of a request: an answer of somebody else, or a further message of whoever asked.

use pager_questions::reply::fingerprint;
use pager_questions::{Incarnation, Party, Reply, ReplyDraft, ReplyKind, RequestId};

use super::told_of_reply;
use crate::service::{Actor, MOST_TRIES, Service, ServiceError};
use crate::store::{StoreError, Write};
use crate::{clock, secrets};

/// What came of replying.
#[derive(Debug)]
pub struct Replied {
    /// The reply, new or the original.
    pub reply: Reply,
    /// Whether it is new.
    pub is_new: bool,
}

impl Service {
    /// Writes this into the thread of that request. `also` is stored in the same transaction when it is new.
    ///
    /// # Errors
    /// `NotFound` for the request, `DraftChanged`, `Capacity`, `Revoked`, `Unusable`.
    pub async fn reply(
        &self,
        actor: &Actor,
        request: &RequestId,
        draft: &ReplyDraft,
        also: &(dyn Fn(&Reply) -> Vec<Write> + Sync),
    ) -> Result<Replied, ServiceError> {
        let request = self.request_of(request).await?;
        let party = Party::of(&actor.by).unwrap_or(Party::Owner);
        for _ in 0..MOST_TRIES {
            let key = Incarnation::from_random(secrets::random());
            let origin = match &draft.publication_id {
                Some(publication) => format!("reply:{party}:{publication}"),
                None => format!("reply:{party}:key:{key}"),
            };
            if draft.publication_id.is_some()
                && let Some(reply) = self.store.reply_from(&origin).await?
            {
                let is_same = reply.request == request.id && fingerprint(&reply) == draft.fingerprint();
                return if is_same { Ok(Replied { reply, is_new: false }) } else { Err(ServiceError::DraftChanged) };
            }
            let kind = ReplyKind::of(&party, &request);
            let reply = draft.reply(&key, &request, actor.by.clone(), kind, clock::now());
            let mut writes: Vec<Write> = actor.token.clone().map(Write::RequireToken).into_iter().collect();
            let most = self.policy.limits.records;
            writes.push(Write::AddReply { reply: Box::new(reply.clone()), origin, most });
            writes.push(told_of_reply(&request, &reply));
            writes.extend(self.shows_reply(&request, &reply));
            writes.extend(also(&reply));
            match self.store.commit(writes).await {
                Ok(()) => {
                    self.outbox.notify_one();
                    return Ok(Replied { reply, is_new: true });
                }
                // The same publication came a second time, at the same moment.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::Busy)
    }
}
