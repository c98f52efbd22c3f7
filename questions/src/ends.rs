//! What an ended question says of its end. One table, for every surface.

use jiff::tz::TimeZone;

use crate::by::Kind;
use crate::text::{one_line, title};
use crate::{By, Outcome, Record, State};

/// Stands above somebody's own words.
pub const OWN_WORDS_HEADING: &str = "Your answer, in your own words";

/// The most characters of a reason that is passed on.
const MOST_REASON: usize = 300;

/// The end of a question, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// [`OWN_WORDS_HEADING`], where it applies.
    pub heading: Option<&'static str>,
    /// What happened.
    pub text: String,
    /// By whom, when and where; empty when the text says it all.
    pub signed: String,
}

/// The end of a record; None while it has none. Times are shown in the owner's zone.
pub fn end(record: &Record, zone: &TimeZone) -> Option<End> {
    match &record.state {
        State::Open { .. } | State::Answering(_) => None,
        State::Withdrawn { at, reason, .. } => {
            let text = match reason {
                Some(reason) => format!("The agent took it back: {reason}"),
                None => "The agent took it back.".to_owned(),
            };
            Some(End { heading: None, text, signed: at.for_people(zone) })
        }
        State::IdTaken { answer } => Some(End {
            heading: None,
            text: "Cancelled by the service. The answers repository holds something else under this id.".to_owned(),
            signed: answer.at.for_people(zone),
        }),
        State::Ended { answer, .. } => {
            let said = answer.answer.clone().unwrap_or_default();
            let when = answer.at.for_people(zone);
            let text = match answer.outcome {
                Outcome::Chosen | Outcome::OwnWords => format!("You answered: {said}"),
                Outcome::Declined => "Declined: the agent goes on by its own judgement.".to_owned(),
                Outcome::Cancelled => format!("Cancelled by {}.", who(&answer.by)),
            };
            let heading = (answer.outcome == Outcome::OwnWords).then_some(OWN_WORDS_HEADING);
            // The text of a cancellation names who already.
            let signed = match answer.outcome {
                Outcome::Cancelled => when,
                Outcome::Chosen | Outcome::OwnWords | Outcome::Declined => signed(&answer.by, &when),
            };
            Some(End { heading, text, signed })
        }
    }
}

/// What an open question says once its agent has stopped waiting; None while somebody waits, or nobody ever did.
pub fn unattended(record: &Record, zone: &TimeZone) -> Option<String> {
    let since = record.unattended_since.filter(|_| !record.is_over())?;
    Some(format!("No agent waits any more, since {}. An answer is kept all the same.", since.for_people(zone)))
}

/// What a question says while saving its answer takes long: since when, and why. None while it does not.
pub fn being_saved(record: &Record, zone: &TimeZone) -> Option<String> {
    let State::Answering(claim) = &record.state else { return None };
    let delayed = claim.delayed.as_ref()?;
    let reason = &claim.uncertain.as_ref().unwrap_or(delayed).reason;
    let reason = title(&one_line(reason), MOST_REASON);
    Some(format!(
        "An answer is being saved, since {}. It counts once the answers repository has it, and pagerd keeps trying: {reason}",
        claim.answer.at.for_people(zone)
    ))
}

/// A party's name for people.
pub fn who(by: &By) -> String {
    match (&by.id, by.kind) {
        (Some(id), _) => id.clone(),
        (None, Kind::Deadline) => "the deadline".to_owned(),
        (None, Kind::Owner | Kind::Device | Kind::Agent | Kind::Service) => "the service".to_owned(),
    }
}

fn signed(by: &By, when: &str) -> String {
    let place = by.via.map(|via| format!(" {}", via.place())).unwrap_or_default();
    format!("{}{place}, {when}", who(by))
}
