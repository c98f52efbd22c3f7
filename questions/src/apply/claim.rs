//! Somebody entitled settles the question: the first one wins, everybody else is told.

use super::{Effect, Refusal, Resolution};
use crate::answer::DECLINED_NOTE;
use crate::record::Claim;
use crate::{Answer, By, OptionId, Outcome, Purpose, Question, QuestionOption, Record, State, Time};

/// What somebody decided, with where and when they said so.
pub(super) struct Claimed {
    pub(super) resolution: Resolution,
    pub(super) by: By,
    pub(super) origin: Option<String>,
    pub(super) said_at: Option<Time>,
}

pub(super) fn apply(record: &Record, claimed: Claimed, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    let Claimed { resolution, by, origin, said_at } = claimed;
    match &record.state {
        State::Open { .. } => {}
        State::Answering(_) => return Err(Refusal::Answering),
        State::Ended { .. } | State::IdTaken { .. } => return Err(Refusal::AlreadyAnswered),
        State::Withdrawn { .. } => return Err(Refusal::Withdrawn),
    }
    let answer = answer(&record.question, resolution, by, now)?;
    // What is said too late by another's clock alone is in time: no deadline acts before it has passed here.
    let is_too_late = |deadline| now >= deadline && said_at.is_some_and(|said_at| said_at >= deadline);
    if record.question.ends_at().is_some_and(is_too_late) {
        return Err(Refusal::DeadlinePassed);
    }
    Ok(being_saved(record, answer, origin))
}

/// The record with this answer being saved.
pub(super) fn being_saved(record: &Record, answer: Answer, origin: Option<String>) -> (Record, Vec<Effect>) {
    let number = record.revision + 1;
    let claim = Claim { answer, number, origin, uncertain: None, delayed: None };
    (record.turned(State::Answering(Box::new(claim))), vec![Effect::Save { claim: number }])
}

fn answer(question: &Question, resolution: Resolution, by: By, now: Time) -> Result<Answer, Refusal> {
    let about = |outcome| Answer::about(question, outcome, by, now);
    let rules = question.purpose.rules();
    Ok(match resolution {
        Resolution::Chosen(ids) => {
            let picked = picked(question, &ids)?;
            let joined = |separator: &str, part: fn(&QuestionOption) -> String| {
                Some(picked.iter().map(|option| part(option)).collect::<Vec<_>>().join(separator))
            };
            let label = |option: &QuestionOption| option.label.clone();
            Answer {
                choice: joined(",", |option| option.id.to_string()),
                choices: question.multi.then(|| picked.iter().map(|option| option.id.clone()).collect()),
                answer: joined(", ", label),
                recorded: joined(", ", if question.purpose == Purpose::Decision { with_detail } else { label }),
                ..about(Outcome::Chosen)
            }
        }
        Resolution::OwnWords(_) if !rules.takes_words => return Err(Refusal::TakesNoWords),
        // Words for the agent alone are in no record.
        Resolution::OwnWords(_) if question.secret => Answer { private: Some(true), ..about(Outcome::OwnWords) },
        Resolution::OwnWords(words) => Answer { answer: Some(words.clone()), recorded: Some(words), ..about(Outcome::OwnWords) },
        Resolution::Declined => {
            let note = rules.yes.map_or(DECLINED_NOTE, |yes| yes.declined_note);
            Answer { note: Some(note.to_owned()), ..about(Outcome::Declined) }
        }
        Resolution::Cancelled(reason) => Answer { reason: Some(reason.as_str().to_owned()), ..about(Outcome::Cancelled) },
    })
}

/// The picked options in the question's order: one, or where several may be picked each once.
fn picked<'a>(question: &'a Question, ids: &[OptionId]) -> Result<Vec<&'a QuestionOption>, Refusal> {
    let picked: Vec<&QuestionOption> = question.options.iter().filter(|option| ids.contains(&option.id)).collect();
    let is_allowed = !picked.is_empty() && picked.len() == ids.len() && (question.multi || ids.len() == 1);
    if is_allowed { Ok(picked) } else { Err(Refusal::NotAnOption) }
}

fn with_detail(option: &QuestionOption) -> String {
    option.detail.as_ref().map_or_else(|| option.label.clone(), |detail| format!("{}: {detail}", option.label))
}
