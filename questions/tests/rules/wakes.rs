//! Asking with a wake target: what its name may be, which ends wake it, and what is not said of such a question.

use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::{Effect, Event, Question, Record, RecordView, WakeName, apply};
use serde_json::json;

use crate::drafts::{asked, body, check_refused, read};
use crate::samples;

fn open() -> Record {
    Record::asked(Question { wake: WakeName::parse("nightly").ok(), ..samples::question() })
}

fn effects(record: &Record, event: Event) -> Vec<Effect> {
    apply(record, event, samples::later()).unwrap().1
}

#[test]
fn a_target_is_a_name_and_shows_in_the_record() {
    let question = asked(body(json!({"wake": "nightly_run-2"})));
    assert_eq!(question.wake, WakeName::parse("nightly_run-2").ok());
    let shown = serde_json::to_value(RecordView::from(&Record::asked(question))).unwrap();
    assert_eq!(shown["wake"], "nightly_run-2");
    for not_a_name in ["https://x.example/hook", "Nightly", "", "-a", "a.b", "a b", &"a".repeat(65)] {
        check_refused(body(json!({"wake": not_a_name})), "invalid", "wake");
    }
    check_refused(body(json!({"wake": {"url": "https://x.example"}})), "invalid", "wake");
}

#[test]
fn a_draft_without_one_is_what_it_was_before_there_were_any() {
    let fingerprint = read(body(json!({}))).unwrap().fingerprint();
    assert_eq!(fingerprint, read(body(json!({"wake": null}))).unwrap().fingerprint());
    assert!(!serde_json::to_string(&samples::question()).unwrap().contains("wake"));
}

#[test]
fn every_end_but_a_withdrawal_wakes_and_no_other_step_does() {
    for resolution in [
        Resolution::Chosen(vec![samples::option_id("1")]),
        Resolution::OwnWords("After lunch".to_owned()),
        Resolution::Declined,
        Resolution::Cancelled(CancelReason::OwnerCancelled),
    ] {
        let claim = samples::claim(resolution, None);
        assert!(!effects(&open(), claim.clone()).contains(&Effect::Wake));
        let answering = samples::after(&open(), claim);
        assert_eq!(effects(&answering, samples::saved(&answering)), [Effect::Close, Effect::Wake]);
        assert_eq!(effects(&answering, Event::Taken { claim: 2 }), [Effect::Close, Effect::Wake]);
        let refused = Event::Refused { claim: 2, reason: "no".to_owned() };
        assert!(!effects(&answering, refused).contains(&Effect::Wake));
    }
    assert_eq!(effects(&open(), samples::found()), [Effect::Close, Effect::Wake]);
    let withdraw = Event::Withdraw { by: samples::asking_agent(), reason: None };
    assert_eq!(effects(&open(), withdraw), [Effect::Close]);
}

#[test]
fn a_question_that_wakes_is_never_shown_as_left_alone() {
    let unattended = Event::Unattended { since: samples::asked_at() };
    let (record, effects) = apply(&open(), unattended.clone(), samples::later()).unwrap();
    assert_eq!((record.unattended_since, effects), (None, vec![]));
    assert!(samples::after(&samples::open(), unattended).unattended_since.is_some());
}
