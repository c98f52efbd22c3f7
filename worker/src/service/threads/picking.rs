//! An agent settles what is asked about its own request. Nothing else is its to settle.

use pager_questions::apply::Resolution;
use pager_questions::by::Kind;
use pager_questions::{Author, Party, Question};

use crate::service::{Actor, Named, Service, ServiceError};

impl Service {
    /// The record that is put to this agent and meant, for [`Self::decide`].
    ///
    /// # Errors
    /// `NotFound` for whatever is not put to it; `IncarnationMismatch`, `RevisionConflict`.
    pub async fn put_to_caller(&self, agent: &Author, named: Named, revision: Option<u64>) -> Result<Named, ServiceError> {
        // What is not its own says nothing to it, not even that it lives as another record.
        let unnamed = match &named {
            Named::Id(id, _) => Named::Id(id.clone(), None),
            Named::Incarnation(incarnation) | Named::Revision(incarnation, _) => Named::Incarnation(incarnation.clone()),
        };
        if self.find(&unnamed).await?.question.put_to.as_ref() != Some(agent) {
            return Err(ServiceError::NotFound);
        }
        self.exactly(named, revision).await
    }
}

/// Whether this is theirs to decide. An owner settles what is put to owners; what is put to an agent only that agent answers, and
/// an owner may call it off.
pub(in crate::service) fn check_right(actor: &Actor, question: &Question, resolution: &Resolution) -> Result<(), ServiceError> {
    let is_theirs = match (&question.put_to, Party::of(&actor.by)) {
        (None, Some(Party::Owner)) => true,
        (Some(agent), Some(Party::Agent(caller))) => *agent == caller,
        (Some(_), Some(Party::Owner)) => matches!(resolution, Resolution::Cancelled(_)),
        // The service calls off what its source starts over without.
        (_, None) => actor.by.kind == Kind::Service,
        (None, Some(Party::Agent(_))) => false,
    };
    if is_theirs { Ok(()) } else { Err(ServiceError::NotPutToYou) }
}
