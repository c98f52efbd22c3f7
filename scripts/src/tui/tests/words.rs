//! Own words: written in peace, kept whatever happens, sent as they are.

use serde_json::json;

use super::{Act, Event, Stage};
use crate::tui::samples::{question, with};

#[test]
fn words_are_sent_as_they_were_typed_lines_included() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    stage.presses("w");
    stage.types("yes");
    stage.presses("enter");
    stage.types("but q and 1 are letters here");
    let write = Stage::sent(&stage.presses("ctrl-d"));
    assert_eq!(write.act, Act::Words { text: "yes\nbut q and 1 are letters here".to_owned(), anyway: false });
}

#[test]
fn esc_keeps_a_draft_for_each_question() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    stage.presses("w");
    stage.types("first");
    stage.presses("esc down w");
    stage.types("second");
    stage.presses("esc up");
    stage.shows("Your words, not sent (w goes on with them):");
    stage.shows("  first");
    stage.presses("w");
    stage.types("!");
    stage.shows("first!");
}

#[test]
fn nothing_and_too_much_are_not_sent() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    assert_eq!(stage.presses("w ctrl-d"), []);
    stage.shows("Nothing is written yet");
    stage.gets(Event::Pasted("a".repeat(1003)));
    assert_eq!(stage.presses("ctrl-d"), []);
    stage.shows("3 characters more than the 1000");
    stage.shows("1003 of 1000 characters");
    stage.presses("backspace backspace backspace");
    Stage::sent(&stage.presses("ctrl-d"));
}

#[test]
fn what_is_pasted_goes_into_words_and_nowhere_else() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    assert_eq!(stage.gets(Event::Pasted("1\nq\n".to_owned())), []);
    stage.shows("What is pasted goes into own words alone");
    stage.presses("w");
    stage.gets(Event::Pasted("pasted\r\nlines".to_owned()));
    let write = Stage::sent(&stage.presses("ctrl-d"));
    assert_eq!(write.act, Act::Words { text: "pasted\nlines".to_owned(), anyway: false });
}

#[test]
fn a_decision_takes_no_own_words_and_says_so() {
    let mut stage = Stage::with(vec![with("arch", json!({"purpose": "decision"}))]);
    stage.presses("w");
    stage.shows("A decision takes no own words: press 1 to 4, or d to decline");
    stage.lacks("Ctrl-D");
}

#[test]
fn a_purpose_that_words_do_not_fulfil_says_what_they_mean() {
    for (purpose, meaning) in [
        ("approval", "Own words settle it as not approved."),
        ("action", "Own words settle it as not done."),
        ("verify", "Say what does not work."),
    ] {
        let mut stage = Stage::with(vec![with("it", json!({"purpose": purpose}))]);
        stage.presses("w");
        stage.shows(meaning);
    }
}
