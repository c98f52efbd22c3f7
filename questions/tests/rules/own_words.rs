//! Somebody's own words: never matched to labels, never changed on their way to the agent.

use pager_questions::apply::Resolution;
use pager_questions::words::{AnswerBody, own_words, pick};
use pager_questions::{Answer, Outcome};
use proptest::prelude::*;
use serde_json::json;

use crate::samples;

fn characters() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 1..60).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_come_back_unchanged_from_the_file(words in characters()) {
        prop_assume!(own_words(&words).is_ok());
        let body = AnswerBody::read(json!({"answer": words})).unwrap();
        let record = samples::ended(body.resolution(&samples::question()).unwrap());
        let read: Answer = serde_json::from_slice(&record.answer().unwrap().file()).unwrap();
        prop_assert_eq!(read.outcome, Outcome::OwnWords);
        prop_assert_eq!(read.choice.as_ref(), None);
        prop_assert_eq!(read.answer.as_ref(), Some(&words));
        prop_assert_eq!(read.recorded.as_ref(), Some(&words));
        prop_assert!(read.verify(&[samples::key().verifying()]).is_ok());
    }

    #[test]
    fn every_door_takes_the_same_words(words in characters()) {
        let over_http = AnswerBody::read(json!({"answer": words})).map_err(|fault| fault.detail);
        prop_assert_eq!(over_http.map(|_| ()), own_words(&words).map(|_| ()));
    }
}

#[test]
fn words_that_equal_a_label_stay_words() {
    let body = AnswerBody::read(json!({"answer": "Yes, release"})).unwrap();
    let resolution = body.resolution(&samples::question()).unwrap();
    assert_eq!(resolution, Resolution::OwnWords("Yes, release".to_owned()));
}

#[test]
fn a_pick_goes_by_id_alone() {
    let question = samples::question();
    let body = |option: &str| AnswerBody::read(json!({"answer": "x", "option": option})).unwrap().resolution(&question);
    assert_eq!(body("2"), Ok(Resolution::Chosen(vec![samples::option_id("2")])));
    for unknown in ["3", "No", " 2", ""] {
        let fault = body(unknown).unwrap_err();
        assert_eq!(fault.field, "option");
        assert!(fault.detail.contains("it has 1, 2"), "{fault}");
    }
    let mut without = question.clone();
    without.options.clear();
    assert!(pick(&without, "1").unwrap_err().detail.contains("own words only"));
}

#[test]
fn a_wrong_answer_body_names_its_field() {
    let check = |body: serde_json::Value, field: &str| assert_eq!(AnswerBody::read(body).unwrap_err().field, field);
    check(json!({}), "answer");
    check(json!({"answer": "\u{200b}"}), "answer");
    check(json!({"answer": "a".repeat(1001)}), "answer");
    check(json!({"answer": "a", "option": 1}), "option");
    check(json!({"answer": "a", "incarnation": "9F3C2A715BE04D18"}), "incarnation");
    check(json!({"answer": "a", "approve": true}), "approve");
    assert!(AnswerBody::read(json!({"answer": "a".repeat(1000), "option": null})).is_ok());
}
