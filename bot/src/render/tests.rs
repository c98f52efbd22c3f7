//! Messages as they look, and what holds for every one of them.
#![expect(clippy::unwrap_used, reason = "tests")]

mod anything;
mod approvals;
mod lists;
mod purposes;
mod threads;
mod updates;

use jiff::tz::{TimeZone, offset};
use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::digest::digest;
use pager_questions::{Author, By, Draft, Event, Incarnation, OptionId, Purpose, QuestionId, Record, Time, apply, text};
use proptest::prelude::*;
use serde_json::{Value, json};
use teloxide::types::MessageEntityKind;

use super::*;
use crate::chat::ChatKind;

const KINDS: [ChatKind; 3] = [ChatKind::Forum, ChatKind::PrivateTopics, ChatKind::Flat];

fn zone() -> TimeZone {
    TimeZone::fixed(offset(1))
}

fn question(record: &Record, kind: ChatKind, zone: &TimeZone) -> Message {
    super::question(record, &Display::new(kind, zone))
}

fn current(record: &Record, kind: ChatKind, zone: &TimeZone) -> Message {
    super::current(record, &Display::new(kind, zone))
}

fn asked(body: Value) -> Record {
    let agent = Author::parse("ci").unwrap();
    let id = QuestionId::parse("rel-42").unwrap();
    let incarnation = Incarnation::parse("9f3c2a715be04d18").unwrap();
    Record::asked(Draft::read(body, &agent).unwrap().ask(id, incarnation, Time::parse("2026-11-30T13:22:15Z").unwrap()))
}

fn release() -> Record {
    asked(json!({
        "text": "Release 2.4 now?",
        "header": "Release",
        "options": [{"label": "Yes, release", "detail": "Tags and uploads at once."}, {"label": "No"}],
        "recommended": "1",
        "waiting_on": "The release job stands still.",
        "reversibility": "hard_to_reverse",
        "issue": {"tracker": "github", "key": "#7", "url": "https://github.com/o/r/issues/7"},
        "source": {"run": "4711", "task": "release", "project": "pager"}
    }))
}

fn clarification() -> Record {
    asked(json!({"text": "Which region?", "waiting_on": "The set-up of the database."}))
}

fn then(record: &Record, event: Event) -> Record {
    apply(record, event, Time::parse("2026-11-30T13:25:03.120Z").unwrap()).unwrap().0
}

fn settled(record: &Record, resolution: Resolution) -> Record {
    let claimed = then(record, Event::Claim { resolution, by: By::telegram(4242), origin: None, said_at: None });
    let saved = Event::Saved { claim: claimed.revision, signature: "ed25519:x".to_owned(), commit: "c0ffee".to_owned() };
    then(&claimed, saved)
}

fn withdrawn(record: &Record, reason: Option<&str>) -> Record {
    let reason = reason.map(str::to_owned);
    then(record, Event::Withdraw { by: By::agent("ci", pager_questions::Via::Http), reason })
}

/// The message with its forms made visible, and its buttons.
fn look(message: &Message) -> String {
    let units: Vec<u16> = message.text.encode_utf16().collect();
    let part = |from: usize, to: usize| String::from_utf16(&units[from..to]).unwrap();
    let (mut look, mut at) = (String::new(), 0);
    for entity in &message.entities {
        look.push_str(&part(at, entity.offset));
        let end = entity.offset + entity.length;
        let inner = part(entity.offset, end);
        look.push_str(&match &entity.kind {
            MessageEntityKind::Bold => format!("*{inner}*"),
            MessageEntityKind::Italic => format!("_{inner}_"),
            MessageEntityKind::Underline => format!("<u>{inner}</u>"),
            MessageEntityKind::Code => format!("`{inner}`"),
            MessageEntityKind::TextLink { url } => format!("[{inner}]({url})"),
            other => format!("{other:?}"),
        });
        at = end;
    }
    look.push_str(&part(at, units.len()));
    for button in message.keyboard.iter().flatten() {
        look.push_str(&format!("\n[ {} ] {}", button.label, button.data));
    }
    look
}

#[test]
fn a_question_shows_everything_that_bears_on_it() {
    insta::assert_snapshot!(look(&question(&release(), ChatKind::Forum, &zone())), @"
    <u>Release</u>

    Release 2.4 now?

    *1.* Yes, release  *★ recommended*
    Tags and uploads at once.

    *2.* No

    *What waits:* The release job stands still.

    *Asked by* ci
    *Task* release
    *Project* pager
    *Run* 4711
    *Issue* [github #7](https://github.com/o/r/issues/7)
    30 Nov 2026, 14:22

    ⚠️ *Hard to reverse*

    _Press a button, or write your answer in this topic: a text here is an answer, too._
    [ ★ Yes, release ] a:9f3c2a715be04d18:0
    [ No ] a:9f3c2a715be04d18:1
    ");
}

#[test]
fn a_clarification_says_that_a_text_is_the_answer() {
    insta::assert_snapshot!(look(&question(&clarification(), ChatKind::Forum, &zone())), @"
    Which region?

    *What waits:* The set-up of the database.

    *Asked by* ci
    30 Nov 2026, 14:22

    *Unclassified*: the agent did not say whether it can be undone.

    _Write your answer in this topic: a text here is the answer._
    ");
}

#[test]
fn a_chat_without_topics_is_shown_the_command_with_the_key() {
    let end = |record: &Record| look(&question(record, ChatKind::Flat, &zone())).rsplit("\n\n").next().unwrap().to_owned();
    insta::assert_snapshot!([end(&release()), end(&clarification())].join("\n---\n"), @"
    _Press a button, or answer in your own words:_
    /answer 9f3c2a and your words
    [ ★ Yes, release ] a:9f3c2a715be04d18:0
    [ No ] a:9f3c2a715be04d18:1
    ---
    _Answer in your own words:_
    /answer 9f3c2a and your words
    ");
}

#[test]
fn a_chosen_end_marks_the_option_and_has_no_buttons() {
    let record = settled(&release(), Resolution::Chosen(vec![OptionId::parse("1").unwrap()]));
    insta::assert_snapshot!(look(&current(&record, ChatKind::Forum, &zone())), @"
    <u>Release</u>

    Release 2.4 now?

    *✅ 1.* Yes, release  *★ recommended*
    Tags and uploads at once.

    *2.* No

    *What waits:* The release job stands still.

    *Asked by* ci
    *Task* release
    *Project* pager
    *Run* 4711
    *Issue* [github #7](https://github.com/o/r/issues/7)
    30 Nov 2026, 14:22

    ⚠️ *Hard to reverse*

    You answered: Yes, release
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ");
}

#[test]
fn own_words_stand_under_their_heading() {
    let record = settled(&clarification(), Resolution::OwnWords("Frankfurt,\nplease".to_owned()));
    insta::assert_snapshot!(look(&current(&record, ChatKind::Forum, &zone())), @"
    Which region?

    *What waits:* The set-up of the database.

    *Asked by* ci
    30 Nov 2026, 14:22

    *Unclassified*: the agent did not say whether it can be undone.

    *Your answer, in your own words*
    You answered: Frankfurt,
    please
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ");
}

#[test]
fn the_other_ends_say_what_happened() {
    let end = |record: &Record| look(&ended(record, &zone())).rsplit("\n\n").next().unwrap().to_owned();
    let question = clarification();
    let ends = [
        end(&settled(&question, Resolution::Declined)),
        end(&settled(&question, Resolution::Cancelled(CancelReason::OwnerCancelled))),
        end(&withdrawn(&question, Some("found it\u{202e} myself"))),
        end(&withdrawn(&question, None)),
    ];
    insta::assert_snapshot!(ends.join("\n---\n"), @r"
    Declined: the agent goes on by its own judgement.
    _telegram:4242 in Telegram, 30 Nov 2026, 14:25_
    ---
    Cancelled by telegram:4242.
    _30 Nov 2026, 14:25_
    ---
    The agent took it back: found it\u{202e} myself
    _30 Nov 2026, 14:25_
    ---
    The agent took it back.
    _30 Nov 2026, 14:25_
    ");
    let claimed =
        then(&question, Event::Claim { resolution: Resolution::Declined, by: By::telegram(1), origin: None, said_at: None });
    let taken = then(&claimed, Event::Taken { claim: claimed.revision });
    insta::assert_snapshot!(end(&taken), @"
    Cancelled by the service. The answers repository holds something else under this id.
    _30 Nov 2026, 14:25_
    ");
}

#[test]
fn an_answer_under_way_changes_nothing_in_the_message() {
    let open = release();
    let claimed =
        then(&open, Event::Claim { resolution: Resolution::Declined, by: By::telegram(1), origin: None, said_at: None });
    for kind in KINDS {
        assert_eq!(current(&claimed, kind, &zone()), current(&open, kind, &zone()));
    }
}

#[test]
fn an_answer_whose_saving_takes_long_says_since_when_and_why_and_keeps_the_buttons() {
    let open = release();
    let claimed =
        then(&open, Event::Claim { resolution: Resolution::Declined, by: By::telegram(1), origin: None, said_at: None });
    let reason = format!("no route\n\u{202e}{}", "x ".repeat(2500));
    let delayed = then(&claimed, Event::Delayed { claim: claimed.revision, reason });
    for kind in KINDS {
        let message = current(&delayed, kind, &zone());
        let line = "⏳ An answer is being saved, since 30 Nov 2026, 14:25. It counts once the answers repository has it, and \
                    pagerd keeps trying: no route \\u{202e}x";
        assert!(message.text.contains(line), "{}", message.text);
        assert!(message.text.encode_utf16().count() <= MOST_UNITS);
        assert_eq!(message.keyboard, current(&open, kind, &zone()).keyboard);
    }
}

#[test]
fn a_label_that_is_long_becomes_its_number_and_beginning() {
    let record = asked(json!({
        "text": "Which?", "recommended": "2",
        "options": [{"label": "a".repeat(40)}, {"label": "Take the long way round by the sea and through the woods"}],
    }));
    let buttons: Vec<String> =
        question(&record, ChatKind::Forum, &zone()).keyboard.into_iter().flatten().map(|button| button.label).collect();
    insta::assert_snapshot!(buttons.join("\n"), @"
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    ★ 2. Take the long way round by the sea and…
    ");
}

#[test]
fn an_address_that_telegram_might_refuse_is_shown_as_text() {
    for url in ["http://localhost/x", "https://[::1]/x", "https://me:secret@example.org/", "http://a"] {
        let record = asked(json!({"text": "?", "waiting_on": "all", "issue": {"tracker": "t", "key": "1", "url": url}}));
        let message = question(&record, ChatKind::Forum, &zone());
        assert!(message.text.contains(url), "{url}");
        assert!(!message.entities.iter().any(|entity| matches!(entity.kind, MessageEntityKind::TextLink { .. })), "{url}");
    }
}

#[test]
fn nothing_an_agent_wrote_looks_like_a_heading_of_the_bot() {
    let heading = pager_questions::ends::OWN_WORDS_HEADING;
    let forged = asked(json!({
        "text": format!("*x*\n\n{heading}\nyes\n2. Two"), "header": heading,
        "options": [{"label": heading, "detail": "★ recommended"}, {"label": "Asked by the owner"}],
    }));
    let own = ["1.", "2.", "Asked by", "Press a button, or write your answer in this topic: a text here is an answer, too."];
    let message = question(&forged, ChatKind::Forum, &zone());
    let units: Vec<u16> = message.text.encode_utf16().collect();
    let formed = message.entities.iter().filter(|entity| entity.kind != MessageEntityKind::Underline);
    let formed: Vec<String> =
        formed.map(|entity| String::from_utf16(&units[entity.offset..entity.offset + entity.length]).unwrap()).collect();
    assert_eq!(formed, own);
}

#[test]
fn what_does_not_fit_is_whole_in_the_document_and_its_digest_in_the_message() {
    let record = asked(json!({"text": "x".repeat(999), "options": [
        {"label": "a".repeat(100), "detail": "😀".repeat(500)}, {"label": "b".repeat(100), "detail": "😀".repeat(500)},
        {"label": "c".repeat(100), "detail": "😀".repeat(500)}, {"label": "d".repeat(100), "detail": "😀".repeat(500)},
    ]}));
    let message = question(&record, ChatKind::Forum, &zone());
    let document = message.documents[0].clone();
    let digest = digest(&document.bytes);
    assert!(message.text.contains(&digest) && document.caption.contains(&digest));
    let whole = String::from_utf8(document.bytes).unwrap();
    assert!(whole.contains(&"x".repeat(999)) && whole.contains(&"d".repeat(100)));
    assert_eq!(whole.matches('😀').count(), 2000);
    let end = ended(&settled(&record, Resolution::Declined), &TimeZone::UTC);
    assert!(end.text.contains(&digest) && end.documents.is_empty());
    check(&message);
    check(&end);
}

#[test]
fn a_topic_is_named_by_the_text_and_signed_without_an_icon() {
    let record = asked(json!({"text": "Shall the\nold server go \u{202e} away?", "waiting_on": "all"}));
    assert_eq!(topic_name(&record), "Shall the old server go \\u{202e} away?");
    assert_eq!(topic_name_with_sign(&record), "❓ Shall the old server go \\u{202e} away?");
    assert!(topic_name_with_sign(&withdrawn(&record, None)).starts_with("✅ "));
}

#[test]
fn a_toast_tells_an_ended_question_s_outcome() {
    let record = settled(&release(), Resolution::Chosen(vec![OptionId::parse("1").unwrap()]));
    insta::assert_snapshot!(toasts::ended(&record, &zone()), @"You answered: Yes, release (telegram:4242 in Telegram, 30 Nov 2026, 14:25)");
    assert_eq!(toasts::ended(&release(), &zone()), toasts::being_saved());
}

/// What Telegram asks of every message.
fn check(message: &Message) {
    let units: Vec<u16> = message.text.encode_utf16().collect();
    assert!((1..=MOST_UNITS).contains(&units.len()), "{} units", units.len());
    assert!(message.text.len() <= 32_768);
    let mut free_from = 0;
    for entity in &message.entities {
        let end = entity.offset + entity.length;
        assert!(entity.length > 0 && entity.offset >= free_from && end <= units.len(), "{entity:?}");
        String::from_utf16(&units[entity.offset..end]).expect("no surrogate pair is cut");
        free_from = end;
    }
    for button in message.keyboard.iter().flatten() {
        assert!(!button.label.trim().is_empty() && button.data.len() < 64, "{button:?}");
    }
    for document in &message.documents {
        assert!(document.caption.encode_utf16().count() <= 1024 && !document.bytes.is_empty());
    }
}
