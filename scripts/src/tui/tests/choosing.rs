//! Choosing an option, declining, cancelling: nothing is sent without an Enter that was told what it sends.

use serde_json::json;

use super::{Stage, chosen};
use crate::tui::event::{Act, Effect, Event};
use crate::tui::samples::{question, with};
use crate::tui::state::Screen;

#[test]
fn a_digit_chooses_and_enter_sends_it_for_the_very_record() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    assert_eq!(stage.presses("down 2"), []);
    stage.shows("Enter sends: No · Esc takes it back");
    let write = Stage::sent(&stage.presses("enter"));
    assert_eq!((write.id.as_str(), &write.incarnation), ("rel-2", &question("rel-2").incarnation));
    assert_eq!(chosen(&write), ["no"]);
    stage.shows("Your answer is being sent");
}

#[test]
fn enter_alone_sends_nothing_and_says_what_to_press() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    assert_eq!(stage.presses("enter"), []);
    stage.shows("Press 1 to 2 first; Enter then sends it");
    assert_eq!(stage.presses("2 esc enter"), []);
    assert_eq!(stage.presses("7"), []);
    stage.shows("There is no option 7: press 1 to 2");
}

#[test]
fn a_choice_belongs_to_its_question_and_is_gone_after_moving() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    assert_eq!(stage.presses("1 down up enter"), []);
    stage.shows("Press 1 to 2 first");
}

#[test]
fn of_a_question_that_takes_several_each_digit_toggles_and_all_go_in_the_questions_order() {
    let options = json!([{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta"}, {"id": "c", "label": "Gamma"}]);
    let mut stage = Stage::with(vec![with("multi", json!({"multi": true, "options": options, "recommended": null}))]);
    stage.presses("3 2 1 2");
    stage.shows("[x] 1 Alpha");
    stage.shows("[ ] 2 Beta");
    stage.shows("Enter sends: Alpha, Gamma");
    let write = Stage::sent(&stage.presses("enter"));
    assert_eq!(chosen(&write), ["a", "c"]);
}

#[test]
fn decline_and_cancel_ask_first() {
    for (key, prompt, act) in
        [("d", "Decline? The agent goes on by its own judgement", Act::Decline), ("c", "Call this question off?", Act::Cancel)]
    {
        let mut stage = Stage::with(vec![question("rel-1")]);
        assert_eq!(stage.presses(key), []);
        stage.shows(prompt);
        assert_eq!(stage.presses("esc"), []);
        stage.lacks(prompt);
        let write = Stage::sent(&stage.presses(&format!("{key} enter")));
        assert_eq!(write.act, act);
    }
}

#[test]
fn a_question_on_its_way_takes_no_second_act() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    Stage::sent(&stage.presses("1 enter"));
    for keys in ["2", "w", "d", "c", "enter"] {
        assert_eq!(stage.presses(keys), [], "{keys}");
        stage.shows("Your answer to this question is on its way");
        assert_eq!(stage.inbox.screen, Screen::Questions);
    }
}

#[test]
fn a_question_without_options_says_how_it_is_answered() {
    let mut stage = Stage::with(vec![with("port", json!({"purpose": "clarification", "options": [], "recommended": null}))]);
    stage.presses("1");
    stage.shows("This question has no options: press w");
    stage.presses("enter");
    stage.shows("Press w to answer in your own words");
}

#[test]
fn leaving_takes_one_key_unless_words_would_be_lost() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    assert_eq!(stage.presses("q"), [Effect::Quit]);
    assert_eq!(stage.presses("ctrl-c"), [Effect::Quit]);
    stage.presses("w");
    stage.types("half a thought");
    assert_eq!(stage.presses("ctrl-c"), []);
    stage.shows("Words that you wrote are not sent");
    assert_eq!(stage.presses("x"), []);
    stage.shows("half a thought");
    assert_eq!(stage.presses("esc q"), []);
    assert_eq!(stage.presses("q"), [Effect::Quit]);
}

#[test]
fn leaving_while_an_answer_is_on_its_way_is_asked_about() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    Stage::sent(&stage.presses("1 enter"));
    assert_eq!(stage.presses("q"), []);
    stage.shows("An answer is still on its way. q leaves without waiting for it");
    assert_eq!(stage.presses("esc"), []);
    assert_eq!(stage.presses("q q"), [Effect::Quit]);
}

#[test]
fn on_a_screen_that_is_too_small_to_show_it_no_key_acts() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    stage.presses("1");
    stage.gets(Event::Resized(39, 24));
    for keys in ["enter", "d enter", "c enter", "w x ctrl-d"] {
        assert_eq!(stage.presses(keys), [], "{keys}");
    }
    stage.shows("q leaves");
    assert_eq!(stage.presses("q"), [Effect::Quit]);
    stage.gets(Event::Resized(80, 24));
    stage.shows("Enter sends: Yes, release");
    assert_eq!(chosen(&Stage::sent(&stage.presses("enter"))), ["yes"]);
}

#[test]
fn on_a_screen_that_is_too_small_a_q_throws_no_words_away() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    stage.presses("w");
    stage.types("to the ");
    stage.gets(Event::Resized(30, 8));
    stage.shows("Ctrl-C twice leaves");
    assert_eq!(stage.presses("q q"), []);
    assert_eq!(stage.presses("ctrl-c ctrl-c"), [Effect::Quit]);
}
