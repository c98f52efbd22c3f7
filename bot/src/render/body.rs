//! What a question's message says before its end: the text, the options, what waits, who asks. Everything an agent wrote
//! is shown with what hides made visible. Bold and italic are the bot's own: nothing an agent wrote is ever either.

use jiff::tz::TimeZone;
use pager_questions::purpose::Options;
use pager_questions::text::{one_line, reveal};
use pager_questions::{Issue, QuestionOption, Record, Source};
use teloxide::types::MessageEntityKind;
use url::{Host, Url};

use super::builder::Builder;

/// Where the subject of an approval stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// In the message.
    Here,
    /// In a document beside it.
    Attached,
    /// In two documents, one of them with escapes for what does not show.
    AttachedWithEscapes,
}

/// Everything but the terms and the end.
pub(super) fn body(record: &Record, zone: &TimeZone, subject: Subject) -> Builder {
    let question = &record.question;
    let mut body = Builder::default();
    if let Some(header) = &question.header {
        body.add_as(MessageEntityKind::Underline, &shown_on_one_line(header)).add("\n\n");
    }
    body.add(&shown(&question.text)).add("\n");
    if let Some(text) = &question.subject {
        add_subject(&mut body, text, subject);
    }
    add_steps(&mut body, &question.steps);
    add_options(&mut body, record);
    if let Some(waiting_on) = &question.waiting_on {
        body.add("\n").bold("What waits:").add(" ").add(&shown(waiting_on)).add("\n");
    }
    body.add("\n");
    if let Some(group) = &question.group {
        body.bold("One of a set").add(" ").add(&shown_on_one_line(group)).add("\n");
    }
    add_source(&mut body, "Asked by", &question.source, question.issue.as_ref());
    body.add(&format!("\n{}", question.asked_at.for_people(zone)));
    body
}

/// Only what is to be approved is ever formed as code: where it begins and ends is plain to see.
fn add_subject(body: &mut Builder, text: &str, place: Subject) {
    body.add("\n").bold("To be approved:");
    match place {
        Subject::Here => body.add("\n").add_as(MessageEntityKind::Code, reveal(text).trim_end()),
        Subject::Attached => body.add(" exactly what is in the document that follows."),
        Subject::AttachedWithEscapes => body.add(
            " exactly what is in the document that follows. It holds characters that do not show; another document has escapes \
             for them.",
        ),
    };
    body.add("\n");
}

fn add_steps(body: &mut Builder, steps: &[String]) {
    if !steps.is_empty() {
        body.add("\n").bold("Steps").add("\n");
    }
    for (place, step) in steps.iter().enumerate() {
        body.bold(&format!("{}.", place + 1)).add(" ").add(&shown(step)).add("\n");
    }
}

/// Those that the agent gave, with their numbers. The fixed ones of a purpose stand on their buttons; of those only the one
/// that was picked is named.
fn add_options(body: &mut Builder, record: &Record) {
    let question = &record.question;
    let is_fixed = matches!(question.purpose.rules().options, Options::Fixed(_));
    let chosen = record.answer().and_then(|answer| answer.choice.as_deref()).unwrap_or_default();
    for (place, option) in question.options.iter().enumerate() {
        let is_chosen = chosen.split(',').any(|id| id == option.id.as_str());
        if !is_fixed {
            add_option(body, place + 1, option, question.recommended.as_ref() == Some(&option.id), is_chosen);
        } else if is_chosen {
            body.add("\n✅ ").add(&option.label).add("\n");
        }
    }
}

fn add_option(body: &mut Builder, number: usize, option: &QuestionOption, recommended: bool, chosen: bool) {
    let mark = if chosen { "✅ " } else { "" };
    body.add("\n").bold(&format!("{mark}{number}.")).add(" ").add(&shown_on_one_line(&option.label));
    if recommended {
        body.add("  ").bold("★ recommended");
    }
    if let Some(detail) = &option.detail {
        body.add("\n").add(&shown(detail));
    }
    body.add("\n");
}

/// Whose it is, behind this heading.
pub(super) fn add_source(body: &mut Builder, heading: &str, source: &Source, issue: Option<&Issue>) {
    body.bold(heading).add(" ").add(source.agent.as_str());
    let parts = [("Task", &source.task), ("Project", &source.project), ("Run", &source.run), ("Seat", &source.seat_hint)];
    for (name, value) in parts {
        if let Some(value) = value {
            body.add("\n").bold(name).add(" ").add(&shown_on_one_line(value));
        }
    }
    if let Some(issue) = issue {
        body.add("\n").bold("Issue").add(" ");
        add_issue(body, issue);
    }
}

pub(super) fn add_issue(body: &mut Builder, issue: &Issue) {
    let name = shown_on_one_line(&format!("{} {}", issue.tracker, issue.key));
    match link(&issue.url) {
        Some(url) => body.add_as(MessageEntityKind::TextLink { url }, &name),
        None => body.add(&format!("{name}: {}", shown_on_one_line(&issue.url))),
    };
}

/// An address that Telegram takes as a link; one that it might refuse is shown as text, so that no question is refused for it.
pub(super) fn link(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let public = match url.host()? {
        Host::Domain(domain) => domain.trim_matches('.').contains('.') && !domain.starts_with('.'),
        Host::Ipv4(_) => true,
        Host::Ipv6(_) => false,
    };
    let plain = url.username().is_empty() && url.password().is_none();
    (public && plain).then_some(url)
}

pub(super) fn shown(text: &str) -> String {
    reveal(text.trim())
}

pub(super) fn shown_on_one_line(text: &str) -> String {
    reveal(&one_line(text))
}
