//! The deadline passed and nobody answered: the agent goes on with the default it named, or an approval is over. Everything
//! else stays open. An answer that is being saved came first.

use super::claim::being_saved;
use super::{Effect, Refusal};
use crate::{Answer, By, Outcome, Record, State, Time};

pub(super) fn apply(record: &Record, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Open { .. } => {}
        State::Answering(_) => return Err(Refusal::Answering),
        State::Ended { .. } | State::IdTaken { .. } => return Err(Refusal::AlreadyAnswered),
        State::Withdrawn { .. } => return Err(Refusal::Withdrawn),
    }
    let question = &record.question;
    let is_due = question.deadline.is_some_and(|deadline| now >= deadline);
    let about = |outcome| Answer::about(question, outcome, By::deadline(), now);
    let answer = match &question.default {
        _ if !is_due => None,
        Some(default) => Some(Answer { default: Some(default.clone()), ..about(Outcome::Defaulted) }),
        None => question.purpose.rules().expires.then(|| about(Outcome::Expired)),
    };
    Ok(answer.map_or_else(|| (record.clone(), Vec::new()), |answer| being_saved(record, answer, None)))
}
