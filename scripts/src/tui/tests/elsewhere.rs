//! Updates and history.

use super::{Effect, Event, Stage, page};
use crate::tui::event::Mark;
use crate::tui::samples::{ended, question, update};
use crate::tui::state::Screen;
use crate::tui::wire::{Page, Update, UpdateId};

fn id(number: u64) -> UpdateId {
    update(number, "unread").id
}

fn updates(items: Vec<Update>) -> Event {
    Event::Updates(Ok(Page { items, unreadable: 0, next: None }))
}

fn with_updates() -> Stage {
    let mut stage = Stage::with(vec![]);
    stage.gets(updates(vec![update(2, "unread"), update(1, "read")]));
    stage
}

#[test]
fn an_update_is_read_when_it_is_opened_and_dismissed_by_x() {
    let mut stage = with_updates();
    stage.shows("1 unread update ");
    assert_eq!(stage.presses("u"), [Effect::ReadUpdates]);
    assert_eq!(stage.presses("enter"), [Effect::Mark(id(2), Mark::Read)]);
    stage.shows("All 1,204 tests passed.");
    stage.shows("https://ci.example/runs/7");
    stage.gets(Event::Marked(id(2), Mark::Read, Ok(())));
    stage.lacks("unread");
    assert_eq!(stage.presses("x"), [Effect::Mark(id(2), Mark::Dismissed)]);
    stage.gets(Event::Marked(id(2), Mark::Dismissed, Ok(())));
    stage.lacks("Nightly 2");
    assert_eq!(stage.presses("enter"), [], "what was read is not read again");
    stage.shows("Nightly 1 finished");
}

#[test]
fn what_could_not_be_marked_is_told_and_stays() {
    let mut stage = with_updates();
    stage.presses("u x");
    stage.gets(Event::Marked(id(2), Mark::Dismissed, Err("no connection".to_owned())));
    stage.shows("The update was not dismissed: no connection");
    stage.shows("Nightly 2 finished");
}

#[test]
fn an_update_that_somebody_dismissed_elsewhere_closes_itself() {
    let mut stage = with_updates();
    stage.presses("u enter");
    stage.gets(updates(vec![update(1, "read")]));
    assert_eq!(stage.inbox.screen, Screen::Updates);
    stage.shows("▸   Nightly 1 finished");
}

#[test]
fn a_pagerd_without_updates_says_so_and_breaks_nothing() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    stage.gets(Event::Updates(Err("there is nothing at this address".to_owned())));
    stage.lacks("nothing at this address");
    stage.presses("u");
    stage.shows("This could not be read: there is nothing at this address");
    stage.presses("esc");
    stage.shows("Release rel-1 now?");
}

#[test]
fn the_history_has_what_ended_and_is_read_further_as_one_goes_down() {
    let mut stage = Stage::with(vec![]);
    assert_eq!(stage.presses("h"), [Effect::ReadHistory(None)]);
    let first =
        Page { next: Some("c1".to_owned()), ..page(vec![question("open"), ended("a", "chosen"), ended("b", "declined")]) };
    assert_eq!(stage.gets(Event::History(None, Ok(first))), []);
    stage.lacks("Release open now?");
    stage.shows("Release a now?");
    assert_eq!(stage.presses("down"), [Effect::ReadHistory(Some("c1".to_owned()))]);
    stage.gets(Event::History(Some("c1".to_owned()), Ok(page(vec![ended("c", "withdrawn")]))));
    // The same page again belongs to a list that is gone.
    stage.gets(Event::History(Some("c1".to_owned()), Ok(page(vec![ended("c", "withdrawn")]))));
    assert_eq!(stage.inbox.history.items().len(), 3);
    stage.presses("down enter");
    stage.shows("The agent took it back: the tests settled it – agent:deployer over HTTP, 30 Nov");
    assert_eq!(stage.presses("1"), []);
    stage.presses("esc esc");
    assert_eq!(stage.inbox.screen, Screen::Questions);
}

#[test]
fn what_left_the_history_while_it_was_read_leads_back_to_the_list() {
    let mut stage = Stage::with(vec![]);
    stage.presses("h");
    stage.gets(Event::History(None, Ok(page(vec![ended("a", "chosen")]))));
    stage.presses("enter");
    stage.shows("Release a now?");
    stage.gets(Event::History(None, Ok(page(vec![ended("b", "chosen")]))));
    assert_eq!(stage.inbox.screen, Screen::History);
}

#[test]
fn a_page_of_open_questions_alone_does_not_end_the_history() {
    let mut stage = Stage::with(vec![]);
    stage.presses("h");
    let first = Page { next: Some("c1".to_owned()), ..page(vec![question("open")]) };
    assert_eq!(stage.gets(Event::History(None, Ok(first))), [Effect::ReadHistory(Some("c1".to_owned()))]);
}

#[test]
fn the_help_says_what_each_key_does_and_any_key_goes_back() {
    let mut stage = Stage::with(vec![question("rel-1")]);
    stage.presses("?");
    stage.shows("answer in own words; Ctrl-D sends, Esc keeps a draft");
    stage.presses("q");
    stage.shows("Release rel-1 now?");
}
