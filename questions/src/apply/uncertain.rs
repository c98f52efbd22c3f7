//! The write may or may not have happened: the answer stays under way, and everybody can see that it is uncertain.

use super::{Effect, Refusal};
use crate::record::{Claim, Note};
use crate::{Record, State, Time};

pub(super) fn apply(record: &Record, number: u64, reason: String, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Answering(claim) if claim.number == number => {
            let since = claim.uncertain.as_ref().map_or(now, |note| note.at);
            let uncertain = Some(Note { at: since, reason });
            let claim = Claim { uncertain, ..Claim::clone(claim) };
            Ok((record.turned(State::Answering(Box::new(claim))), Vec::new()))
        }
        State::Answering(_) | State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => {
            Err(Refusal::Stale)
        }
    }
}
