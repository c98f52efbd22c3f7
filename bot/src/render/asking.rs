//! What stands below a question that waits: how to answer it, purpose by purpose.

use pager_questions::Question;

use super::builder::{Builder, beginning};
use super::display::{Attached, Display};
use crate::chat::ChatKind;
use crate::key::key;

/// The most UTF-16 units of a page's address.
const MOST_ADDRESS: usize = 250;

/// How to answer it. `waits_for_documents` is set for an approval that nobody can see whole without its documents.
pub(super) fn asking(question: &Question, display: &Display<'_>, waits_for_documents: bool) -> Builder {
    let mut asking = Builder::default();
    if waits_for_documents {
        add_missing(&mut asking, &display.attached);
    }
    match display.kind.has_topics() {
        true => asking.italic(&in_topic(question)),
        false => add_flat(&mut asking, question),
    };
    asking
}

/// Why there is no Approve button, where there is none.
fn add_missing(asking: &mut Builder, attached: &Attached) {
    match attached {
        Attached::Coming => asking.italic("Approve appears here once everything stands in the chat.").add("\n"),
        Attached::Sent => asking,
        Attached::Missing { page } => {
            asking.bold("Not everything could be sent, so it cannot be approved here.");
            asking.add(&format!(" Approve it on the page: {}\n", beginning(page, MOST_ADDRESS)))
        }
    };
}

fn in_topic(question: &Question) -> String {
    let rules = question.purpose.rules();
    if !question.purpose.has_options() {
        return "Write your answer in this topic: a text here is the answer.".to_owned();
    }
    let press = if question.multi { "Mark what you pick and press Send" } else { "Press a button" };
    match rules.yes {
        Some(yes) => format!("{press}. A text in this topic is an answer, too: it means {}.", yes.otherwise),
        None if rules.takes_words => format!("{press}, or write your answer in this topic: a text here is an answer, too."),
        None => format!("{press}: {} takes no words of your own. /decline leaves it to the agent.", rules.called),
    }
}

fn add_flat<'a>(asking: &'a mut Builder, question: &Question) -> &'a mut Builder {
    let rules = question.purpose.rules();
    let press = if question.multi { "Mark what you pick and press Send" } else { "Press a button" };
    let how = match rules.yes {
        _ if !question.purpose.has_options() => "Answer in your own words:".to_owned(),
        Some(yes) => format!("{press}. Words of your own mean {}:", yes.otherwise),
        None if rules.takes_words => format!("{press}, or answer in your own words:"),
        None => format!("{press}: {} takes no words of your own. To leave it to the agent:", rules.called),
    };
    asking.italic(&how).add("\n").add(&by_command(question))
}

/// How a question is settled where a text is no answer. The key is what names it.
fn by_command(question: &Question) -> String {
    let key = key(&question.incarnation);
    if question.purpose.rules().takes_words { format!("/answer {key} and your words") } else { format!("/decline {key}") }
}

/// The most UTF-16 units that this takes, in whatever chat.
pub(super) fn most_units(question: &Question, waits_for_documents: bool) -> usize {
    let zone = jiff::tz::TimeZone::UTC;
    let long = Attached::Missing { page: "x".repeat(MOST_ADDRESS) };
    let units = |kind| {
        let display = Display { attached: long.clone(), ..Display::new(kind, &zone) };
        asking(question, &display, waits_for_documents).units()
    };
    [ChatKind::Forum, ChatKind::Flat].map(units).into_iter().max().unwrap_or_default()
}
