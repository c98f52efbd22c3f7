//! Older requests that nobody answered, for a heartbeat: each is offered until a run started with it, and never again.

use pager_questions::unanswered::OVER_AFTER_MILLIS;
use pager_questions::wake::{Reason, request_message};
use pager_questions::{Request, WakeId};
use serde::Serialize;
use utoipa::ToSchema;

use super::Wanted;
use crate::clock;
use crate::service::{Service, ServiceError};
use crate::store::OfInterest;

/// The most of them in one heartbeat.
const MOST_OLDER: u32 = 3;

/// An older request.
#[derive(Debug, Serialize, ToSchema)]
pub struct Older {
    /// What is acknowledged once a run started with it.
    #[schema(value_type = String)]
    pub wake: WakeId,
    /// What a model is given; whatever anybody wrote stands in fences.
    pub message: String,
    /// The request.
    #[serde(flatten)]
    pub request: Request,
}

impl Service {
    /// Those that are older than what is caught up, and not over yet, oldest first.
    ///
    /// # Errors
    /// `Unusable`
    pub async fn older_requests(&self, wanted: &Wanted) -> Result<Vec<Older>, ServiceError> {
        let now = clock::now();
        let of_interest = OfInterest {
            agent: wanted.agent.clone(),
            skills: wanted.skills.clone(),
            since: now.plus_millis(-OVER_AFTER_MILLIS),
            until: now.plus_millis(-wanted.catchup),
            reason: Reason::Older,
            limit: MOST_OLDER,
        };
        let found = self.store.requests_of_interest(&of_interest).await?;
        let older = found.into_iter().map(|request| Older {
            wake: WakeId::of_older(&request.id),
            message: request_message(&request),
            request,
        });
        Ok(older.collect())
    }
}
