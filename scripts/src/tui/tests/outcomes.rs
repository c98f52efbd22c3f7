//! What becomes of an act: told in a line, and whatever was typed is there until it counts.

use serde_json::{Value, json};

use super::{Act, Effect, Event, Outcome, Stage};
use crate::tui::event::Write;
use crate::tui::samples::{answer, ended, question, with};
use crate::tui::wire::Answer;

fn settled(outcome: &str) -> Outcome {
    let mut answer = answer("rel-1", outcome);
    answer["by"] = json!({"kind": "owner", "id": "token:olga", "via": "tui"});
    Outcome::Settled(serde_json::from_value::<Answer>(answer).unwrap())
}

fn refused(words: &str, is_stale: bool) -> Outcome {
    Outcome::Refused { words: words.to_owned(), is_stale }
}

/// Somebody who sent own words for `rel-1`.
fn wrote() -> (Stage, Write) {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    stage.presses("w");
    stage.types("after lunch");
    let write = Stage::sent(&stage.presses("ctrl-d"));
    (stage, write)
}

#[test]
fn an_answer_that_counts_is_told_and_the_question_stays_until_the_person_moves_on() {
    let mut stage = Stage::with(vec![question("rel-1"), question("rel-2")]);
    let write = Stage::sent(&stage.presses("1 enter"));
    assert_eq!(stage.comes_back(write, settled("chosen")), []);
    stage.shows("1 open");
    stage.shows("Release rel-1 now? → Answered: Yes, release");
    stage.shows("token:olga in the terminal");
    stage.presses("down");
    stage.shows("▸  Release rel-2 now?");
}

#[test]
fn the_stream_and_the_reply_do_not_tell_the_same_end_twice() {
    let (mut stage, write) = wrote();
    stage.gets(Event::Record(Box::new(ended("rel-1", "own_words"))));
    stage.comes_back(write, settled("own_words"));
    assert_eq!(stage.inbox.notes.newest().count(), 1);
    assert!(stage.inbox.drafts.is_empty());
}

#[test]
fn words_that_were_refused_are_kept_and_can_be_sent_again() {
    let (mut stage, write) = wrote();
    assert_eq!(stage.comes_back(write.clone(), refused("The answers repository refused it: full", false)), []);
    stage.shows("The answers repository refused it: full. Your words are kept: press w.");
    stage.shows("Your words, not sent");
    assert_eq!(Stage::sent(&stage.presses("w ctrl-d")), write);
}

#[test]
fn whoever_was_faster_is_told_with_what_they_answered() {
    let (mut stage, write) = wrote();
    assert_eq!(stage.comes_back(write, refused("It was answered already", true)), [Effect::ReadRecord(question("rel-1").id)]);
    stage.shows("It was answered already");
    stage.gets(Event::Record(Box::new(ended("rel-1", "chosen"))));
    stage.shows("Answered: Yes, release – telegram:4242 in Telegram");
    stage.shows("  after lunch");
}

#[test]
fn whoever_was_faster_is_told_also_when_the_stream_knew_it_first() {
    let (mut stage, write) = wrote();
    stage.gets(Event::Record(Box::new(ended("rel-1", "chosen"))));
    stage.comes_back(write, refused("It was answered already", true));
    stage.gets(Event::Record(Box::new(ended("rel-1", "chosen"))));
    stage.shows("Release rel-1 now? → Answered: Yes, release – telegram:4242 in Telegram");
}

#[test]
fn words_that_look_like_a_secret_are_sent_only_after_a_second_enter() {
    let (mut stage, write) = wrote();
    assert_eq!(stage.comes_back(write, Outcome::LooksSecret("This looks like a token.".to_owned())), []);
    stage.shows("This looks like a token. Enter sends it anyway, Esc keeps it as a draft");
    stage.presses("esc");
    stage.shows("  after lunch");

    let (mut stage, write) = wrote();
    stage.comes_back(write, Outcome::LooksSecret("This looks like a token.".to_owned()));
    let again = Stage::sent(&stage.presses("enter"));
    assert_eq!(again.act, Act::Words { text: "after lunch".to_owned(), anyway: true });
}

#[test]
fn a_question_about_a_secret_takes_nobody_away_from_what_they_write() {
    let (mut stage, write) = wrote();
    stage.presses("down w");
    stage.types("other");
    stage.comes_back(write, Outcome::LooksSecret("This looks like a token.".to_owned()));
    stage.types(" words");
    stage.shows("other words");
    stage.shows("not sent: This looks like a token.");
}

#[test]
fn without_a_reply_nothing_is_lost_and_the_record_is_asked_for() {
    let (mut stage, write) = wrote();
    let lost = Outcome::Unknown("http://127.0.0.1:1 cannot be reached: refused".to_owned());
    assert_eq!(stage.comes_back(write, lost), [Effect::ReadRecord(question("rel-1").id)]);
    stage.shows("not known whether it arrived");
    stage.shows("  after lunch");
    // It had arrived: the draft is the answer.
    stage.gets(Event::Record(Box::new(ended("rel-1", "own_words"))));
    assert!(stage.inbox.drafts.is_empty());
    stage.shows("Answered in own words: after lunch");
}

#[test]
fn a_slow_save_is_told_and_takes_no_further_act() {
    let (mut stage, write) = wrote();
    let saving: Value = json!({"state": "saving", "since": "2026-11-30T13:25:00.000Z", "reason": null});
    let record = with("rel-1", json!({"state": "answering", "revision": 2, "save": saving}));
    stage.comes_back(write, Outcome::Saving(Box::new(record)));
    stage.shows("being saved. It counts once the answers repository has it");
    stage.presses("d");
    stage.shows("An answer to this question is being saved");
    // The save failed for good: the question is open again, and the words are there.
    stage.gets(Event::Record(Box::new(with(
        "rel-1",
        json!({"revision": 3, "save": {"state": "refused", "since": null, "reason": "full"}}),
    ))));
    stage.shows("An answer could not be saved: full. The question is open again.");
    stage.presses("w");
    stage.shows("after lunch");
}
