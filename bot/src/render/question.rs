//! The message of a question: as it waits, and with its end. Cuts only the question, never how it ended.

use jiff::tz::TimeZone;
use pager_questions::digest::digest;
use pager_questions::text::reveal;
use pager_questions::{Question, Record, ends};

use super::asking::asking;
use super::body::body;
use super::builder::{Builder, beginning, units};
use super::display::{Attached, Display};
use super::documents::{BETWEEN, Documents};
use super::keyboard::keyboard;
use super::terms::terms;
use super::{Document, MOST_UNITS, Message};

/// The most UTF-16 units of what an end says; own words without escapes always fit.
const MOST_END: usize = 3000;
/// The most UTF-16 units of who, where and when.
const MOST_SIGNED: usize = 300;

/// The most UTF-16 units of the line about an answer that is being saved.
const MOST_SAVING: usize = 600;

/// The message of a record in its present state, displayed like this.
pub fn current(record: &Record, display: &Display<'_>) -> Message {
    if record.is_over() { ended(record, display.zone) } else { question(record, display) }
}

/// The message of a question that waits, with its buttons. What does not fit is whole in its documents. An approval that
/// cannot be seen whole without them has no button that approves until they are there.
pub fn question(record: &Record, display: &Display<'_>) -> Message {
    let documents = Documents::of(&record.question);
    let waits_for_documents = documents.hold_back_approval(&record.question);
    let mut tail = terms(&record.question, display.zone, true);
    tail.append(&asking(&record.question, display, waits_for_documents));
    if let Some(saving) = ends::being_saved(record, display.zone) {
        tail.add("\n\n⏳ ").bold(beginning(&reveal(&saving), MOST_SAVING));
    }
    if let Some(unattended) = ends::unattended(record, display.zone) {
        tail.add("\n\n").italic(&unattended);
    }
    let body = body(record, display.zone, documents.place_of_subject());
    let fitted = fit(&body, documents.whole.as_ref(), &tail);
    let holds_back_yes = waits_for_documents && display.attached != Attached::Sent;
    let keyboard = keyboard(&record.question, &display.marked, holds_back_yes);
    Message { text: fitted.text, entities: fitted.entities, keyboard, documents: documents.in_order() }
}

/// The same message with its end and without buttons. The documents stay where they were sent.
pub fn ended(record: &Record, zone: &TimeZone) -> Message {
    let documents = Documents::of(&record.question);
    let mut tail = terms(&record.question, zone, false);
    if let Some(end) = ends::end(record, zone) {
        if let Some(heading) = end.heading {
            tail.bold(heading).add("\n");
        }
        tail.add(shown_end(&end.text, end.heading.is_some()).trim());
        if !end.signed.is_empty() {
            tail.add("\n").italic(beginning(&reveal(&end.signed), MOST_SIGNED));
        }
    }
    let fitted = fit(&body(record, zone, documents.place_of_subject()), documents.whole.as_ref(), &tail);
    Message { text: fitted.text, entities: fitted.entities, keyboard: Vec::new(), documents: Vec::new() }
}

/// Can this approval be seen whole only with its documents? Then nobody approves it before they were sent.
pub fn needs_documents_to_approve(question: &Question) -> bool {
    Documents::of(question).hold_back_approval(question)
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

/// Body and tail in one message; the body gives way.
fn fit(body: &Builder, whole: Option<&Document>, tail: &Builder) -> Builder {
    let mut note = Builder::default();
    if let Some(document) = whole {
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
