//! A source that starts over: what it asked and nobody answered ends. By the owner as cancelled, by the agent as withdrawn.

use std::time::Duration;

use pager_questions::apply::{CancelReason, Event, Resolution};
use pager_questions::{Author, By, Record};

use super::{Actor, Service, ServiceError};
use crate::store::Listing;

/// How long the answers of those that are cancelled are waited for together.
const HELD_FOR_SAVE: Duration = Duration::from_secs(10);
const TOGETHER: u32 = 256;

/// Who starts a source over.
pub enum Resetter<'a> {
    /// An owner or a device; the service acts for them.
    Owner(&'a Actor),
    /// The agent itself.
    Agent(&'a Actor),
}

impl Service {
    /// Ends every open question of this source. The records that it ended, oldest first, as they are now.
    ///
    /// # Errors
    /// `Revoked`, `Unusable`; what ended by then has ended.
    pub async fn reset(&self, source: &Author, by: &Resetter<'_>) -> Result<Vec<Record>, ServiceError> {
        let mut ended = Vec::new();
        let mut after = None;
        loop {
            let state = Some("open".to_owned());
            let listing = Listing { agent: Some(source.clone()), state, limit: TOGETHER, after: after.take() };
            let page = self.store.newest(&listing).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.cursor.clone());
            for listed in page {
                ended.extend(self.reset_one(listed.record, by).await?);
            }
        }
        ended.reverse();
        let until = tokio::time::Instant::now() + HELD_FOR_SAVE;
        let mut settled = Vec::with_capacity(ended.len());
        for record in ended {
            settled.push(self.settled(record, until.saturating_duration_since(tokio::time::Instant::now())).await?);
        }
        Ok(settled)
    }

    /// None when somebody settled it in this very moment.
    async fn reset_one(&self, record: Record, by: &Resetter<'_>) -> Result<Option<Record>, ServiceError> {
        let reason = CancelReason::SourceReset;
        let (actor, event) = match by {
            Resetter::Owner(actor) => (
                actor,
                Event::Claim { resolution: Resolution::Cancelled(reason), by: By::service(), origin: None, said_at: None },
            ),
            Resetter::Agent(actor) => (actor, Event::Withdraw { by: actor.by.clone(), reason: Some(reason.as_str().to_owned()) }),
        };
        match self.change(record, Some(actor), &event, &[]).await {
            Ok(record) => Ok(Some(record)),
            Err(ServiceError::Refused(..) | ServiceError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
