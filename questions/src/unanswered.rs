//! What nobody answered, as its author sees it: a pull view, made of the records anew each time. It posts nothing anywhere.

use serde::{Deserialize, Serialize};

use crate::text::{one_line, reveal};
use crate::{Author, QuestionId, Record, State, ThreadId, Time};

/// From this age on it is over, answered or not: 3 days, in milliseconds.
pub const OVER_AFTER_MILLIS: i64 = 3 * DAY;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// What opens a thread: a request, or a question that is about nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Opened<'a> {
    /// Its id.
    pub id: &'a ThreadId,
    /// A request's title, or the name of a question's topic.
    pub title: &'a str,
    /// When it was asked, perhaps by another clock.
    pub asked_at: Time,
    /// Its own deadline.
    pub deadline: Option<Time>,
    /// How many answers of other authors stand in its thread.
    pub answers: u64,
    /// The questions about it that still wait for its author.
    pub clarifies: &'a [Record],
}

/// The summary of one. Readers ignore names that they do not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Unanswered {
    /// The request or question.
    pub id: ThreadId,
    /// On one line.
    pub title: String,
    /// How old it is, in whole seconds; 0 for what another clock dates in the future.
    pub age_secs: u64,
    /// Answers of other authors.
    pub answers: u64,
    /// Replies of a kind other than answer and clarify.
    pub offers: u64,
    /// What waits for its author.
    pub clarifies: Vec<Clarify>,
    /// All of it in a line.
    pub notice: String,
}

/// A question about it that waits for its author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Clarify {
    /// The question.
    pub id: QuestionId,
    /// Who asks it.
    pub author: Author,
    /// The labels of its options.
    pub options: Vec<String>,
    /// The label of its default.
    pub default: Option<String>,
}

/// The summary of what was opened, when it is unanswered: nobody else answered, its own deadline is past or without one it is older
/// than `after` milliseconds (0: only a deadline counts), and it is less than 3 days old.
pub fn unanswered(opened: &Opened<'_>, now: Time, after: i64) -> Option<Unanswered> {
    let age = now.as_millis().saturating_sub(opened.asked_at.as_millis()).max(0);
    let is_late = match opened.deadline {
        Some(deadline) => now >= deadline,
        None => after > 0 && age > after,
    };
    if opened.answers > 0 || !is_late || age >= OVER_AFTER_MILLIS {
        return None;
    }
    let title = one_line(&reveal(opened.title));
    let clarifies: Vec<Clarify> = opened.clarifies.iter().filter(|record| waits(record)).map(Clarify::of).collect();
    let notice = notice(&title, age, opened.answers, &clarifies);
    let age_secs = (age / 1000).unsigned_abs();
    Some(Unanswered { id: opened.id.clone(), title, age_secs, answers: opened.answers, offers: 0, clarifies, notice })
}

fn waits(record: &Record) -> bool {
    matches!(record.state, State::Open { .. })
}

impl Clarify {
    /// What waits of this record.
    pub fn of(record: &Record) -> Self {
        let question = &record.question;
        let label = |id: &crate::OptionId| question.option(id.as_str()).map(|option| option.label.clone());
        Self {
            id: question.id.clone(),
            author: question.source.agent.clone(),
            options: question.options.iter().map(|option| option.label.clone()).collect(),
            default: question.default.as_ref().and_then(label),
        }
    }
}

fn notice(title: &str, age: i64, answers: u64, clarifies: &[Clarify]) -> String {
    let counted = |count: u64, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    let mut notice = format!("your ask '{title}': {} after {}", counted(answers, "answer", "answers"), floored(age));
    if !clarifies.is_empty() {
        let offered: Vec<String> =
            clarifies.iter().filter_map(|clarify| clarify.options.first()).map(|label| one_line(&reveal(label))).collect();
        let count = u64::try_from(clarifies.len()).unwrap_or(u64::MAX);
        notice.push_str(&format!(" · {}", counted(count, "clarify", "clarifies")));
        if !offered.is_empty() {
            notice.push_str(&format!(" offering {}", offered.join(", ")));
        }
    }
    notice
}

/// `31 min`, from two hours on `5 h`, from two days on `2 d`; never more than it is.
fn floored(age: i64) -> String {
    match age {
        age if age < 2 * HOUR => format!("{} min", age / MINUTE),
        age if age < 2 * DAY => format!("{} h", age / HOUR),
        age => format!("{} d", age / DAY),
    }
}
