//! What a question's message says before its end: the text, the options, what waits, who asks. Everything an agent wrote
//! is shown with what hides made visible. Bold and italic are the bot's own: nothing an agent wrote is ever either.

use jiff::tz::TimeZone;
use pager_questions::text::{one_line, reveal};
use pager_questions::{Issue, Question, QuestionOption, Record, Source};
use teloxide::types::MessageEntityKind;
use url::{Host, Url};

use super::builder::Builder;

/// Everything but the flags and the end.
pub(super) fn body(record: &Record, zone: &TimeZone) -> Builder {
    let question = &record.question;
    let mut body = Builder::default();
    if let Some(header) = &question.header {
        body.add_as(MessageEntityKind::Underline, &shown_on_one_line(header)).add("\n\n");
    }
    body.add(&shown(&question.text)).add("\n");
    let chosen = record.answer().and_then(|answer| answer.choice.as_deref()).unwrap_or_default();
    for (place, option) in question.options.iter().enumerate() {
        let is_chosen = chosen.split(',').any(|id| id == option.id.as_str());
        add_option(&mut body, place + 1, option, question.recommended.as_ref() == Some(&option.id), is_chosen);
    }
    if let Some(waiting_on) = &question.waiting_on {
        body.add("\n").bold("What waits:").add(" ").add(&shown(waiting_on)).add("\n");
    }
    body.add("\n");
    add_source(&mut body, "Asked by", &question.source, question.issue.as_ref());
    body.add(&format!("\n{}", question.asked_at.for_people(zone)));
    body
}

/// What undoing costs, where it has to be said; never cut.
pub(super) fn flags(question: &Question) -> Builder {
    let mut flags = Builder::default();
    if question.is_hard_to_reverse() {
        flags.add("⚠️ ").bold("Hard to reverse").add("\n\n");
    } else if question.reversibility.is_none() && question.purpose.shows_unclassified() {
        flags.bold("Unclassified").add(": the agent did not say whether it can be undone.\n\n");
    }
    flags
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

fn add_issue(body: &mut Builder, issue: &Issue) {
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
