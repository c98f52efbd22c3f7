//! The agent takes its question back. Too late once somebody answered; a second time it is done already.

use super::{Effect, Refusal};
use crate::{By, Record, State, Time};

pub(super) fn apply(record: &Record, by: By, reason: Option<String>, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Open { .. } => Ok((record.turned(State::Withdrawn { at: now, by, reason }), vec![Effect::Close])),
        State::Withdrawn { .. } => Ok((record.clone(), Vec::new())),
        State::Answering(_) => Err(Refusal::Answering),
        State::Ended { .. } | State::IdTaken { .. } => Err(Refusal::AlreadyAnswered),
    }
}
