//! The agent that waited has not come back: the owner is told, once. The question stays open, and an answer counts.
//! Where something is to be woken at the end, an agent need not wait: then nothing is told.

use super::Effect;
use crate::{Record, State, Time};

pub(super) fn apply(record: &Record, since: Time) -> (Record, Vec<Effect>) {
    if record.question.wake.is_some() {
        return (record.clone(), Vec::new());
    }
    match (&record.state, record.unattended_since) {
        (State::Open { .. }, None) => {
            let told = Record { unattended_since: Some(since), revision: record.revision + 1, ..record.clone() };
            (told, vec![Effect::Refresh])
        }
        (State::Open { .. }, Some(_))
        | (State::Answering(_) | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. }, _) => {
            (record.clone(), Vec::new())
        }
    }
}
