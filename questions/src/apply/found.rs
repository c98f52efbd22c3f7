//! The answers repository knows more than the store, as after a store came back from a backup: the answer counts.

use super::{Effect, Refusal};
use crate::{Answer, Record, State};

pub(super) fn apply(record: &Record, answer: Box<Answer>, commit: String) -> Result<(Record, Vec<Effect>), Refusal> {
    if answer.id != record.question.id || answer.incarnation != record.question.incarnation {
        return Err(Refusal::Stale);
    }
    match &record.state {
        State::Open { .. } => Ok((record.turned(State::Ended { answer, commit }), Effect::of_end(record))),
        // The save that is under way finds the same file.
        State::Answering(_) => Err(Refusal::Answering),
        State::Ended { .. } | State::IdTaken { .. } => Err(Refusal::AlreadyAnswered),
        State::Withdrawn { .. } => Err(Refusal::Withdrawn),
    }
}
