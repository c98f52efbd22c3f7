//! What an owner is reminded with, halfway to a question's deadline: until when, and what happens then.

use jiff::tz::TimeZone;
use pager_questions::text::{one_line, reveal};
use pager_questions::{Question, ends};

/// The line; None for a question without a deadline.
pub fn reminder(question: &Question, zone: &TimeZone) -> Option<String> {
    let deadline = question.deadline?.for_people(zone);
    let default = question.default.as_ref().and_then(|id| question.option(id.as_str()));
    Some(match default {
        Some(option) => {
            let label = reveal(&one_line(&option.label));
            format!("⏰ Nobody has answered yet. At {deadline} the agent goes on with its default: {label}")
        }
        None if question.ends_at().is_some() => {
            let meant = ends::otherwise(question.purpose).unwrap_or_else(|| "Not answered".to_owned());
            format!("⏰ Nobody has answered yet. At {deadline} it ends without an answer: {meant}.")
        }
        None => {
            format!("⏰ Nobody has answered yet. An answer is waited for until {deadline}; the question stays open after that.")
        }
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use jiff::tz::offset;
    use pager_questions::{Author, Draft, Incarnation, QuestionId, Time};
    use serde_json::{Value, json};

    use super::*;

    fn of(body: Value) -> Option<String> {
        let draft = Draft::read(body, &Author::parse("ci").unwrap()).unwrap();
        let incarnation = Incarnation::parse("9f3c2a715be04d18").unwrap();
        let question = draft.ask(QuestionId::parse("rel-42").unwrap(), incarnation, Time::from_millis(0));
        reminder(&question, &TimeZone::fixed(offset(1)))
    }

    #[test]
    fn it_says_until_when_in_the_owners_zone_and_what_happens_then() {
        let at = "2026-12-01T12:00:00Z";
        let options = json!([{"label": "Yes"}, {"label": "No\u{202e}, and\nwait"}]);
        let question = json!({"text": "Go on?", "options": options, "deadline": at, "default": "2"});
        insta::assert_snapshot!(of(question).unwrap(), @r"⏰ Nobody has answered yet. At 1 Dec 2026, 13:00 the agent goes on with its default: No\u{202e}, and wait");
        let approval = json!({"text": "Merge?", "purpose": "approval", "gate": "merge", "waiting_on": "x", "deadline": at});
        insta::assert_snapshot!(of(approval).unwrap(), @"⏰ Nobody has answered yet. At 1 Dec 2026, 13:00 it ends without an answer: Not approved.");
        let clarification = json!({"text": "Where?", "waiting_on": "x", "deadline": at});
        insta::assert_snapshot!(of(clarification).unwrap(), @"⏰ Nobody has answered yet. An answer is waited for until 1 Dec 2026, 13:00; the question stays open after that.");
        assert_eq!(of(json!({"text": "Where?", "waiting_on": "x"})), None);
    }
}
