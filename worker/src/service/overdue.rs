//! Words that came too late for a deadline: it acts, and they are refused as after any other end.

use std::time::Duration;

use pager_questions::apply::{Event, Refusal};
use pager_questions::by::Kind;
use pager_questions::{Purpose, Record, State};

use super::{Service, ServiceError};

/// How long a pick of an offer is held for the end that it is late to: it is kept only beside one.
const HELD_FOR_THE_END: Duration = Duration::from_secs(2);

impl Service {
    /// What somebody's words are refused with, once the deadline that they came too late for has acted.
    pub(super) async fn refused(&self, error: ServiceError) -> ServiceError {
        let error = match error {
            ServiceError::Refused(Refusal::DeadlinePassed, record) => self.act(*record).await,
            error => error,
        };
        match error {
            ServiceError::Refused(Refusal::Answering, record) if is_offer_of_silence(&record) => {
                match self.settled(*record, HELD_FOR_THE_END).await {
                    Ok(record) if record.answer().is_some() => ServiceError::Refused(Refusal::AlreadyAnswered, Box::new(record)),
                    Ok(record) => ServiceError::Refused(Refusal::Answering, Box::new(record)),
                    Err(error) => error,
                }
            }
            error => error,
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

fn is_offer_of_silence(record: &Record) -> bool {
    let is_silence = matches!(&record.state, State::Answering(claim) if claim.answer.by.kind == Kind::Deadline);
    is_silence && record.question.purpose == Purpose::Offer
}
