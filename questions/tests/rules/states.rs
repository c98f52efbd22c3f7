//! The table of chapter 1: every event in every state, and what it leaves behind.

use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::view::state_name;
use pager_questions::{Delivery, DeliveryState, Effect, Event, Record, Refusal, State, apply};

use crate::samples::{self, after, claim, later};

fn cell(record: &Record, event: &Event) -> String {
    match apply(record, event.clone(), later()) {
        Err(refusal) => format!("! {refusal:?}"),
        Ok((next, effects)) if next == *record => {
            assert!(effects.is_empty());
            "the same".to_owned()
        }
        Ok((next, effects)) => {
            let names: Vec<&str> = effects.iter().map(Effect::name).collect();
            format!("{} +{}", state_name(&next.state), names.join("+"))
        }
    }
}

#[test]
fn each_event_in_each_state_does_what_the_table_says() {
    let states = [
        ("open", samples::open()),
        ("answering", samples::answering()),
        ("answered", samples::ended(Resolution::Chosen(vec![samples::option_id("1")]))),
        ("id taken", samples::id_taken()),
        ("withdrawn", samples::withdrawn()),
    ];
    let events = [
        ("pick", samples::choose()),
        ("text", claim(Resolution::OwnWords("later".to_owned()), Some("text"))),
        ("decline", claim(Resolution::Declined, None)),
        ("cancel", claim(Resolution::Cancelled(CancelReason::OwnerCancelled), None)),
        ("no such option", claim(Resolution::Chosen(vec![samples::option_id("9")]), None)),
        ("withdraw", Event::Withdraw { by: samples::asking_agent(), reason: None }),
        ("saved", Event::Saved { claim: 2, signature: "ed25519:".to_owned(), commit: "c".to_owned() }),
        ("saved, stale", Event::Saved { claim: 1, signature: "ed25519:".to_owned(), commit: "c".to_owned() }),
        ("refused", Event::Refused { claim: 2, reason: "no".to_owned() }),
        ("refused, stale", Event::Refused { claim: 3, reason: "no".to_owned() }),
        ("uncertain", Event::Uncertain { claim: 2, reason: "?".to_owned() }),
        ("delayed", Event::Delayed { claim: 2, reason: "?".to_owned() }),
        ("taken", Event::Taken { claim: 2 }),
        ("found", samples::found()),
        ("found, another", samples::found_of_another_record()),
        ("unattended", Event::Unattended { since: samples::asked_at() }),
    ];
    let mut table = format!("{:<15}", "event");
    for (name, _) in &states {
        table.push_str(&format!("| {name:<18}"));
    }
    for (name, event) in &events {
        table.push_str(&format!("\n{name:<15}"));
        for (_, record) in &states {
            table.push_str(&format!("| {:<18}", cell(record, event)));
        }
    }
    let table: Vec<&str> = table.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(table.join("\n"), @r"
    event          | open              | answering         | answered          | id taken          | withdrawn
    pick           | answering +save   | ! Answering       | ! AlreadyAnswered | ! AlreadyAnswered | ! Withdrawn
    text           | answering +save   | ! Answering       | ! AlreadyAnswered | ! AlreadyAnswered | ! Withdrawn
    decline        | answering +save   | ! Answering       | ! AlreadyAnswered | ! AlreadyAnswered | ! Withdrawn
    cancel         | answering +save   | ! Answering       | ! AlreadyAnswered | ! AlreadyAnswered | ! Withdrawn
    no such option | ! NotAnOption     | ! Answering       | ! AlreadyAnswered | ! AlreadyAnswered | ! Withdrawn
    withdraw       | withdrawn +close  | ! Answering       | ! AlreadyAnswered | ! AlreadyAnswered | the same
    saved          | ! Stale           | answered +close   | ! Stale           | ! Stale           | ! Stale
    saved, stale   | ! Stale           | ! Stale           | ! Stale           | ! Stale           | ! Stale
    refused        | ! Stale           | open +regret      | ! Stale           | ! Stale           | ! Stale
    refused, stale | ! Stale           | ! Stale           | ! Stale           | ! Stale           | ! Stale
    uncertain      | ! Stale           | answering +       | ! Stale           | ! Stale           | ! Stale
    delayed        | ! Stale           | answering +refresh| ! Stale           | ! Stale           | ! Stale
    taken          | ! Stale           | cancelled +close  | ! Stale           | ! Stale           | ! Stale
    found          | answered +close   | ! Answering       | ! AlreadyAnswered | ! AlreadyAnswered | ! Withdrawn
    found, another | ! Stale           | ! Stale           | ! Stale           | ! Stale           | ! Stale
    unattended     | open +refresh     | the same          | the same          | the same          | the same
    ");
}

#[test]
fn news_of_the_delivery_changes_nothing_but_the_delivery() {
    let shown = Delivery { state: DeliveryState::Shown, reason: None, link: Some("https://t.me/c/1/2".to_owned()) };
    for record in [samples::open(), samples::answering(), samples::uncertain(), samples::id_taken(), samples::withdrawn()] {
        let next = after(&record, Event::Deliver(shown.clone()));
        assert_eq!(next.delivery, shown);
        assert_eq!(next.revision, record.revision + 1);
        assert_eq!(next.state, record.state);
        assert_eq!(after(&next, Event::Deliver(shown.clone())), next, "the same news twice");
    }
}

#[test]
fn a_delivery_while_an_answer_is_saved_does_not_make_the_claim_stale() {
    let record = samples::answering();
    let shown = Delivery { state: DeliveryState::Shown, reason: None, link: None };
    let record = after(&record, Event::Deliver(shown));
    let event = samples::saved(&record);
    assert!(after(&record, event).answer().is_some());
}

#[test]
fn a_refused_answer_reopens_the_question_and_another_claim_gets_another_number() {
    let record = samples::refused();
    assert!(matches!(&record.state, State::Open { refused: Some(note) } if note.reason == "a rule forbids it"));
    let (again, effects) = apply(&record, samples::choose(), later()).unwrap();
    assert_eq!(effects, [Effect::Save { claim: 4 }]);
    let late = Event::Saved { claim: 2, signature: "ed25519:".to_owned(), commit: "c".to_owned() };
    assert_eq!(apply(&again, late, later()), Err(Refusal::Stale), "the first claim's late success is not this one's");
}

#[test]
fn an_uncertain_save_keeps_the_moment_of_the_first_doubt() {
    let record = samples::uncertain();
    let again = Event::Uncertain { claim: 2, reason: "again no reply".to_owned() };
    let (next, _) = apply(&record, again, later().plus_millis(60_000)).unwrap();
    let note = samples::claim_of(&next).uncertain.clone().unwrap();
    assert_eq!((note.at, note.reason.as_str()), (later(), "again no reply"));
}

#[test]
fn who_wrote_is_thanked_only_for_words_that_came_as_a_text() {
    let names = |resolution, origin| {
        let record = after(&samples::open(), claim(resolution, origin));
        let (_, effects) = apply(&record, samples::saved(&record), later()).unwrap();
        effects
    };
    let thank = Effect::Thank { origin: "text 7".to_owned() };
    assert_eq!(names(Resolution::OwnWords("later".to_owned()), Some("text 7")), [Effect::Close, thank]);
    assert_eq!(names(Resolution::OwnWords("later".to_owned()), None), [Effect::Close]);
    assert_eq!(names(Resolution::Chosen(vec![samples::option_id("1")]), Some("press 7")), [Effect::Close]);
}

#[test]
fn who_answered_is_told_when_it_could_not_be_saved() {
    let record = after(&samples::open(), claim(Resolution::OwnWords("later".to_owned()), Some("text 7")));
    let refused = Event::Refused { claim: 2, reason: "a rule forbids it".to_owned() };
    let (_, effects) = apply(&record, refused, later()).unwrap();
    let regret = Effect::Regret { origin: Some("text 7".to_owned()), reason: "a rule forbids it".to_owned() };
    assert_eq!(effects, [regret]);
}

#[test]
fn an_id_that_holds_something_else_cancels_by_the_service_without_words_of_anybody() {
    let record = samples::id_taken();
    let answer = record.answer().unwrap();
    assert_eq!(answer.reason.as_deref(), Some("id_taken"));
    assert_eq!(answer.by, pager_questions::By::service());
    assert_eq!((&answer.answer, &answer.choice, &answer.signature), (&None, &None, &None));
}

#[test]
fn an_answer_that_the_repository_had_all_along_counts_as_it_stands_there() {
    let Event::Found { answer, .. } = samples::found() else { unreachable!("a sample") };
    let record = after(&samples::open(), samples::found());
    assert_eq!(record.answer(), Some(&*answer));
    assert_eq!(record.answer().unwrap().verify(&[samples::key().verifying()]), Ok(()));
}

#[test]
fn that_nobody_waits_is_told_once_and_an_answer_counts_all_the_same() {
    let unattended = Event::Unattended { since: samples::asked_at() };
    let record = after(&samples::open(), unattended.clone());
    assert_eq!(record.unattended_since, Some(samples::asked_at()));
    assert_eq!(after(&record, unattended), record, "told twice");
    let answering = after(&record, samples::choose());
    assert!(after(&answering, samples::saved(&answering)).answer().is_some());
}

#[test]
fn a_delayed_save_is_told_once_and_taken_back_when_it_is_refused() {
    let event = |reason: &str| Event::Delayed { claim: 2, reason: reason.to_owned() };
    let delayed = after(&samples::answering(), event("no reply yet"));
    assert_eq!(after(&delayed, event("still no reply")), delayed);
    let refused = Event::Refused { claim: 2, reason: "a rule forbids it".to_owned() };
    let (_, effects) = apply(&delayed, refused, later()).unwrap();
    assert_eq!(effects.iter().map(Effect::name).collect::<Vec<_>>(), ["regret", "refresh"]);
}
