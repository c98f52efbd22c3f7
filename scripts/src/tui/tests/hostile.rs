//! Agents' texts are data: none of them reaches the terminal as anything but letters.

use serde_json::{Value, json};

use super::{Event, Outcome, Stage};
use crate::tui::samples::record;
use crate::tui::wire::{Page, Question, Update};

const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}evil\u{200b}\u{7f}\r\n\tend";

/// Puts the text into every string that an agent may choose.
fn poison(value: &mut Value, path: &str) {
    const OURS: [&str; 16] = [
        "id",
        "incarnation",
        "asked_at",
        "state",
        "purpose",
        "reversibility",
        "recommended",
        "deadline",
        "default",
        "at",
        "kind",
        "resolved_at",
        "outcome",
        "since",
        "choice",
        "next",
    ];
    match value {
        Value::String(text) if !OURS.contains(&path) => HOSTILE.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| poison(item, path)),
        Value::Object(members) => members.iter_mut().for_each(|(name, member)| poison(member, name)),
        _ => {}
    }
}

fn hostile_record() -> Value {
    let mut record = record("rel-1");
    record["purpose"] = "approval".into();
    for name in ["header", "group", "waiting_on", "gate", "subject", "digest", "reason"] {
        record[name] = "x".into();
    }
    record["steps"] = json!(["x"]);
    record["issue"] = json!({"tracker": "x", "key": "x", "url": "x"});
    record["source"] = json!({"agent": "x", "run": "x", "task": "x", "project": "x", "seat_hint": "x"});
    record["delivery"] = json!({"state": "undeliverable", "reason": "x", "link": "x"});
    record["save"] = json!({"state": "refused", "since": null, "reason": "x"});
    record["options"][0]["detail"] = "x".into();
    poison(&mut record, "");
    record["delivery"]["state"] = "undeliverable".into();
    record
}

#[track_caller]
fn is_harmless(stage: &Stage) {
    let buffer = stage.buffer();
    for cell in &buffer.content {
        let bad = |letter: char| {
            letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}')
        };
        assert!(!cell.symbol().contains(bad), "{:?} in\n{}", cell.symbol(), stage.screen());
    }
}

#[test]
fn no_text_of_an_agent_steers_the_terminal_wherever_it_stands() {
    let question: Question = serde_json::from_value(hostile_record()).unwrap();
    let mut stage = Stage::sized(vec![question.clone()], 80, 120);
    is_harmless(&stage);
    let screen = stage.screen();
    let shown = screen.matches(r"\u{1b}[2J").count();
    // Title and agent in the list, then every field of the details.
    assert!(shown >= 16, "{shown} of them in\n{screen}");
    for keys in ["1", "enter", "esc", "w", "esc", "d", "esc"] {
        stage.presses(keys);
        is_harmless(&stage);
    }
    let mut ended = hostile_record();
    ended["state"] = "answered".into();
    ended["revision"] = 9.into();
    let by = json!({"kind": "owner", "id": HOSTILE, "via": HOSTILE});
    ended["answer"] =
        json!({"outcome": "own_words", "answer": HOSTILE, "at": "2026-11-30T13:25:03Z", "by": by, "reason": HOSTILE});
    ended["resolved_by"] = by;
    stage.hears("question.ended", &ended);
    is_harmless(&stage);
    let ended: Question = serde_json::from_value(ended).unwrap();
    stage.presses("h");
    stage.gets(Event::History(None, Ok(Page { items: vec![ended], unreadable: 0, next: None })));
    is_harmless(&stage);
    stage.presses("enter");
    is_harmless(&stage);
}

#[test]
fn neither_updates_nor_refusals_nor_pasted_words_steer_the_terminal() {
    let mut update = json!({
        "id": "u-1", "title": "x", "body": "x", "links": [{"label": "x", "url": "x"}], "media": [{"url": "x", "alt": "x"}],
        "issue": {"url": "x"}, "source": {"agent": "x", "project": "x"}, "at": "2026-11-30T13:25:03Z", "state": "unread",
    });
    poison(&mut update, "");
    let update: Update = serde_json::from_value(update).unwrap();
    let mut stage = Stage::with(vec![serde_json::from_value(record("rel-1")).unwrap()]);
    stage.gets(Event::Updates(Ok(Page { items: vec![update], unreadable: 0, next: None })));
    stage.presses("u");
    is_harmless(&stage);
    stage.presses("enter");
    is_harmless(&stage);
    stage.presses("esc esc w");
    stage.gets(Event::Pasted(HOSTILE.to_owned()));
    is_harmless(&stage);
    let write = Stage::sent(&stage.presses("ctrl-d"));
    stage.comes_back(write.clone(), Outcome::LooksSecret(HOSTILE.to_owned()));
    is_harmless(&stage);
    stage.presses("esc");
    stage.comes_back(write, Outcome::Refused { words: HOSTILE.to_owned(), is_stale: false });
    is_harmless(&stage);
    stage.gets(Event::Updates(Err(HOSTILE.to_owned())));
    stage.presses("u");
    is_harmless(&stage);
}

#[test]
fn an_update_whose_id_would_leave_its_path_is_not_taken() {
    let body = json!({"items": [{"id": "../../x", "title": "a", "body": "b", "source": {"agent": "x"}, "at": "2026-11-30T13:25:03Z", "state": "read"}], "next": null});
    let page = Page::<Update>::read(&body.to_string()).unwrap();
    assert_eq!((page.items.len(), page.unreadable), (0, 1));
}
