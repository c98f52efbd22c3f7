//! Asking. The publication is looked at first, then the id, then whether the same question is pending already.

use pager_answers::AnswerPath;
use pager_questions::apply::Effect;
use pager_questions::draft::fingerprint;
use pager_questions::fields::Fault;
use pager_questions::{
    Author, Delivery, DeliveryState, Draft, Event, GateCategory, Incarnation, QuestionId, Record, WakeName, apply,
};
use serde_json::Value;

use super::{Also, MOST_TRIES, Service, ServiceError};
use crate::store::{StoreError, Write};
use crate::{clock, crash, secrets};

/// What came of asking.
#[derive(Debug)]
pub struct Asked {
    /// The record, new or the original.
    pub record: Record,
    /// Whether it is new.
    pub is_new: bool,
    /// What was read with a grain of salt, for the agent.
    pub warnings: Vec<String>,
}

/// What came of wanting to ask.
#[derive(Debug)]
pub enum AskOutcome {
    /// There is a question.
    Asked(Box<Asked>),
    /// There is none: the operator leaves this to its agent.
    Delegated,
}

impl AskOutcome {
    /// The record, where there is a question.
    pub fn record(self) -> Option<Record> {
        match self {
            Self::Asked(asked) => Some(asked.record),
            Self::Delegated => None,
        }
    }
}

/// On which terms a question is asked.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// The token that must not have been revoked; None for what proved itself otherwise.
    pub token: Option<&'a str>,
    /// The project that its token is bound to.
    pub project: Option<&'a str>,
    /// Its withdrawal, when that came first: then it is stored as withdrawn and never shown.
    pub withdrawn: Option<&'a Event>,
    /// What is stored with it, when it is new.
    pub also: Also<'a>,
}

impl Service {
    /// Asks a question for an agent that proved its name with this token.
    ///
    /// # Errors
    /// `Fault` for a bad body, `IdUsed`, `DraftChanged`, `Capacity`, `Revoked`, `Unusable`.
    pub async fn ask(&self, agent: &Author, token: &str, project: Option<&str>, body: Value) -> Result<AskOutcome, ServiceError> {
        let draft = Draft::read(body, agent)?;
        let terms = Terms { token: Some(token), project, withdrawn: None, also: &|_| Vec::new() };
        self.ask_draft(agent, &draft, terms).await
    }

    /// Asks what this draft says.
    ///
    /// # Errors
    /// As [`Self::ask`], but for `Fault`.
    pub async fn ask_draft(&self, agent: &Author, draft: &Draft, terms: Terms<'_>) -> Result<AskOutcome, ServiceError> {
        let print = draft.fingerprint();
        let draft = &match self.placed(agent, draft).await {
            Ok(placed) => placed,
            // What was asked before is given back, also once what it is about was forgotten.
            Err(fault @ ServiceError::Fault(_)) => {
                let record = self.asked_before(agent, draft, &print).await?.ok_or(fault)?;
                let asked = Asked { record, is_new: false, warnings: draft.warnings.clone() };
                return Ok(AskOutcome::Asked(Box::new(asked)));
            }
            Err(error) => return Err(error),
        };
        // Storing finds out by itself whether an id or a publication is new, and mostly it is: then looking is spared.
        let is_unnamed = draft.id.is_none() && draft.publication_id().is_none();
        let is_delegated = self.policy.gates.delegates(draft.question(), terms.project);
        // What was put before the owner stays there, whatever the policy is since.
        let mut looks_first = is_delegated || !self.is_new_unless_refused(draft).await?;
        for _ in 0..MOST_TRIES {
            if looks_first && let Some(record) = self.asked_before(agent, draft, &print).await? {
                let asked = Asked { record, is_new: false, warnings: draft.warnings.clone() };
                return Ok(AskOutcome::Asked(Box::new(asked)));
            }
            if is_delegated {
                self.store.commit(terms.token.map(|token| Write::RequireToken(token.to_owned())).into_iter().collect()).await?;
                let category = draft.question().gate.as_ref().map(GateCategory::as_str);
                tracing::info!(%agent, category, "a reserved action is left to its agent, as its policy says; nobody is asked");
                return Ok(AskOutcome::Delegated);
            }
            if let Some(name) = draft.wake().filter(|name| !self.outlet.wakes(name)) {
                // What was asked before is given back, whatever became of its target since.
                if !std::mem::replace(&mut looks_first, true) {
                    continue;
                }
                return Err(self.unknown_target(name).into());
            }
            let draft = &draft.within(&self.policy.deadlines, clock::now())?;
            let record = self.new_record(draft, terms.withdrawn.is_some());
            let mut writes: Vec<Write> = terms.token.map(|token| Write::RequireToken(token.to_owned())).into_iter().collect();
            let (fingerprint, limits) = (print.clone(), self.policy.limits);
            writes.push(Write::Create { record: Box::new(record.clone()), fingerprint, is_unnamed, limits });
            let (record, effects) = match terms.withdrawn {
                None => (record, vec![Effect::Show]),
                Some(event) => {
                    let at = clock::now();
                    let (next, _) = apply(&record, event.clone(), at)
                        .map_err(|refusal| ServiceError::Refused(refusal, Box::new(record.clone())))?;
                    writes.push(Write::Change { record: Box::new(next.clone()), from: record.revision, at });
                    (next, Vec::new())
                }
            };
            writes.extend(effects.iter().flat_map(|effect| self.jobs(effect, &record)));
            writes.extend((terms.also)(&record));
            match self.store.commit(writes).await {
                Ok(()) => {
                    crash::point("ask.stored");
                    self.metrics.asked();
                    self.metrics.ended(&record);
                    self.follow(&record, &effects);
                    let asked = Asked { record, is_new: true, warnings: draft.warnings.clone() };
                    return Ok(AskOutcome::Asked(Box::new(asked)));
                }
                // The id or the publication is taken: look by whom.
                Err(StoreError::Conflict) => looks_first = true,
                // What was asked before is given back, however full its source is.
                Err(StoreError::Full(_)) if !looks_first => looks_first = true,
                Err(error) => return Err(error.into()),
            }
        }
        Err(ServiceError::Busy)
    }

    fn unknown_target(&self, name: &WakeName) -> Fault {
        let way_out = match self.outlet.names()[..] {
            [] => "there is none; the operator sets them as wake.<name>.kind, or leave it out".to_owned(),
            ref names => format!("there is {}; take one of these, or leave it out", names.join(", ")),
        };
        Fault::invalid("wake", format!("is {name}, and no wake target has that name: {way_out}"))
    }

    fn new_record(&self, draft: &Draft, is_withdrawn: bool) -> Record {
        let id = draft.id.clone().unwrap_or_else(|| QuestionId::from_random(secrets::random()));
        let question = draft.ask(id, Incarnation::from_random(secrets::random()), clock::now());
        let mut record = Record::asked(question);
        let goes_out = self.has_telegram && !is_withdrawn && record.question.put_to.is_none();
        let state = if goes_out { DeliveryState::Queued } else { DeliveryState::Stored };
        record.delivery = Delivery { state, reason: None, link: Some(self.link_to(&record)) };
        record
    }

    /// Is the draft new when the store takes it? What has neither an id nor a publication is compared first.
    async fn is_new_unless_refused(&self, draft: &Draft) -> Result<bool, ServiceError> {
        match &draft.id {
            Some(id) => Ok(!self.is_in_repository(id).await?),
            None => Ok(draft.publication_id().is_some()),
        }
    }

    pub(super) async fn is_in_repository(&self, id: &QuestionId) -> Result<bool, ServiceError> {
        let unusable = |error: &dyn std::fmt::Display| ServiceError::Unusable(error.to_string());
        let path = AnswerPath::new(id).map_err(|error| unusable(&error))?;
        self.keeper.holds(&path).await.map_err(|error| unusable(&error))
    }

    async fn asked_before(&self, agent: &Author, draft: &Draft, print: &str) -> Result<Option<Record>, ServiceError> {
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
            return original(record, agent, print).map(Some);
        }
        if !self.store.is_used(id).await? && !self.is_in_repository(id).await? {
            return Ok(None);
        }
        // The same question may have been stored since it was looked for.
        match self.store.record(id).await? {
            Some(record) => original(record, agent, print).map(Some),
            None => Err(ServiceError::IdUsed),
        }
    }
}

/// The record of a used id, for an agent that asks the same once more while it is pending.
fn original(record: Record, agent: &Author, print: &str) -> Result<Record, ServiceError> {
    let same = record.question.source.agent == *agent && fingerprint(&record.question) == print;
    if same && !record.is_over() { Ok(record) } else { Err(ServiceError::IdUsed) }
}
