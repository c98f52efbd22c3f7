//! `apply` beside the model, over random histories of two parties, a keeper and an agent.

use std::collections::HashSet;

use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::view::state_name;
use pager_questions::{Answer, By, Delivery, DeliveryState, Event, Record, State, Via, apply};
use proptest::prelude::*;

use crate::model::{Act, Model};
use crate::samples;

/// An act that may name a claim: the one under way, the one before it, or one that nobody made.
#[derive(Debug, Clone, Copy)]
enum Number {
    Right,
    Earlier,
    Later,
}

fn acts() -> impl Strategy<Value = (usize, Act, Number)> {
    let act = prop_oneof![
        3 => Just(Act::Choose),
        1 => Just(Act::ChooseUnknown),
        2 => any::<bool>().prop_map(|from_telegram| Act::Write { from_telegram }),
        1 => Just(Act::Decline),
        1 => Just(Act::Cancel),
        2 => Just(Act::Saved(0)),
        3 => Just(Act::Refused(0)),
        2 => Just(Act::Uncertain(0)),
        2 => Just(Act::Delayed(0)),
        1 => Just(Act::Taken(0)),
        1 => Just(Act::Withdraw),
        1 => any::<bool>().prop_map(|is_ours| Act::Found { is_ours }),
        1 => any::<bool>().prop_map(|is_past| Act::Due { is_past }),
        1 => any::<bool>().prop_map(|is_past| Act::Remind { is_past }),
        1 => Just(Act::Consume),
        1 => Just(Act::Unattended),
        2 => (0u8..3).prop_map(Act::Deliver),
    ];
    let number = prop_oneof![4 => Just(Number::Right), 1 => Just(Number::Earlier), 1 => Just(Number::Later)];
    (0usize..2, act, number)
}

fn numbered(act: Act, number: Number, model: &Model) -> Act {
    let number = match number {
        Number::Right => model.claim,
        Number::Earlier => model.claim.saturating_sub(1),
        Number::Later => model.claim + 1,
    };
    match act {
        Act::Saved(_) => Act::Saved(number),
        Act::Refused(_) => Act::Refused(number),
        Act::Uncertain(_) => Act::Uncertain(number),
        Act::Delayed(_) => Act::Delayed(number),
        Act::Taken(_) => Act::Taken(number),
        other => other,
    }
}

fn party(number: usize) -> By {
    match number {
        0 => By::telegram(4242),
        1 => By::token(pager_questions::Kind::Owner, "desk", Via::Web),
        _ => By::deadline(),
    }
}

fn event(party_number: usize, act: Act) -> Event {
    let claim = |resolution, origin: Option<&str>| Event::Claim {
        resolution,
        by: party(party_number),
        origin: origin.map(str::to_owned),
        said_at: None,
    };
    match act {
        Act::Choose => claim(Resolution::Chosen(vec![samples::option_id("2")]), Some("press")),
        Act::ChooseUnknown => claim(Resolution::Chosen(vec![samples::option_id("nine")]), None),
        Act::Write { from_telegram } => {
            claim(Resolution::OwnWords("not before noon".to_owned()), from_telegram.then_some("text"))
        }
        Act::Decline => claim(Resolution::Declined, None),
        Act::Cancel => claim(Resolution::Cancelled(CancelReason::OwnerCancelled), None),
        Act::Saved(claim) => Event::Saved { claim, signature: "ed25519:AAAA".to_owned(), commit: "c0ffee".to_owned() },
        Act::Refused(claim) => Event::Refused { claim, reason: "a rule forbids it".to_owned() },
        Act::Uncertain(claim) => Event::Uncertain { claim, reason: "no reply".to_owned() },
        Act::Delayed(claim) => Event::Delayed { claim, reason: "no reply yet".to_owned() },
        Act::Taken(claim) => Event::Taken { claim },
        Act::Withdraw => Event::Withdraw { by: samples::asking_agent(), reason: None },
        Act::Found { is_ours: true } => samples::found(),
        Act::Found { is_ours: false } => samples::found_of_another_record(),
        Act::Due { .. } => Event::Due,
        Act::Remind { .. } => Event::Remind,
        Act::Consume => Event::Consume,
        Act::Unattended => Event::Unattended { since: samples::asked_at() },
        Act::Deliver(step) => Event::Deliver(Delivery {
            state: [DeliveryState::Stored, DeliveryState::Queued, DeliveryState::Shown][usize::from(step)],
            reason: None,
            link: None,
        }),
    }
}

/// Everything that one history has to keep, step by step.
struct History {
    model: Model,
    record: Record,
    effect_ids: HashSet<String>,
    answer: Option<Answer>,
}

impl History {
    fn begin() -> Self {
        let mut question = samples::question();
        question.deadline = Some(samples::later());
        question.default = Some(samples::option_id("2"));
        let record = Record::asked(question);
        Self { model: Model::asked(), record, effect_ids: HashSet::new(), answer: None }
    }

    fn step(&mut self, party_number: usize, act: Act) -> Result<(), TestCaseError> {
        let early = matches!(act, Act::Due { is_past: false } | Act::Remind { is_past: false });
        let now = if early { samples::later().plus_millis(-1) } else { samples::later() };
        let before = self.record.clone();
        let expected = self.model.step(party_number, act);
        let outcome = apply(&before, event(party_number, act), now);
        prop_assert_eq!(&outcome, &apply(&before, event(party_number, act), now), "the same input gave another result");
        let (next, effects) = match outcome {
            Err(refusal) => {
                let refusal = format!("{refusal:?}");
                prop_assert_eq!(expected, Err(refusal.as_str()));
                return Ok(());
            }
            Ok(done) => done,
        };
        let names: Vec<&str> = effects.iter().map(|effect| effect.name()).collect();
        prop_assert_eq!(expected, Ok(names));
        prop_assert_eq!(next.revision, self.model.revision);
        prop_assert_eq!(state_name(&next.state), self.model.state);
        prop_assert_eq!(
            next.revision == before.revision,
            next == before,
            "a change without a revision, or a revision without one"
        );
        prop_assert_eq!(&next.question, &before.question);
        for effect in &effects {
            let id = effect.id(&next);
            prop_assert!(id.starts_with(&format!("{}-{}-", next.question.incarnation, next.revision)), "{id}");
            prop_assert!(self.effect_ids.insert(id.clone()), "two effects have the id {id}");
        }
        self.ends_are_absorbing(&before, &next)?;
        if let State::Answering(claim) = &next.state {
            prop_assert_eq!(&claim.answer.by, &party(self.model.claimed_by));
            prop_assert_eq!(claim.uncertain.is_some(), self.model.is_uncertain());
        }
        let stored = serde_json::to_string(&next).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Record>(&stored).unwrap(), &next);
        self.record = next;
        Ok(())
    }

    fn ends_are_absorbing(&mut self, before: &Record, next: &Record) -> Result<(), TestCaseError> {
        if before.is_over() {
            prop_assert_eq!(&before.state, &next.state);
        }
        if let Some(answer) = next.answer() {
            let first = self.answer.get_or_insert_with(|| answer.clone());
            prop_assert_eq!(&*first, answer, "a second answer");
        }
        prop_assert!(self.answer.is_none() || next.answer().is_some(), "an answer was lost");
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_history_goes_as_the_table_says(history in prop::collection::vec(acts(), 0..40)) {
        let mut so_far = History::begin();
        for (party, act, number) in history {
            let act = numbered(act, number, &so_far.model);
            so_far.step(party, act)?;
        }
    }
}
