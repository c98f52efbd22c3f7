//! Which question a key means. Pending ones come first: an ended one is found only to say what happened to it.

use jiff::tz::TimeZone;
use pager_bot::key;
use pager_bot::render::{replies, toasts};
use pager_questions::{Record, State};

use super::{Door, threads};
use crate::service::ServiceError;

/// How many questions are named when a key means several.
const NAMED: u32 = 10;

/// What a key means.
pub(super) enum Meant {
    /// This open question.
    Open(Box<Record>),
    /// An offer whose default holds: what is picked of it is kept.
    Late(Box<Record>, String),
    /// No question that can be settled; this is what to say.
    None(String),
}

/// Looks it up.
pub(super) async fn find(door: &Door, typed: &str) -> Result<Meant, ServiceError> {
    let Some(key) = key::read(typed) else { return Ok(Meant::None(replies::unknown_key(typed))) };
    let found = door.service.store.with_key(&key, NAMED).await?;
    Ok(meant(typed, &found, &door.zone))
}

/// Of what was found, pending ones first.
fn meant(typed: &str, found: &[Record], zone: &TimeZone) -> Meant {
    let open: Vec<Record> = found.iter().filter(|record| matches!(record.state, State::Open { .. })).cloned().collect();
    match (open.as_slice(), found.first()) {
        ([record], _) => Meant::Open(Box::new(record.clone())),
        ([], None) => Meant::None(replies::unknown_key(typed)),
        // The one whose answer is being saved, else the newest of those that ended.
        ([], Some(record)) => {
            let reply = replies::no_longer_open(&toasts::ended(record, zone));
            if threads::is_late(record) { Meant::Late(Box::new(record.clone()), reply) } else { Meant::None(reply) }
        }
        (several, _) => Meant::None(replies::ambiguous_key(typed, several)),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use pager_questions::Incarnation;

    use super::*;
    use crate::store::conformance::samples::{record, withdrawn};

    fn with(name: &str, incarnation: &str) -> Record {
        record(name, |question| question.incarnation = Incarnation::parse(incarnation).unwrap())
    }

    fn said(found: &[Record]) -> String {
        match meant("abc123", found, &TimeZone::UTC) {
            Meant::Open(record) => format!("open: {}", record.question.id),
            Meant::None(reply) | Meant::Late(_, reply) => reply,
        }
    }

    #[test]
    fn a_key_means_the_one_open_question_whatever_ended_under_it() {
        let (open, over) = (with("open", "abc1230000000000"), withdrawn(&with("over", "abc1239999999999")));
        assert_eq!(said(&[open, over]), "open: open");
    }

    #[test]
    fn a_key_of_several_open_questions_is_told_their_longer_keys() {
        let reply = said(&[with("one", "abc1230000000000"), with("two", "abc1239999999999")]);
        assert!(reply.contains("abc1230000000000") && reply.contains("abc1239999999999"), "{reply}");
    }

    #[test]
    fn a_key_of_what_ended_is_told_its_end_and_a_key_of_nothing_so() {
        let reply = said(&[withdrawn(&with("over", "abc1239999999999"))]);
        assert!(reply.contains("The agent took it back"), "{reply}");
        assert!(said(&[]).starts_with("No question has the key abc123"));
    }
}
