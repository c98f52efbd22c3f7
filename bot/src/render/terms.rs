//! What has to be said of a question however long the rest is: never cut, and shown before the way to answer it.

use jiff::tz::TimeZone;
use pager_questions::text::{one_line, reveal};
use pager_questions::{Question, Time};
use teloxide::types::MessageEntityKind;

use super::builder::{Builder, beginning, units};

/// The most UTF-16 units of a label in a sentence.
const MOST_LABEL: usize = 200;

/// What undoing costs, what exactly is to be approved; while it waits also until when, and who reads the words.
pub(super) fn terms(question: &Question, zone: &TimeZone, waits: bool) -> Builder {
    let mut terms = Builder::default();
    if question.is_hard_to_reverse() {
        terms.add("⚠️ ").bold("Hard to reverse").add("\n\n");
    } else if question.reversibility.is_none() && question.purpose.shows_unclassified() {
        terms.bold("Unclassified").add(": the agent did not say whether it can be undone.\n\n");
    }
    add_reserved(&mut terms, question);
    if let Some(deadline) = question.deadline.filter(|_| waits) {
        add_deadline(&mut terms, question, deadline, zone);
    }
    if question.secret && waits {
        terms.add("🔒 Your words are for the agent alone: they are stored nowhere, and the message with them is deleted.\n\n");
    }
    terms
}

/// The category of the reserved action and its digest.
fn add_reserved(terms: &mut Builder, question: &Question) {
    if let Some(gate) = &question.gate {
        terms.bold("Category").add(" ").add(gate.as_str()).add("\n");
    }
    if let Some(digest) = &question.digest {
        terms.bold("Digest").add(" ").add_as(MessageEntityKind::Code, digest).add("\n");
    }
    if question.gate.is_some() || question.digest.is_some() {
        terms.add("\n");
    }
}

fn add_deadline(terms: &mut Builder, question: &Question, deadline: Time, zone: &TimeZone) {
    let rules = question.purpose.rules();
    terms.bold(&format!("Until {}", deadline.for_people(zone)));
    let default = question.default.as_ref().and_then(|id| question.option(id.as_str()));
    match (default, rules.yes) {
        (Some(default), _) => {
            let label = reveal(&one_line(&default.label));
            let cut = if units(&label) > MOST_LABEL { "…" } else { "" };
            let label = beginning(&label, MOST_LABEL);
            terms.add(&format!("; if nobody answers: the agent goes on with “{label}{cut}”."))
        }
        (None, Some(yes)) if rules.expires => terms.add(&format!("; then {}.", yes.otherwise)),
        (None, _) => terms.add("; if nobody answers: it stays open and counts as unanswered."),
    };
    terms.add("\n\n");
}
