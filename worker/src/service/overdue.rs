//! Words that came too late for a deadline: it acts, and they are refused as after any other end. A pick of an offer is kept.

use std::time::Duration;

use pager_questions::apply::{Event, Refusal, Resolution};
use pager_questions::{Record, State};

use super::spoken::Late;
use super::{Actor, Service, ServiceError, Words};

/// How long whoever picked of an offer is held for the end that they are late to.
const HELD_FOR_THE_END: Duration = Duration::from_secs(2);

impl Service {
    /// What somebody's words are refused with, once the deadline that they came too late for has acted.
    pub(super) async fn refused(
        &self,
        error: ServiceError,
        actor: &Actor,
        words: Words,
        resolution: &Resolution,
        late: Late,
    ) -> ServiceError {
        let error = match error {
            ServiceError::Refused(Refusal::DeadlinePassed, record) => self.act(*record).await,
            error => error,
        };
        let (refusal, record) = match error {
            ServiceError::Refused(refusal @ (Refusal::Answering | Refusal::AlreadyAnswered), record)
                if record.is_defaulted_offer() =>
            {
                (refusal, record)
            }
            error => return error,
        };
        if late != Late::Left
            && let Err(error) = self.keep_late_pick(actor, &record, words, resolution, &[]).await
        {
            return error;
        }
        if refusal != Refusal::Answering || late != Late::Held {
            return ServiceError::Refused(refusal, record);
        }
        match self.settled(*record, HELD_FOR_THE_END).await {
            Ok(record) if record.answer().is_some() => ServiceError::Refused(Refusal::AlreadyAnswered, Box::new(record)),
            Ok(record) => ServiceError::Refused(Refusal::Answering, Box::new(record)),
            Err(error) => error,
        }
    }

    async fn act(&self, record: Record) -> ServiceError {
        match self.change(record, None, &Event::Due, &[]).await {
            Ok(next) if matches!(next.state, State::Answering(_)) => ServiceError::Refused(Refusal::Answering, Box::new(next)),
            // The clock was set back in between.
            Ok(_) => ServiceError::Busy,
            Err(error) => error,
        }
    }
}
