//! What an ended question says of its end, and what an open one says when nobody waits.

use jiff::tz::TimeZone;
use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::ends::{OWN_WORDS_HEADING, being_saved, end, unattended};
use pager_questions::{By, Event, Record, Via};

use crate::samples::{self, after, ended};

fn told(record: &Record) -> Option<[String; 2]> {
    end(record, &TimeZone::UTC).map(|end| [end.text, end.signed])
}

#[test]
fn each_end_says_what_happened_and_who_decided() {
    let check = |record: &Record, text: &str, signed: &str| {
        assert_eq!(told(record), Some([text.to_owned(), signed.to_owned()]));
    };
    let by_the_owner = "telegram:4242 in Telegram, 30 Nov 2026, 13:25";
    let when = "30 Nov 2026, 13:25";
    check(&ended(Resolution::Chosen(vec![samples::option_id("1")])), "You answered: Yes, release", by_the_owner);
    check(&ended(Resolution::OwnWords("later".to_owned())), "You answered: later", by_the_owner);
    check(&ended(Resolution::Declined), "Declined: the agent goes on by its own judgement.", by_the_owner);
    check(&ended(Resolution::Cancelled(CancelReason::OwnerCancelled)), "Cancelled by telegram:4242.", when);
    check(&samples::withdrawn(), "The agent took it back: solved", when);
    let taken = "Cancelled by the service. The answers repository holds something else under this id.";
    check(&samples::id_taken(), taken, when);
}

#[test]
fn what_has_not_ended_says_nothing_of_an_end() {
    for record in [samples::open(), samples::answering(), samples::uncertain(), samples::refused()] {
        assert_eq!(told(&record), None, "an outcome is shown only once it is stored");
    }
}

#[test]
fn only_own_words_have_a_heading() {
    let heading = |resolution| end(&ended(resolution), &TimeZone::UTC).unwrap().heading;
    assert_eq!(heading(Resolution::OwnWords("later".to_owned())), Some(OWN_WORDS_HEADING));
    assert_eq!(heading(Resolution::Chosen(vec![samples::option_id("1")])), None);
}

#[test]
fn what_an_agent_settled_is_not_called_the_readers_own_answer() {
    for (resolution, text) in [
        (Resolution::Chosen(vec![samples::option_id("1")]), "Answered: Yes, release"),
        (Resolution::OwnWords("later".to_owned()), "Answered: later"),
    ] {
        let by = By::agent("builder", Via::Cli);
        let claimed = after(&samples::open(), Event::Claim { resolution, by, origin: None, said_at: None });
        let end = end(&after(&claimed, samples::saved(&claimed)), &TimeZone::UTC).unwrap();
        assert_eq!((end.heading, end.text.as_str()), (None, text));
        assert_eq!(end.signed, "agent:builder on the command line, 30 Nov 2026, 13:25");
    }
}

#[test]
fn times_are_those_of_the_owners_zone() {
    let zone = TimeZone::fixed(jiff::tz::offset(1));
    let end = end(&ended(Resolution::Declined), &zone).unwrap();
    assert!(end.signed.ends_with("30 Nov 2026, 14:25"), "{}", end.signed);
}

#[test]
fn that_no_agent_waits_is_said_while_the_question_is_open_only() {
    let record = after(&samples::open(), Event::Unattended { since: samples::asked_at() });
    let line = "No agent waits any more, since 30 Nov 2026, 13:22. An answer is kept all the same.";
    assert_eq!(unattended(&record, &TimeZone::UTC).as_deref(), Some(line));
    let withdrawn = after(&record, Event::Withdraw { by: samples::asking_agent(), reason: None });
    assert_eq!(unattended(&withdrawn, &TimeZone::UTC), None);
    assert_eq!(unattended(&samples::open(), &TimeZone::UTC), None, "nobody ever waited");
}

#[test]
fn an_answer_that_waits_for_its_repository_says_since_when_and_why_and_never_that_it_is_saved() {
    let delayed = after(&samples::answering(), Event::Delayed { claim: 2, reason: "no\nroute".to_owned() });
    let line = |record: &Record| being_saved(record, &TimeZone::UTC);
    let since = "An answer is being saved, since 30 Nov 2026, 13:25. It counts once the answers repository has it, and \
                 pagerd keeps trying: ";
    assert_eq!(line(&delayed), Some(format!("{since}no route")));
    let uncertain = after(&delayed, Event::Uncertain { claim: 2, reason: "a reset".to_owned() });
    assert_eq!(line(&uncertain), Some(format!("{since}a reset")), "the newest reason");
    for record in [samples::open(), samples::answering(), samples::uncertain(), samples::refused(), samples::withdrawn()] {
        assert_eq!(line(&record), None);
    }
}
