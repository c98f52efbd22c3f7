//! What happens elsewhere: it moves the list and is told, and takes nothing from whoever is typing.

use serde_json::{Value, json};

use super::{Effect, Event, Stage, Stream, page};
use crate::tui::samples::{answer, ended, question, record, with};

fn answered(id: &str) -> Value {
    let answer = answer(id, "chosen");
    let mut record = record(id);
    record["state"] = "answered".into();
    record["revision"] = 3.into();
    record["resolved_by"] = answer["by"].clone();
    record["resolved_at"] = answer["at"].clone();
    record["answer"] = answer;
    record
}

#[test]
fn a_question_that_somebody_answers_elsewhere_goes_and_the_line_says_who_and_what() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    assert_eq!(stage.hears("question.ended", &answered("rel-2")), []);
    stage.shows("1 open");
    stage.shows("Release rel-2 now? → Answered: Yes, release – telegram:4242 in Telegram");
}

#[test]
fn a_new_question_appears_and_is_told() {
    let mut stage = Stage::with(vec![]);
    stage.shows("Nothing waits for you");
    stage.hears("question.asked", &record("rel-1"));
    stage.shows("1 open");
    stage.shows("deployer asks: Release rel-1 now?");
    stage.shows("▸  Release rel-1 now?");
}

#[test]
fn a_key_meant_for_a_question_that_ends_never_meets_the_next_one() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    stage.presses("1");
    stage.hears("question.ended", &answered("rel-1"));
    assert_eq!(stage.presses("1"), []);
    stage.shows("This question has ended");
    assert_eq!(stage.presses("d"), []);
    stage.lacks("Decline?");
    // Enter moves on, and answers nothing.
    assert_eq!(stage.presses("enter"), []);
    stage.shows("▸  Release rel-2 now?");
    assert_eq!(stage.presses("enter"), []);
    stage.shows("Press 1 to 2 first");
}

#[test]
fn a_confirmation_goes_with_its_question() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    stage.presses("d");
    stage.hears("question.ended", &answered("rel-1"));
    stage.lacks("Decline?");
    assert_eq!(stage.presses("enter"), []);
}

#[test]
fn words_that_are_being_typed_survive_the_end_of_their_question() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    stage.presses("w");
    stage.types("my careful wor");
    stage.hears("question.ended", &answered("rel-1"));
    stage.types("ds");
    stage.shows("my careful words");
    stage.shows("The question has ended meanwhile");
    stage.shows("Answered: Yes, release – telegram:4242 in Telegram");
    assert_eq!(stage.presses("ctrl-d"), []);
    stage.shows("Your words stay here");
    stage.presses("esc");
    stage.shows("my careful words");
}

#[test]
fn words_that_are_being_typed_survive_news_of_other_questions_and_lists() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    stage.presses("down w");
    stage.types("half a tho");
    stage.hears("question.ended", &answered("rel-1"));
    stage.hears("question.asked", &record("rel-3"));
    stage.gets(Event::Open(Ok(page(vec![question("rel-2"), question("rel-3")]))));
    stage.types("ught");
    stage.shows("half a thought");
    stage.shows("Release rel-2 now?");
}

#[test]
fn an_answer_that_is_being_saved_stays_in_the_list_until_it_counts() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    let mut answering = record("rel-1");
    answering["state"] = "answering".into();
    answering["revision"] = 2.into();
    answering["save"] =
        json!({"state": "saving", "since": "2026-11-30T13:25:00.000Z", "reason": "the repository does not reply"});
    stage.hears("question.answering", &answering);
    stage.shows("being saved … Release rel-1");
    stage.shows("An answer is being saved since 30 Nov 2026, 13:25: the repository does not reply");
    stage.presses("1");
    stage.shows("An answer to this question is being saved");
    // A list of open questions does not have it; its record is asked for.
    let effects = stage.gets(Event::Open(Ok(page(vec![question("rel-2")]))));
    assert_eq!(effects, [Effect::ReadRecord(question("rel-1").id)]);
    stage.shows("2 open");
}

#[test]
fn without_a_stream_it_looks_and_still_says_who_answered() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    assert_eq!(stage.hears_stream(Stream::Absent), [Effect::ReadUpdates], "a list is on its way already");
    stage.shows("◌ looking every 2 s");
    let effects = stage.gets(Event::Open(Ok(page(vec![question("rel-1")]))));
    assert_eq!(effects, [Effect::ReadRecord(question("rel-2").id)]);
    stage.gets(Event::Record(Box::new(ended("rel-2", "withdrawn"))));
    stage.shows("Release rel-2 now? → The agent took it back: the tests settled it – agent:deployer over HTTP");
}

#[test]
fn a_stream_that_breaks_is_told_and_the_lists_are_read_again_when_it_is_back() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    stage.gets(Event::Open(Ok(page(vec![question("rel-1")]))));
    assert_eq!(stage.hears_stream(Stream::Lost("gone".to_owned())), [Effect::ReadOpen, Effect::ReadUpdates]);
    stage.shows("○ no connection");
    stage.gets(Event::Open(Err("pagerd cannot be reached".to_owned())));
    stage.shows("The questions could not be read: pagerd cannot be reached");
    stage.shows("Release rel-1 now?");
    assert_eq!(stage.hears_stream(Stream::Up), [Effect::ReadOpen, Effect::ReadUpdates]);
    stage.shows("● live");
    stage.gets(Event::Open(Ok(page(vec![question("rel-1")]))));
    stage.lacks("could not be read");
}

#[test]
fn a_stream_that_has_gone_silent_is_begun_anew() {
    let mut stage = Stage::with(vec![]);
    stage.hears("question.asked", &record("rel-1"));
    assert_eq!(stage.seconds_go_by(30), []);
    assert_eq!(stage.seconds_go_by(20), [Effect::Listen(2, Some("1-1".to_owned()))]);
}

#[test]
fn a_stream_that_could_not_go_on_leads_to_the_lists() {
    let mut stage = Stage::with(vec![]);
    stage.gets(Event::Open(Ok(page(vec![]))));
    assert_eq!(stage.hears("stream.reset", &json!({"detail": "read anew"})), [Effect::ReadOpen, Effect::ReadUpdates]);
    stage.gets(Event::Open(Ok(page(vec![]))));
    assert_eq!(stage.hears("question.asked", &json!({"no": "record"})), [Effect::ReadOpen]);
    assert_eq!(stage.hears("answer.shown", &json!({})), []);
    assert_eq!(stage.hears("update.published", &json!({})), [Effect::ReadUpdates]);
}

#[test]
fn ages_and_deadlines_go_on_without_a_key() {
    let mut stage = Stage::with(vec![with("rel-1", json!({"deadline": "2026-11-30T13:59:03Z", "default": "no"}))]);
    stage.shows("Deadline: 30 Nov 2026, 13:59 (in 34 min), then holds: No");
    stage.seconds_go_by(120);
    stage.shows("(in 32 min)");
    stage.shows("4 min");
}
