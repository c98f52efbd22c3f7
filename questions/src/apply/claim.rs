//! Somebody entitled settles the question: the first one wins, everybody else is told.

use super::{Effect, Refusal, Resolution};
use crate::answer::DECLINED_NOTE;
use crate::record::Claim;
use crate::{Answer, By, Outcome, Record, State, Time};

pub(super) fn apply(
    record: &Record,
    resolution: Resolution,
    by: By,
    origin: Option<String>,
    now: Time,
) -> Result<(Record, Vec<Effect>), Refusal> {
    match &record.state {
        State::Open { .. } => {}
        State::Answering(_) => return Err(Refusal::Answering),
        State::Ended { .. } | State::IdTaken { .. } => return Err(Refusal::AlreadyAnswered),
        State::Withdrawn { .. } => return Err(Refusal::Withdrawn),
    }
    let answer = answer(record, resolution, by, now)?;
    let number = record.revision + 1;
    let claim = Claim { answer, number, origin, uncertain: None, delayed: None };
    Ok((record.turned(State::Answering(Box::new(claim))), vec![Effect::Save { claim: number }]))
}

fn answer(record: &Record, resolution: Resolution, by: By, now: Time) -> Result<Answer, Refusal> {
    let about = |outcome| Answer::about(&record.question, outcome, by, now);
    Ok(match resolution {
        Resolution::Chosen(id) => {
            let label = record.question.option(id.as_str()).ok_or(Refusal::NotAnOption)?.label.clone();
            Answer { choice: Some(id), answer: Some(label.clone()), recorded: Some(label), ..about(Outcome::Chosen) }
        }
        Resolution::OwnWords(words) => Answer { answer: Some(words.clone()), recorded: Some(words), ..about(Outcome::OwnWords) },
        Resolution::Declined => Answer { note: Some(DECLINED_NOTE.to_owned()), ..about(Outcome::Declined) },
        Resolution::Cancelled => Answer { reason: Some("owner_cancelled".to_owned()), ..about(Outcome::Cancelled) },
    })
}
