//! Threads: work that is asked for, what helpers reply and offer, and what its author picks. One way for every door.

mod asking;
mod late;
mod offering;
mod picking;
mod replying;
mod showing;
mod status;

use pager_questions::{Reply, Request};

use super::ServiceError;
use crate::clock;
use crate::store::{Happening, HappeningKind, Write};

pub use late::{LatePick, late_pick_origin, picked as picked_of};
pub(super) use picking::check_right;
pub use replying::Replied;

/// Tells that work was asked for.
pub(super) fn told_of_request(request: &Request) -> Write {
    let (agent, about) = (request.party().agent().cloned(), request.id.to_string());
    Write::Tell(Happening { kind: HappeningKind::Requested, agent, about, at: clock::now() })
}

/// Tells whoever asked that somebody wrote into the thread.
pub fn told_of_reply(request: &Request, reply: &Reply) -> Write {
    let (agent, about) = (request.party().agent().cloned(), reply.id.to_string());
    Write::Tell(Happening { kind: HappeningKind::Replied, agent, about, at: clock::now() })
}

impl super::Service {
    /// The request of an id.
    ///
    /// # Errors
    /// `NotFound`, `Unusable`.
    pub async fn request_of(&self, id: &pager_questions::RequestId) -> Result<Request, ServiceError> {
        self.store.request(id).await?.ok_or(ServiceError::NotFound)
    }
}
