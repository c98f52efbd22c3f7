//! A pick of an offer whose default holds already. The outcome stays what it is; the pick is kept in the thread, and its helper is
//! woken for it, once.

use pager_questions::apply::Resolution;
use pager_questions::{By, Incarnation, Outcome, Purpose, QuestionOption, Record, Reply, ReplyId, ReplyKind, Request};

use super::told_of_reply;
use crate::hub;
use crate::service::{Service, ServiceError};
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

impl Service {
    /// What somebody picked too late of this record; None when it is no offer whose default holds.
    ///
    /// # Errors
    /// `Unusable`
    pub async fn late_pick(&self, by: &By, record: &Record, resolution: &Resolution) -> Result<Option<LatePick>, ServiceError> {
        let Some(text) = picked(record, resolution) else { return Ok(None) };
        let Some(about) = &record.question.about else { return Ok(None) };
        let Some(request) = self.store.request(&about.request()).await? else { return Ok(None) };
        let (key, id) = (Incarnation::from_random(secrets::random()), record.question.id.clone());
        let reply = Reply {
            id: ReplyId::of(&key),
            request: request.id.clone(),
            kind: ReplyKind::LatePick,
            author: by.clone(),
            title: None,
            text,
            offer: Some(id),
            at: clock::now(),
        };
        let origin = format!("late-pick:{}", record.question.incarnation);
        let mut writes =
            vec![Write::AddReply { reply: Box::new(reply.clone()), origin, most: 0 }, told_of_reply(&request, &reply)];
        writes.extend(self.outlet.dispatches(record).then(|| Write::AddDispatch(hub::late_pick(record))));
        writes.extend(self.shows_reply(&request, &reply));
        Ok(Some(LatePick { request, reply, writes }))
    }

    /// Keeps what somebody picked too late of this record, when it is an offer whose default holds. True when it is the first such
    /// pick. `also` is stored in any case.
    ///
    /// # Errors
    /// `Revoked`, `Unusable`.
    pub async fn keep_late_pick(
        &self,
        by: &By,
        record: &Record,
        resolution: &Resolution,
        also: &[Write],
    ) -> Result<bool, ServiceError> {
        let Some(LatePick { mut writes, .. }) = self.late_pick(by, record, resolution).await? else {
            self.store.commit(also.to_vec()).await?;
            return Ok(false);
        };
        writes.extend_from_slice(also);
        match self.store.commit(writes).await {
            Ok(()) => {
                self.outbox.notify_one();
                self.outlet.ring();
                Ok(true)
            }
            Err(StoreError::Conflict) => {
                self.store.commit(also.to_vec()).await?;
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// What was picked, in words; None for what is no pick, or not of an offer that nobody answered in time.
fn picked(record: &Record, resolution: &Resolution) -> Option<String> {
    let is_defaulted = record.answer().is_some_and(|answer| answer.outcome == Outcome::Defaulted);
    if !is_defaulted || record.question.purpose != Purpose::Offer {
        return None;
    }
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
