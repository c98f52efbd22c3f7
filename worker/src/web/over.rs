//! A question that is over, as the list of ended ones shows it.

use jiff::tz::TimeZone;
use pager_questions::ends::{self, End};
use pager_questions::{Record, State};

use super::about::About;
use super::card::called;
use super::shown::Shown;

/// One question that is over.
pub struct Over {
    /// Its incarnation.
    pub key: String,
    /// What it was for, where that was more than a question.
    pub purpose: Option<&'static str>,
    /// The agent's name.
    pub agent: String,
    /// The question on one line.
    pub title: Shown,
    /// What it was about; looked for by whoever shows it.
    pub about: Option<About>,
    /// Stands above own words.
    pub heading: Option<&'static str>,
    /// What happened.
    pub text: Shown,
    /// By whom, when and where.
    pub signed: Shown,
    /// The commit that holds the answer.
    pub commit: Option<String>,
    /// Of the subject of an approval.
    pub digest: Option<Shown>,
}

impl Over {
    /// A record that is over; None while it is not.
    pub fn of(record: &Record, zone: &TimeZone) -> Option<Self> {
        let End { heading, text, signed } = ends::end(record, zone)?;
        let commit = match &record.state {
            State::Ended { commit, .. } => Some(commit.chars().take(10).collect()),
            State::Open { .. } | State::Answering(_) | State::Withdrawn { .. } | State::IdTaken { .. } => None,
        };
        Some(Self {
            key: record.question.incarnation.to_string(),
            purpose: called(record.question.purpose),
            agent: record.question.source.agent.to_string(),
            title: Shown::of(&record.question.title()),
            about: None,
            heading,
            text: Shown::of(&text),
            signed: Shown::of(&signed),
            commit,
            digest: Shown::some(record.question.digest.as_ref()),
        })
    }
}
