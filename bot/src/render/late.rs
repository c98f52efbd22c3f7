//! What a text is told that came once the deadline of its question had passed: that nobody answered, and what the agent went on with.
//! No outcome is told of before it is stored.

use jiff::tz::TimeZone;
use pager_questions::by::Kind;
use pager_questions::text::{one_line, reveal};
use pager_questions::{Outcome, Record, State, ends};

/// What happened by the deadline; None for what ended otherwise, or has not ended.
pub fn happened(record: &Record, zone: &TimeZone) -> Option<String> {
    let question = &record.question;
    let answer = match &record.state {
        State::Answering(claim) if claim.answer.by.kind == Kind::Deadline => {
            let deadline = question.deadline?.for_people(zone);
            return Some(format!("Too late to be the answer: the deadline, {deadline}, has passed."));
        }
        State::Ended { answer, .. } => answer,
        State::Open { .. } | State::Answering(_) | State::Withdrawn { .. } | State::IdTaken { .. } => return None,
    };
    let by = question.deadline.unwrap_or(answer.at).for_people(zone);
    match answer.outcome {
        Outcome::Defaulted => {
            let default = answer.default.as_ref().and_then(|id| question.option(id.as_str()));
            let label = default.map(|option| reveal(&one_line(&option.label))).unwrap_or_default();
            Some(format!("Too late to be the answer: nobody answered by {by}, and the agent went on with its default: {label}"))
        }
        Outcome::Expired => {
            let meant = ends::otherwise(question.purpose).unwrap_or_else(|| "Not answered".to_owned());
            Some(format!("Too late to be the answer: nobody answered by {by}. {meant}; ask the agent to ask again."))
        }
        Outcome::Chosen | Outcome::OwnWords | Outcome::Declined | Outcome::Cancelled => None,
    }
}

/// The whole reply to such a text, which is kept as a request.
pub fn reply(record: &Record, zone: &TimeZone) -> Option<String> {
    happened(record, zone).map(|happened| format!("{happened}\nYour text is kept as a request about it."))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use jiff::tz::offset;
    use pager_questions::{Author, Draft, Event, Incarnation, QuestionId, Time, apply};
    use serde_json::{Value, json};

    use super::*;

    const DEADLINE: &str = "2026-12-01T12:00:00Z";

    fn asked(body: Value) -> Record {
        let draft = Draft::read(body, &Author::parse("ci").unwrap()).unwrap();
        let incarnation = Incarnation::parse("9f3c2a715be04d18").unwrap();
        Record::asked(draft.ask(QuestionId::parse("rel-42").unwrap(), incarnation, Time::from_millis(0)))
    }

    fn due(body: Value) -> Record {
        apply(&asked(body), Event::Due, Time::parse(DEADLINE).unwrap().plus_millis(7)).unwrap().0
    }

    fn saved(record: &Record) -> Record {
        let event = Event::Saved { claim: record.revision, signature: "ed25519:x".to_owned(), commit: "c0ffee".to_owned() };
        apply(record, event, Time::parse(DEADLINE).unwrap()).unwrap().0
    }

    #[test]
    fn a_late_text_is_told_who_went_on_with_what_and_when_once_that_is_stored() {
        let zone = TimeZone::fixed(offset(1));
        let options = json!([{"label": "Yes"}, {"label": "No\u{202e}"}]);
        let question = json!({"text": "Go on?", "options": options, "deadline": DEADLINE, "default": "2"});
        let defaulting = due(question.clone());
        insta::assert_snapshot!(reply(&defaulting, &zone).unwrap(), @r"
        Too late to be the answer: the deadline, 1 Dec 2026, 13:00, has passed.
        Your text is kept as a request about it.
        ");
        insta::assert_snapshot!(reply(&saved(&defaulting), &zone).unwrap(), @r"
        Too late to be the answer: nobody answered by 1 Dec 2026, 13:00, and the agent went on with its default: No\u{202e}
        Your text is kept as a request about it.
        ");
        let approval = json!({"text": "Merge?", "purpose": "approval", "gate": "merge", "waiting_on": "x", "deadline": DEADLINE});
        insta::assert_snapshot!(reply(&saved(&due(approval)), &zone).unwrap(), @r"
        Too late to be the answer: nobody answered by 1 Dec 2026, 13:00. Not approved; ask the agent to ask again.
        Your text is kept as a request about it.
        ");
        assert_eq!(reply(&asked(question), &zone), None);
    }
}
