//! Deadlines: how they are read, held to bounds, and what they end.

use jiff::tz::TimeZone;
use pager_questions::apply::Resolution;
use pager_questions::draft::Bounds;
use pager_questions::ends::end;
use pager_questions::resume::resume_message;
use pager_questions::view::state_name;
use pager_questions::{By, Event, Question, Record, Refusal, Time, apply};
use serde_json::{Value, json};

use crate::drafts::{body, check_refused, read};
use crate::samples::{self, after, claim, option_id};

const NOON: &str = "2026-12-01T12:00:00.000Z";

fn noon() -> Time {
    Time::parse(NOON).unwrap()
}

fn deadline(value: Value) -> (Option<Time>, usize) {
    let draft = read(body(json!({"deadline": value, "default": "1"}))).unwrap();
    let question = draft.ask(samples::question().id, samples::question().incarnation, samples::asked_at());
    assert_eq!(question.deadline.is_some(), question.default.is_some(), "left out together");
    (question.deadline, draft.warnings.len())
}

#[test]
fn a_deadline_is_rfc_3339_or_whole_seconds() {
    for value in [json!(NOON), json!("2026-12-01T13:00:00+01:00"), json!(1_796_126_400), json!("1796126400")] {
        assert_eq!(deadline(value.clone()), (Some(noon()), 0), "{value}");
    }
}

#[test]
fn a_deadline_of_less_than_milliseconds_is_never_read_as_an_earlier_one() {
    for value in ["2026-12-01T11:59:59.999000001Z", "2026-12-01T11:59:59.9995Z", "2026-12-01T12:59:59.9999+01:00"] {
        assert_eq!(deadline(json!(value)), (Some(noon()), 0), "{value}");
    }
    assert_eq!(deadline(json!("2026-12-01T11:59:59.999Z")), (Some(noon().plus_millis(-1)), 0));
}

#[test]
fn what_is_no_time_is_left_out_with_its_default_and_reported() {
    for value in [
        json!(1_796_126_400.5),
        json!(-1),
        json!(1_796_126_400_000_u64),
        json!("1796126400000"),
        json!("+050000-01-01T00:00:00Z"),
        json!("1796126400.5"),
        json!("-5"),
        json!("soon"),
        json!("2026-12-01"),
        json!(""),
        json!(true),
        json!([NOON]),
        json!(u64::MAX),
    ] {
        assert_eq!(deadline(value.clone()), (None, 1), "{value}");
    }
    let draft = read(body(json!({"deadline": "soon"}))).unwrap();
    assert!(draft.warnings[0].contains("stays open"), "{:?}", draft.warnings);
}

#[test]
fn a_default_needs_a_deadline_and_is_one_of_the_options() {
    check_refused(body(json!({"default": "1"})), "invalid", "default");
    check_refused(body(json!({"deadline": NOON, "default": "3"})), "invalid", "default");
    check_refused(body(json!({"deadline": NOON, "default": "No"})), "invalid", "default");
}

#[test]
fn silence_never_settles_what_is_hard_to_reverse_or_asks_for_a_yes() {
    check_refused(body(json!({"deadline": NOON, "default": "1", "reversibility": "hard_to_reverse"})), "invalid", "default");
    for (purpose, default) in [("approval", "approve"), ("action", "done"), ("verify", "works"), ("clarification", "1")] {
        let draft = json!({"text": "?", "purpose": purpose, "waiting_on": "x", "deadline": NOON, "default": default});
        check_refused(draft.clone(), "invalid", "default");
        let mut without = draft;
        without["default"] = Value::Null;
        assert!(read(without).is_ok(), "{purpose} may have a deadline alone");
    }
    let options = json!([{"label": "A", "detail": "a"}, {"label": "B", "detail": "b"}]);
    let decision = json!({"purpose": "decision", "recommended": "1", "options": options, "waiting_on": "x"});
    let mut decision = body(decision);
    decision["deadline"] = json!(NOON);
    decision["default"] = json!("1");
    check_refused(decision, "invalid", "default");
}

#[test]
fn an_early_deadline_is_moved_with_a_warning_and_a_late_one_refused() {
    let bounds = Bounds { least: 60_000, most: 3_600_000 };
    let draft = read(body(json!({"deadline": NOON, "default": "1"}))).unwrap();
    let at = |before: i64| draft.within(&bounds, noon().plus_millis(-before));
    assert_eq!(at(60_000).unwrap(), draft, "exactly the least");
    assert_eq!(at(3_600_000).unwrap(), draft, "exactly the most");
    let moved = at(59_999).unwrap();
    let question = moved.ask(samples::question().id, samples::question().incarnation, samples::asked_at());
    assert_eq!((question.deadline, moved.warnings.len()), (Some(noon().plus_millis(1)), 1));
    assert_eq!(at(-5).unwrap().warnings.len(), 1, "one that has passed");
    assert_eq!(at(3_600_001).unwrap_err().field, "deadline");
}

#[test]
fn a_deadline_is_a_time_and_makes_no_other_question() {
    let print = |changes| read(body(changes)).unwrap().fingerprint();
    assert_eq!(print(json!({"deadline": NOON})), print(json!({})));
    assert_ne!(print(json!({"deadline": NOON, "default": "1"})), print(json!({})));
}

fn asked(purpose: &str, default: Option<&str>) -> Record {
    let mut draft = json!({"text": "Go on?", "purpose": purpose, "waiting_on": "x", "deadline": NOON, "default": default});
    if purpose == "question" {
        draft["options"] = json!([{"label": "Yes"}, {"label": "No"}]);
    }
    let question: Question = crate::drafts::asked(draft);
    Record::asked(question)
}

fn due(record: &Record, at: Time) -> Result<Record, Refusal> {
    apply(record, Event::Due, at).map(|(record, _)| record)
}

#[test]
fn nothing_ends_a_millisecond_before_and_everything_at_the_deadline() {
    let record = asked("question", Some("2"));
    assert_eq!(due(&record, noon().plus_millis(-1)).unwrap(), record);
    let claimed = due(&record, noon()).unwrap();
    assert_eq!(state_name(&claimed.state), "answering");
    let ended = after(&claimed, samples::saved(&claimed));
    let answer = ended.answer().unwrap();
    assert_eq!((answer.outcome.as_str(), &answer.by, answer.at), ("defaulted", &By::deadline(), noon()));
    assert_eq!((answer.choice.as_ref(), answer.answer.as_ref(), answer.recorded.as_ref()), (None, None, None));
    assert_eq!(answer.default, Some(option_id("2")));
    let end = end(&ended, &TimeZone::UTC).unwrap();
    assert_eq!(end.text, "Nobody answered by 1 Dec 2026, 12:00. The agent goes on with its default: No");
    let message = resume_message(&ended).unwrap();
    assert!(message.starts_with("[pager made DEFAULTED]\n") && message.contains("<default>\nNo (2)\n</default>"), "{message}");
}

#[test]
fn an_approval_expires_and_is_blocked() {
    let claimed = due(&asked("approval", None), noon()).unwrap();
    let ended = after(&claimed, samples::saved(&claimed));
    let answer = ended.answer().unwrap();
    assert_eq!((answer.outcome.as_str(), ended.question.is_yes(answer)), ("expired", Some(false)));
    assert_eq!(end(&ended, &TimeZone::UTC).unwrap().text, "Nobody answered by 1 Dec 2026, 12:00. Not approved.");
    assert!(resume_message(&ended).unwrap().starts_with("[pager made EXPIRED]\n"));
}

#[test]
fn without_a_default_everything_else_stays_open() {
    for purpose in ["question", "clarification", "action", "verify"] {
        let record = asked(purpose, None);
        assert_eq!(due(&record, noon().plus_millis(1)).unwrap(), record, "{purpose}");
    }
    let without = Record::asked(samples::question());
    assert_eq!(due(&without, noon()).unwrap(), without);
}

#[test]
fn whoever_came_first_wins_over_the_deadline() {
    let open = asked("question", Some("2"));
    let answering = after(&open, claim(Resolution::Chosen(vec![option_id("1")]), None));
    assert_eq!(due(&answering, noon()).unwrap_err(), Refusal::Answering);
    let ended = after(&answering, samples::saved(&answering));
    assert_eq!(due(&ended, noon()).unwrap_err(), Refusal::AlreadyAnswered);
    let withdrawn = after(&open, Event::Withdraw { by: samples::asking_agent(), reason: None });
    assert_eq!(due(&withdrawn, noon()).unwrap_err(), Refusal::Withdrawn);
    let defaulting = due(&open, noon()).unwrap();
    let late = apply(&defaulting, claim(Resolution::Chosen(vec![option_id("1")]), None), noon());
    assert_eq!(late.unwrap_err(), Refusal::Answering);
    let refused = after(&defaulting, Event::Refused { claim: 2, reason: "a rule".to_owned() });
    assert_eq!(state_name(&due(&refused, noon()).unwrap().state), "answering", "it is tried anew");
}
