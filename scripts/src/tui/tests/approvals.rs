//! What was not seen to its end is not approved.

use serde_json::json;

use super::{Stage, chosen};
use crate::tui::samples::with;
use crate::tui::wire::Question;

const DIGEST: &str = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

fn approval(lines: usize) -> Question {
    let subject: Vec<String> = (1..=lines).map(|line| format!("line {line} of the plan")).collect();
    with(
        "merge",
        json!({
            "purpose": "approval", "text": "Merge PR 42?", "gate": "merge", "subject": subject.join("\n"), "digest": DIGEST,
            "options": [{"id": "approve", "label": "Approve"}, {"id": "decline", "label": "Decline"}], "recommended": null,
        }),
    )
}

#[test]
fn a_subject_that_was_not_seen_to_its_end_is_not_approved_however_often_enter_is_pressed() {
    let mut stage = Stage::with(vec![approval(40)]);
    stage.presses("1");
    stage.shows("read the subject to its end (PgDn), then Enter sends");
    for _ in 0..2 {
        assert_eq!(stage.presses("enter"), []);
        stage.shows("You have not seen the subject to its end: read it to its end (PgDn) first");
    }
    stage.presses("end");
    stage.shows(DIGEST);
    let write = Stage::sent(&stage.presses("enter"));
    assert_eq!(chosen(&write), ["approve"]);
}

#[test]
fn once_its_end_was_on_the_screen_one_enter_approves_and_names_the_digest_too() {
    let mut stage = Stage::with(vec![approval(40)]);
    stage.presses("pgdn pgdn pgdn pgdn");
    stage.shows("└─ the end of it");
    stage.presses("pgup pgup 1");
    stage.shows(DIGEST);
    assert_eq!(chosen(&Stage::sent(&stage.presses("enter"))), ["approve"]);
}

#[test]
fn a_subject_that_fits_is_seen_at_once() {
    let mut stage = Stage::with(vec![approval(2)]);
    assert_eq!(chosen(&Stage::sent(&stage.presses("1 enter"))), ["approve"]);
}

#[test]
fn declining_needs_no_reading() {
    let mut stage = Stage::with(vec![approval(40)]);
    stage.presses("2");
    assert_eq!(chosen(&Stage::sent(&stage.presses("enter"))), ["decline"]);
}

#[test]
fn seeing_the_end_of_one_subject_says_nothing_of_another() {
    let other = Question { id: pager_questions::QuestionId::parse("other").unwrap(), ..approval(40) };
    let other = Question { incarnation: pager_questions::Incarnation::parse("00000000000000ff").unwrap(), ..other };
    let mut stage = Stage::with(vec![approval(40), other]);
    stage.presses("end down 1");
    assert_eq!(stage.presses("enter"), []);
    stage.shows("You have not seen the subject to its end");
}

#[test]
fn the_end_of_a_subject_can_be_reached_on_the_smallest_screen() {
    let mut stage = Stage::sized(vec![approval(40)], 40, 10);
    assert_eq!(stage.presses("1 enter"), []);
    assert_eq!(chosen(&Stage::sent(&stage.presses("end enter"))), ["approve"]);
}
