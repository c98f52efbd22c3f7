//! Saving an answer takes long: whoever answered is shown since when and why, once. Nothing is decided by it.

use super::{Effect, Refusal};
use crate::record::{Claim, Note};
use crate::{Record, State, Time};

pub(super) fn apply(record: &Record, number: u64, reason: String, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Answering(claim) if claim.number == number => {
            if claim.delayed.is_some() {
                return Ok((record.clone(), Vec::new()));
            }
            let claim = Claim { delayed: Some(Note { at: now, reason }), ..Claim::clone(claim) };
            Ok((record.turned(State::Answering(Box::new(claim))), vec![Effect::Refresh]))
        }
        State::Answering(_) | State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => {
            Err(Refusal::Stale)
        }
    }
}
