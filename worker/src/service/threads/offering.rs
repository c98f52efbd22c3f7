//! Partial offers, and whom a question is put to that is about somebody's request.

use pager_questions::fields::Fault;
use pager_questions::{Author, Draft, OfferDraft, RequestId};

use crate::service::{AskOutcome, Service, ServiceError, Terms};

const UNKNOWN: &str = "names no request, and no question of yours; check the id";

impl Service {
    /// Offers this about that request: asks its author a question of purpose `offer`.
    ///
    /// # Errors
    /// `NotFound` for the request, else as [`Self::ask_draft`].
    pub async fn offer(
        &self,
        agent: &Author,
        request: &RequestId,
        offer: &OfferDraft,
        terms: Terms<'_>,
    ) -> Result<AskOutcome, ServiceError> {
        let request = self.request_of(request).await?;
        let draft = offer.question(&request, agent)?;
        self.ask_draft(agent, &draft, terms).await
    }

    /// The draft, put to whoever settles it: the agent whose request it is about, where its purpose is theirs to settle, else the
    /// owner. An agent that asks about its own request asks the owner.
    ///
    /// # Errors
    /// `Fault` when it is about nothing that is there for its agent.
    pub(in crate::service) async fn placed(&self, agent: &Author, draft: &Draft) -> Result<Draft, ServiceError> {
        let Some(about) = draft.question().about.clone() else { return Ok(draft.clone()) };
        if let Some(request) = self.store.request(&about.request()).await? {
            let settles = request.settled_by_agent().filter(|author| author != agent);
            return match settles.filter(|_| draft.question().purpose.rules().asks_author) {
                Some(author) => Ok(draft.put_to(author)?),
                None => Ok(draft.clone()),
            };
        }
        if draft.question().purpose == pager_questions::Purpose::Offer {
            return Err(Fault::invalid("about", "names no request; an offer is about one").into());
        }
        let question = self.store.record(&about.question()).await?;
        match question.filter(|record| record.question.source.agent == *agent) {
            Some(_) => Ok(draft.clone()),
            None => Err(Fault::invalid("about", UNKNOWN).into()),
        }
    }
}
