//! A pick of an offer whose default holds already, or is being saved. The outcome stays what it is; the pick is kept in the thread,
//! and its helper is woken for it, once.

use pager_questions::apply::Resolution;
use pager_questions::{Incarnation, QuestionOption, Record, Reply, ReplyId, ReplyKind, Request};

use super::told_of_reply;
use crate::hub;
use crate::service::{Actor, Service, ServiceError, Words};
use crate::store::{StoreError, Write};
use crate::{clock, secrets};

/// A late pick that is about to be stored.
pub struct LatePick {
    /// The request in whose thread it is kept.
    pub request: Request,
    /// The pick.
    pub reply: Reply,
    /// What stores it; refused with a conflict when somebody picked late before.
    pub writes: Vec<Write>,
}

/// The origin of the one late pick of this offer: there is no second.
pub fn late_pick_origin(offer: &Incarnation) -> String {
    format!("late-pick:{offer}")
}

impl Service {
    /// What somebody picked too late of this record; None when it is no offer whose default holds.
    ///
    /// # Errors
    /// `LooksSecret`, `Unusable`.
    pub async fn late_pick(
        &self,
        actor: &Actor,
        record: &Record,
        words: Words,
        resolution: &Resolution,
    ) -> Result<Option<LatePick>, ServiceError> {
        if !record.is_defaulted_offer() {
            return Ok(None);
        }
        let Some(text) = picked(record, resolution) else { return Ok(None) };
        let Some(about) = &record.question.about else { return Ok(None) };
        words.check(record, resolution)?;
        let Some(request) = self.store.request(&about.request()).await? else { return Ok(None) };
        let (key, id) = (Incarnation::from_random(secrets::random()), record.question.id.clone());
        let reply = Reply {
            id: ReplyId::of(&key),
            request: request.id.clone(),
            kind: ReplyKind::LatePick,
            author: actor.by.clone(),
            title: None,
            text,
            offer: Some(id),
            at: clock::now(),
        };
        let mut writes: Vec<Write> = actor.token.clone().map(Write::RequireToken).into_iter().collect();
        let origin = late_pick_origin(&record.question.incarnation);
        writes.push(Write::AddReply { reply: Box::new(reply.clone()), origin, most: 0 });
        writes.push(told_of_reply(&request, &reply));
        writes.extend(self.outlet.dispatches(record).then(|| Write::AddDispatch(hub::late_pick(record))));
        writes.extend(self.shows_reply(&request, &reply));
        Ok(Some(LatePick { request, reply, writes }))
    }

    /// Keeps what somebody picked too late of this record, when it is an offer whose default holds. True when it is the first such
    /// pick. `also` is stored in any case.
    ///
    /// # Errors
    /// `LooksSecret`, `Revoked`, `Unusable`.
    pub async fn keep_late_pick(
        &self,
        actor: &Actor,
        record: &Record,
        words: Words,
        resolution: &Resolution,
        also: &[Write],
    ) -> Result<bool, ServiceError> {
        if let Some(LatePick { mut writes, .. }) = self.late_pick(actor, record, words, resolution).await? {
            writes.extend_from_slice(also);
            match self.store.commit(writes).await {
                Ok(()) => {
                    self.outbox.notify_one();
                    self.outlet.ring();
                    return Ok(true);
                }
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if !also.is_empty() {
            self.store.commit(also.to_vec()).await?;
        }
        Ok(false)
    }
}

/// What was picked, in words; None for what is no pick.
pub fn picked(record: &Record, resolution: &Resolution) -> Option<String> {
    match resolution {
        Resolution::Chosen(ids) => {
            let labels =
                ids.iter().filter_map(|id| record.question.option(id.as_str())).map(|option: &QuestionOption| &*option.label);
            Some(labels.collect::<Vec<_>>().join(", ")).filter(|labels| !labels.is_empty())
        }
        Resolution::OwnWords(words) => Some(words.clone()),
        Resolution::Declined | Resolution::Cancelled(_) => None,
    }
}
