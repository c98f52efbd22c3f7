//! The message of a question: as it waits, and with its end. Cuts only the question, never how it ended.

use jiff::tz::TimeZone;
use pager_questions::text::reveal;
use pager_questions::{Question, Record, ends};

use super::body::{body, flags};
use super::builder::{Builder, beginning, units};
use super::keyboard::keyboard;
use super::{Document, MOST_UNITS, Message, digest};
use crate::chat::ChatKind;
use crate::key::key;

/// The most UTF-16 units of what an end says; own words without escapes always fit.
const MOST_END: usize = 3000;
/// The most UTF-16 units of who, where and when.
const MOST_SIGNED: usize = 300;

/// The most UTF-16 units of the line about an answer that is being saved.
const MOST_SAVING: usize = 600;

/// The message of a record in its present state, in a chat of this kind.
pub fn current(record: &Record, kind: ChatKind, zone: &TimeZone) -> Message {
    if record.is_over() { ended(record, zone) } else { question(record, kind, zone) }
}

/// The message of a question that waits, with its buttons. What does not fit is whole in its document.
pub fn question(record: &Record, kind: ChatKind, zone: &TimeZone) -> Message {
    let document = document(&record.question);
    let mut tail = asking(&record.question, kind);
    if let Some(saving) = ends::being_saved(record, zone) {
        tail.add("\n\n⏳ ").bold(beginning(&reveal(&saving), MOST_SAVING));
    }
    if let Some(unattended) = ends::unattended(record, zone) {
        tail.add("\n\n").italic(&unattended);
    }
    let fitted = fit(&body(record, zone), document.as_ref(), &tail);
    Message { text: fitted.text, entities: fitted.entities, keyboard: keyboard(&record.question), document }
}

/// The same message with its end and without buttons. The document stays where it was sent.
pub fn ended(record: &Record, zone: &TimeZone) -> Message {
    let mut tail = flags(&record.question);
    if let Some(end) = ends::end(record, zone) {
        if let Some(heading) = end.heading {
            tail.bold(heading).add("\n");
        }
        tail.add(shown_end(&end.text, end.heading.is_some()).trim());
        if !end.signed.is_empty() {
            tail.add("\n").italic(beginning(&reveal(&end.signed), MOST_SIGNED));
        }
    }
    let fitted = fit(&body(record, zone), document(&record.question).as_ref(), &tail);
    Message { text: fitted.text, entities: fitted.entities, keyboard: Vec::new(), document: None }
}

/// What an end says, with what hides made visible. Own words that would grow too long by it stand as they were written.
fn shown_end(text: &str, own_words: bool) -> String {
    let revealed = reveal(text);
    if units(&revealed) <= MOST_END {
        return revealed;
    }
    if own_words && units(text) <= MOST_END {
        return text.to_owned();
    }
    format!("{}…", beginning(&revealed, MOST_END - 1))
}

/// What stands below a question that waits: how to answer it.
fn asking(question: &Question, kind: ChatKind) -> Builder {
    let mut tail = flags(question);
    let picks = question.purpose.has_options();
    match (kind.has_topics(), picks) {
        (true, true) => tail.italic("Press a button, or write your answer in this topic: a text here is an answer, too."),
        (true, false) => tail.italic("Write your answer in this topic: a text here is the answer."),
        (false, true) => tail.italic("Press a button, or answer in your own words:").add("\n").add(&by_command(question)),
        (false, false) => tail.italic("Answer in your own words:").add("\n").add(&by_command(question)),
    };
    tail
}

/// How own words are written where a text is no answer. The key is what names the question.
fn by_command(question: &Question) -> String {
    format!("/answer {} and your words", key(&question.incarnation))
}

/// The whole question as a file, when it does not fit a message. Depends on the question alone: its digest is the same in
/// every zone, state and kind of chat.
fn document(question: &Question) -> Option<Document> {
    let body = body(&Record::asked(question.clone()), &TimeZone::UTC);
    let asking =
        [ChatKind::Forum, ChatKind::Flat].map(|kind| asking(question, kind).units()).into_iter().max().unwrap_or_default();
    if body.units() + BETWEEN.len() + asking + ZONES_DIFFER_BY <= MOST_UNITS {
        return None;
    }
    let whole = format!("{}{BETWEEN}{}", body.text, flags(question).text);
    let bytes = format!("{}\n", whole.trim_end()).into_bytes();
    let caption = format!("The whole question.\n{}", digest(&bytes));
    Some(Document { name: format!("question-{}.txt", question.id), bytes, caption })
}

const BETWEEN: &str = "\n\n";
/// A date is longer by a digit in one zone than in another.
const ZONES_DIFFER_BY: usize = 4;

/// Body and tail in one message; the body gives way.
fn fit(body: &Builder, document: Option<&Document>, tail: &Builder) -> Builder {
    let mut note = Builder::default();
    if let Some(document) = document {
        note.add(BETWEEN).bold("Too long for a message.");
        note.add(&format!(" The whole question is in the document that follows: {}", digest(&document.bytes)));
    }
    let room = MOST_UNITS.saturating_sub(note.units() + BETWEEN.len() + tail.units());
    let mut fitted = Builder::default();
    if body.units() <= room {
        fitted.append(body);
    } else {
        fitted.append(&body.cut(room.saturating_sub(1))).add("…");
    }
    fitted.append(&note).add(BETWEEN).append(tail);
    fitted
}
