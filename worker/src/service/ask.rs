//! Asking. The publication is looked at first, then the id, then whether the same question is pending already.

use pager_answers::AnswerPath;
use pager_questions::apply::Effect;
use pager_questions::draft::fingerprint;
use pager_questions::{AgentName, Delivery, DeliveryState, Draft, Incarnation, QuestionId, Record};
use serde_json::Value;

use super::{MOST_TRIES, Service, ServiceError};
use crate::store::{StoreError, Write};
use crate::{clock, crash, secrets};

/// What came of asking.
#[derive(Debug)]
pub struct Asked {
    /// The record, new or the original.
    pub record: Record,
    /// Whether it is new.
    pub is_new: bool,
}

impl Service {
    /// Asks a question for an agent that proved its name with this token.
    ///
    /// # Errors
    /// `Fault` for a bad body, `IdUsed`, `DraftChanged`, `Revoked`, `Unusable`.
    pub async fn ask(&self, agent: &AgentName, token: &str, body: Value) -> Result<Asked, ServiceError> {
        let draft = Draft::read(body, agent)?;
        let print = draft.fingerprint();
        for _ in 0..MOST_TRIES {
            if let Some(record) = self.asked_before(agent, &draft, &print).await? {
                return Ok(Asked { record, is_new: false });
            }
            let id = draft.id.clone().unwrap_or_else(|| QuestionId::from_random(secrets::random()));
            let question = draft.ask(id, Incarnation::from_random(secrets::random()), clock::now());
            let mut record = Record::asked(question);
            if self.has_telegram {
                record.delivery = Delivery { state: DeliveryState::Queued, reason: None, link: None };
            }
            let mut writes = vec![
                Write::RequireToken(token.to_owned()),
                Write::Create { record: Box::new(record.clone()), fingerprint: print.clone() },
            ];
            writes.extend(self.jobs(&Effect::Show, &record));
            match self.store.commit(writes).await {
                Ok(()) => {
                    crash::point("ask.stored");
                    self.follow(&record, &[Effect::Show]);
                    return Ok(Asked { record, is_new: true });
                }
                // Somebody took the id or the publication a moment ago: look again.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::Busy)
    }

    async fn asked_before(&self, agent: &AgentName, draft: &Draft, print: &str) -> Result<Option<Record>, ServiceError> {
        if let Some(publication) = draft.publication_id()
            && let Some(record) = self.store.published(agent, publication).await?
        {
            let same_id = draft.id.as_ref().is_none_or(|id| *id == record.question.id);
            let same = same_id && fingerprint(&record.question) == print;
            return if same { Ok(Some(record)) } else { Err(ServiceError::DraftChanged) };
        }
        let Some(id) = &draft.id else {
            return match draft.publication_id() {
                Some(_) => Ok(None),
                None => Ok(self.store.pending_like(agent, print).await?),
            };
        };
        if let Some(record) = self.store.record(id).await? {
            let same = record.question.source.agent == *agent && fingerprint(&record.question) == print;
            return if same && !record.is_over() { Ok(Some(record)) } else { Err(ServiceError::IdUsed) };
        }
        let path = AnswerPath::new(id).map_err(|error| ServiceError::Unusable(error.to_string()))?;
        let is_used = self.store.is_used(id).await?
            || self.keeper.holds(&path).await.map_err(|error| ServiceError::Unusable(error.to_string()))?;
        if is_used { Err(ServiceError::IdUsed) } else { Ok(None) }
    }
}
