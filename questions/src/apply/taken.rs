//! The path holds something that is not this answer: nothing is overwritten, the question is cancelled without a file.

use super::{Effect, Refusal};
use crate::{Answer, By, Outcome, Record, State, Time};

pub(super) fn apply(record: &Record, number: u64, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Answering(claim) if claim.number == number => {
            let cancelled = Answer::about(&record.question, Outcome::Cancelled, By::service(), now);
            let answer = Box::new(Answer { reason: Some("id_taken".to_owned()), ..cancelled });
            Ok((record.turned(State::IdTaken { answer }), Effect::of_end(record)))
        }
        State::Answering(_) | State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => {
            Err(Refusal::Stale)
        }
    }
}
