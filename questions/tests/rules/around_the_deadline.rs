//! Words, presses, saves and withdrawals around a deadline, in any order and by clocks that differ: one outcome each.

use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::by::Kind;
use pager_questions::{Answer, By, Effect, Event, Outcome, Purpose, Question, Record, Refusal, State, Time, apply};
use proptest::prelude::*;

use crate::samples;

/// What happens, by whose clock.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Somebody answers: said so many milliseconds behind the deadline, or nobody knows when.
    Say(Option<i64>),
    /// Somebody calls it off.
    Cancel(Option<i64>),
    Due,
    Remind,
    Saved,
    Refused,
    Uncertain,
    Withdraw,
}

fn acts() -> impl Strategy<Value = (Act, i64)> {
    let said = || prop_oneof![2 => Just(None), 6 => (-2i64..=2).prop_map(Some)];
    let act = prop_oneof![
        4 => said().prop_map(Act::Say),
        1 => said().prop_map(Act::Cancel),
        4 => Just(Act::Due),
        1 => Just(Act::Remind),
        2 => Just(Act::Saved),
        3 => Just(Act::Refused),
        1 => Just(Act::Uncertain),
        1 => Just(Act::Withdraw),
    ];
    (act, -3i64..=3)
}

fn deadline() -> Time {
    samples::later()
}

/// What silence does to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Silence {
    Defaults,
    Expires,
    Nothing,
}

fn asked(silence: Silence) -> Record {
    let mut question: Question = samples::question();
    question.deadline = Some(deadline());
    match silence {
        Silence::Defaults => question.default = Some(samples::option_id("2")),
        Silence::Expires => question.purpose = Purpose::Approval,
        Silence::Nothing => {}
    }
    Record::asked(question)
}

/// One history, as the service lives it: a word that came too late lets the deadline act.
struct History {
    silence: Silence,
    record: Record,
    reminders: usize,
}

impl History {
    fn step(&mut self, act: Act, offset: i64) -> Result<(), TestCaseError> {
        let now = deadline().plus_millis(offset);
        let before = self.record.clone();
        let was_open = matches!(before.state, State::Open { .. });
        match act {
            Act::Say(said) => self.says(Resolution::Chosen(vec![samples::option_id("1")]), said, now)?,
            Act::Cancel(said) => self.says(Resolution::Cancelled(CancelReason::OwnerCancelled), said, now)?,
            Act::Due => {
                self.apply(Event::Due, now)?;
                let acts = was_open && self.silence != Silence::Nothing && offset >= 0;
                prop_assert_eq!(acts, self.record.revision != before.revision, "a deadline that acts, or not");
            }
            Act::Remind => {
                self.apply(Event::Remind, now)?;
                prop_assert!(self.record.revision == before.revision || was_open && offset < 0, "a reminder of what is over");
            }
            Act::Saved | Act::Refused | Act::Uncertain => {
                if let State::Answering(claim) = &before.state {
                    let (claim, reason) = (claim.number, "a rule".to_owned());
                    let event = match act {
                        Act::Saved => samples::saved(&before),
                        Act::Refused => Event::Refused { claim, reason },
                        _ => Event::Uncertain { claim, reason },
                    };
                    self.apply(event, now)?;
                }
            }
            Act::Withdraw => {
                self.apply(Event::Withdraw { by: samples::asking_agent(), reason: None }, now)?;
            }
        }
        if before.is_over() {
            prop_assert_eq!(&before.state, &self.record.state, "an end that was left");
        }
        if let Some(claimed) = claimed(&self.record).filter(|answer| answer.by.kind == Kind::Deadline) {
            prop_assert!(self.silence != Silence::Nothing);
            prop_assert!(claimed.at >= deadline(), "silence ended it before its deadline");
            prop_assert!(matches!(claimed.outcome, Outcome::Defaulted | Outcome::Expired));
            prop_assert!(claimed.choice.is_none() && claimed.answer.is_none(), "and never in anybody's name");
        }
        Ok(())
    }

    fn says(&mut self, resolution: Resolution, said: Option<i64>, now: Time) -> Result<(), TestCaseError> {
        let was_open = matches!(self.record.state, State::Open { .. });
        let said_at = said.map(|said| deadline().plus_millis(said));
        let event = Event::Claim { resolution, by: samples::owner(), origin: None, said_at };
        let too_late = self.apply(event, now)? == Some(Refusal::DeadlinePassed);
        let expected = was_open
            && self.silence != Silence::Nothing
            && now >= deadline()
            && said_at.is_some_and(|said_at| said_at >= deadline());
        prop_assert_eq!(too_late, expected);
        if too_late {
            prop_assert_eq!(self.apply(Event::Due, now)?, None);
        }
        if was_open {
            let by = if too_late { By::deadline() } else { samples::owner() };
            prop_assert_eq!(claimed(&self.record).map(|answer| &answer.by), Some(&by), "exactly one of both");
        }
        Ok(())
    }

    /// The refusal, if it was one.
    fn apply(&mut self, event: Event, now: Time) -> Result<Option<Refusal>, TestCaseError> {
        match apply(&self.record, event, now) {
            Ok((next, effects)) => {
                self.reminders += effects.iter().filter(|effect| **effect == Effect::Remind).count();
                prop_assert!(self.reminders <= 1, "reminded twice");
                self.record = next;
                Ok(None)
            }
            Err(refusal) => Ok(Some(refusal)),
        }
    }
}

/// What it ended with, or is being saved.
fn claimed(record: &Record) -> Option<&Answer> {
    match &record.state {
        State::Answering(claim) => Some(&claim.answer),
        State::Ended { answer, .. } => Some(answer),
        State::Open { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn around_its_deadline_a_question_has_exactly_one_outcome(
        silence in prop_oneof![3 => Just(Silence::Defaults), 2 => Just(Silence::Expires), 1 => Just(Silence::Nothing)],
        history in prop::collection::vec(acts(), 0..24),
    ) {
        let mut so_far = History { silence, record: asked(silence), reminders: 0 };
        for (act, offset) in history {
            so_far.step(act, offset)?;
        }
        // However it went, the deadline and a repository that takes answers end what silence ends.
        so_far.step(Act::Due, 3)?;
        so_far.step(Act::Saved, 3)?;
        prop_assert!(so_far.record.is_over() || silence == Silence::Nothing);
    }
}

fn said(record: &Record, said_at: Option<i64>, now: i64) -> Result<Record, Refusal> {
    let said_at = said_at.map(|said_at| deadline().plus_millis(said_at));
    let resolution = Resolution::Chosen(vec![samples::option_id("1")]);
    let event = Event::Claim { resolution, by: samples::owner(), origin: None, said_at };
    apply(record, event, deadline().plus_millis(now)).map(|(record, _)| record)
}

#[test]
fn a_word_of_a_millisecond_before_the_deadline_wins_and_one_of_the_deadline_does_not() {
    let open = asked(Silence::Defaults);
    assert!(said(&open, Some(-1), 60_000).is_ok(), "however late it is heard");
    assert_eq!(said(&open, Some(0), 0).unwrap_err(), Refusal::DeadlinePassed);
    assert_eq!(said(&open, Some(0), 60_000).unwrap_err(), Refusal::DeadlinePassed);
    assert_eq!(said(&asked(Silence::Expires), Some(1), 1).unwrap_err(), Refusal::DeadlinePassed);
}

#[test]
fn a_press_that_nobody_knows_the_time_of_counts_while_the_question_is_open() {
    let open = asked(Silence::Defaults);
    assert!(said(&open, None, 60_000).is_ok());
    let defaulting = apply(&open, Event::Due, deadline()).unwrap().0;
    assert_eq!(said(&defaulting, None, 60_000).unwrap_err(), Refusal::Answering);
}

#[test]
fn a_clock_that_is_ahead_of_ours_makes_nobody_late() {
    assert!(said(&asked(Silence::Defaults), Some(2000), -1).is_ok());
}

#[test]
fn what_stays_open_behind_its_deadline_is_answered_whenever_somebody_does() {
    assert!(said(&asked(Silence::Nothing), Some(60_000), 60_000).is_ok());
}

#[test]
fn its_owner_is_reminded_halfway_and_not_a_millisecond_before() {
    let open = asked(Silence::Nothing);
    let halfway = open.question.halfway().unwrap();
    assert_eq!(halfway.as_millis() - samples::asked_at().as_millis(), deadline().as_millis() - halfway.as_millis());
    let at = |record: &Record, now: Time| apply(record, Event::Remind, now).unwrap();
    assert_eq!(at(&open, halfway.plus_millis(-1)), (open.clone(), vec![]));
    let (reminded, effects) = at(&open, halfway);
    assert_eq!((reminded.reminded_at, effects), (Some(halfway), vec![Effect::Remind]));
    assert_eq!(at(&reminded, halfway.plus_millis(1)), (reminded.clone(), vec![]), "once");
    assert_eq!(at(&open, deadline()), (open.clone(), vec![]), "too late to be of use");
    let answering = said(&open, None, -1).unwrap();
    assert_eq!(at(&answering, halfway), (answering.clone(), vec![]), "somebody answers");
    let mut agents = open;
    agents.question.put_to = Some(samples::agent());
    assert_eq!(at(&agents, halfway), (agents.clone(), vec![]), "it is not the owner's to settle");
}
