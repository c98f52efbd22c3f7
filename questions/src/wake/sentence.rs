//! Why an agent is woken, in one sentence for its prompt: words of the service. Of what anybody wrote only the agent's own labels get
//! in, on one line and without anything that looks like a fence.

use crate::resume::fence::defused;
use crate::text::{one_line, reveal};
use crate::{Outcome, Purpose, Question, Record};

/// The end of a record; None where that wakes nobody.
pub fn of_end(record: &Record) -> Option<String> {
    super::Reason::of_end(record)?;
    let (question, answer) = (&record.question, record.answer()?);
    let noun = noun(question.purpose);
    let sentence = match answer.outcome {
        Outcome::Chosen if question.purpose == Purpose::Offer => {
            format!("your offer was picked ({})", label(answer.answer.as_deref().unwrap_or_default()))
        }
        Outcome::OwnWords if question.purpose == Purpose::Offer => "your offer was answered in words".to_owned(),
        Outcome::Chosen | Outcome::OwnWords => format!("your {noun} was answered"),
        Outcome::Declined => format!("your {noun} was declined"),
        Outcome::Cancelled => format!("your {noun} was called off: nobody decided anything"),
        Outcome::Defaulted => defaulted(question),
        Outcome::Expired => {
            let meant = question.purpose.rules().yes.map_or("not answered", |yes| yes.otherwise);
            format!("your {noun} got no answer by its deadline: {meant}, do not go on with it")
        }
    };
    Some(sentence)
}

/// What was picked of an offer after its default held.
pub fn of_late_pick() -> String {
    "a late pick of your offer: its default held already, this was picked afterwards".to_owned()
}

/// A reply in the thread of the agent's request.
pub fn of_reply() -> String {
    "somebody replied to your request".to_owned()
}

/// A question that is put to the agent.
pub fn of_awaiting(question: &Question) -> String {
    format!("{} about your request waits for you alone", question.purpose.rules().called)
}

/// A request of interest.
pub fn of_request() -> String {
    "a new request of interest".to_owned()
}

fn defaulted(question: &Question) -> String {
    let noun = if question.purpose == Purpose::Offer { "clarify" } else { noun(question.purpose) };
    let default = question.default.as_ref().and_then(|id| question.option(id.as_str()));
    let default = default.map(|option| label(&option.label)).unwrap_or_default();
    format!("your {noun} got no answer by its deadline: go on with its default ({default})")
}

fn noun(purpose: Purpose) -> &'static str {
    let called = purpose.rules().called;
    called.split_once(' ').map_or(called, |(_, noun)| noun)
}

fn label(label: &str) -> String {
    defused(&one_line(&reveal(label)))
}
