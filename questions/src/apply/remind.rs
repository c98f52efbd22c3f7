//! Half of the time to a deadline has passed and nobody answered: its owner is reminded, once. Nothing is settled by it.

use super::Effect;
use crate::{Record, State, Time};

pub(super) fn apply(record: &Record, now: Time) -> (Record, Vec<Effect>) {
    let is_open = match &record.state {
        State::Open { .. } => true,
        State::Answering(_) | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => false,
    };
    let question = &record.question;
    // What is put to an agent is not the owner's to settle.
    let is_owners = question.put_to.is_none() && record.reminded_at.is_none();
    let is_halfway = question.halfway().is_some_and(|halfway| now >= halfway);
    let has_time = question.deadline.is_some_and(|deadline| now < deadline);
    if !(is_open && is_owners && is_halfway && has_time) {
        return (record.clone(), Vec::new());
    }
    let reminded = Record { reminded_at: Some(now), revision: record.revision + 1, ..record.clone() };
    (reminded, vec![Effect::Remind])
}
