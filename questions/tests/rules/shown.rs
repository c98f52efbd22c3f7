//! An answer, told once more for display.

use pager_questions::apply::Resolution;
use pager_questions::{AnswerShown, Outcome, State};
use serde_json::json;

use super::samples;

#[test]
fn an_answer_that_counts_is_shown_with_its_label_or_words_and_where_it_is() {
    let chosen = samples::after(&samples::answering(), samples::saved(&samples::answering()));
    let shown = AnswerShown::of(&chosen, "7-1".to_owned()).unwrap();
    let answer = chosen.answer().unwrap();
    assert_eq!(shown.shown, format!("You answered: {}", answer.answer.as_deref().unwrap()));
    let State::Ended { commit, .. } = &chosen.state else { unreachable!("it was saved") };
    assert_eq!(
        serde_json::to_value(&shown).unwrap(),
        json!({
            "event_id": "7-1",
            "question_id": answer.id,
            "incarnation": answer.incarnation,
            "group": null,
            "text": chosen.question.text,
            "shown": shown.shown,
            "answer_receipt": {
                "id": answer.id,
                "incarnation": answer.incarnation,
                "outcome": "chosen",
                "at": answer.at,
                "by": answer.by,
                "commit": commit,
            },
        })
    );
    let words = samples::ended(Resolution::OwnWords("two\nlines".to_owned()));
    assert_eq!(AnswerShown::of(&words, String::new()).unwrap().shown, "You answered: two\nlines");
}

#[test]
fn several_labels_are_shown_as_the_answer_joins_them_and_private_words_not_at_all() {
    let mut several = samples::after(&samples::answering(), samples::saved(&samples::answering()));
    if let State::Ended { answer, .. } = &mut several.state {
        answer.answer = Some("Red, Blue".to_owned());
    }
    assert_eq!(AnswerShown::of(&several, String::new()).unwrap().shown, "You answered: Red, Blue");
    let mut private = samples::ended(Resolution::OwnWords("the secret".to_owned()));
    if let State::Ended { answer, .. } = &mut private.state {
        answer.answer = None;
        answer.recorded = None;
    }
    let shown = AnswerShown::of(&private, String::new()).unwrap();
    assert_eq!((shown.shown.as_str(), shown.answer_receipt.outcome), ("You answered: Private answer", Outcome::OwnWords));
}

#[test]
fn what_nobody_answered_is_not_shown_as_answered() {
    let declined = samples::ended(Resolution::Declined);
    for record in [samples::open(), samples::answering(), samples::id_taken(), samples::withdrawn(), declined] {
        assert_eq!(AnswerShown::of(&record, String::new()), None, "{:?}", record.state);
    }
}
