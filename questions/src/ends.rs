//! What an ended question says of its end. One table, for every surface.

use jiff::tz::TimeZone;

use crate::by::Kind;
use crate::text::{one_line, title};
use crate::{Answer, By, Outcome, Purpose, Question, Record, State};

/// Stands above somebody's own words.
pub const OWN_WORDS_HEADING: &str = "Your answer, in your own words";

/// Stands where private words would.
pub const PRIVATE: &str = "Private answer";

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
        State::Ended { answer, .. } => Some(settled(&record.question, answer, zone)),
    }
}

fn settled(question: &Question, answer: &Answer, zone: &TimeZone) -> End {
    let when = answer.at.for_people(zone);
    let by_whom = || signed(&answer.by, &when);
    let plain = |text: String, signed: String| End { heading: None, text, signed };
    match answer.outcome {
        Outcome::Chosen | Outcome::OwnWords => {
            let is_agents = answer.by.kind == Kind::Agent;
            let heading = (answer.outcome == Outcome::OwnWords && !is_agents).then_some(OWN_WORDS_HEADING);
            // Whoever asked for a yes and got something else must not read a no as one.
            let meant = otherwise(question.purpose).filter(|_| question.is_yes(answer) == Some(false));
            let signed = meant.map_or_else(by_whom, |meant| format!("{meant}. {}", by_whom()));
            let who = if is_agents { "Answered" } else { "You answered" };
            End { heading, text: format!("{who}: {}", said(answer)), signed }
        }
        Outcome::Declined => plain(format!("{}.", declined(question.purpose)), by_whom()),
        // The text names who already, or that it was nobody.
        Outcome::Cancelled => plain(format!("Cancelled by {}.", who(&answer.by)), when),
        Outcome::Defaulted => {
            let default = answer.default.as_ref().and_then(|id| question.option(id.as_str()));
            let label = default.map(|option| option.label.clone()).unwrap_or_default();
            plain(defaulted(&due(question, answer, zone), &label), String::new())
        }
        Outcome::Expired => plain(expired(question.purpose, &due(question, answer, zone)), String::new()),
    }
}

/// What every end but its yes means: `Not approved`; None for a purpose that asks for no yes.
pub fn otherwise(purpose: Purpose) -> Option<String> {
    purpose.rules().yes.map(|yes| capital(yes.otherwise))
}

/// What a declined question says, without a final full stop.
pub fn declined(purpose: Purpose) -> String {
    let meant = purpose.rules().yes.map_or("the agent goes on by its own judgement", |yes| yes.otherwise);
    format!("Declined: {meant}")
}

/// What a question says that nobody answered by its deadline, and whose default holds.
pub fn defaulted(due: &str, label: &str) -> String {
    format!("Nobody answered by {due}. The agent goes on with its default: {label}")
}

/// What a question says that nobody answered by its deadline, without a default.
pub fn expired(purpose: Purpose, due: &str) -> String {
    let meant = otherwise(purpose).unwrap_or_else(|| "Not answered".to_owned());
    format!("Nobody answered by {due}. {meant}.")
}

/// What somebody chose or wrote, for people; for private words only that there were some.
pub fn said(answer: &Answer) -> String {
    if answer.private == Some(true) { PRIVATE.to_owned() } else { answer.answer.clone().unwrap_or_default() }
}

/// The deadline that passed.
fn due(question: &Question, answer: &Answer, zone: &TimeZone) -> String {
    question.deadline.unwrap_or(answer.at).for_people(zone)
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
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
