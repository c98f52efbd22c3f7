//! The answers repository refused for good: the question is open again, and who answered is told.

use super::{Effect, Refusal};
use crate::by::Kind;
use crate::record::Note;
use crate::{Record, State, Time};

pub(super) fn apply(record: &Record, number: u64, reason: String, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Answering(claim) if claim.number == number => {
            let regret = Effect::Regret { origin: claim.origin.clone(), reason: reason.clone() };
            // Silence answered nothing that could be answered once more, and is tried again by itself.
            let is_silence = claim.answer.by.kind == Kind::Deadline;
            let mut effects = if is_silence { Vec::new() } else { vec![regret] };
            if claim.delayed.is_some() {
                // The question still says that an answer is being saved.
                effects.push(Effect::Refresh);
            }
            Ok((record.turned(State::Open { refused: Some(Note { at: now, reason }) }), effects))
        }
        State::Answering(_) | State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => {
            Err(Refusal::Stale)
        }
    }
}
