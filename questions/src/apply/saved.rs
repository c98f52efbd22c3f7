//! The answers repository has the answer: only now it counts.

use super::{Effect, Refusal};
use crate::{Answer, Outcome, Record, State};

pub(super) fn apply(record: &Record, number: u64, signature: String, commit: String) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Answering(claim) if claim.number == number => {
            let answer = Answer { signature: Some(signature), ..claim.answer.clone() };
            let mut effects = Effect::of_end(record);
            if let (Outcome::OwnWords, Some(origin)) = (answer.outcome, &claim.origin) {
                effects.push(Effect::Thank { origin: origin.clone() });
            }
            Ok((record.turned(State::Ended { answer: Box::new(answer), commit }), effects))
        }
        State::Answering(_) | State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => {
            Err(Refusal::Stale)
        }
    }
}
