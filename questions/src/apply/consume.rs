//! An agent spends its approval: once, and only what an owner approved.

use super::{Effect, Refusal};
use crate::{Purpose, Record, State, Time};

pub(super) fn apply(record: &Record, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    let answer = match &record.state {
        State::Ended { answer, .. } if record.question.purpose == Purpose::Approval => answer,
        State::Withdrawn { .. } => return Err(Refusal::Withdrawn),
        State::Open { .. } | State::Answering(_) | State::Ended { .. } | State::IdTaken { .. } => {
            return Err(Refusal::NotApproved);
        }
    };
    if record.question.is_yes(answer) != Some(true) {
        return Err(Refusal::NotApproved);
    }
    if record.spent_at.is_some() {
        return Err(Refusal::Spent);
    }
    Ok((Record { spent_at: Some(now), revision: record.revision + 1, ..record.clone() }, Vec::new()))
}
