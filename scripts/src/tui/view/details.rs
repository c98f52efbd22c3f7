//! One question in full, as lines of a given width: whole texts, nothing cut out.

use ratatui::style::Style;
use ratatui::text::Line;

use super::super::ends;
use super::super::state::{Inbox, Selected};
use super::super::times::{age, left, moment};
use super::super::wire::{Choice, Question, Source};
use super::theme::Theme;
use super::wrap::{columns, exactly, words};

/// Lines, and where in them a subject ends.
#[derive(Debug, Default)]
pub struct Laid {
    /// The lines.
    pub lines: Vec<Line<'static>>,
    /// The line under the last one of the subject.
    pub subject_end: Option<usize>,
}

/// A text that is laid out line by line.
pub struct Page {
    laid: Laid,
    width: usize,
    theme: Theme,
}

impl Page {
    /// Of this width.
    pub fn new(width: usize, theme: Theme) -> Self {
        Self { laid: Laid::default(), width, theme }
    }

    /// Adds a text, the lines after its first one as far in as the mark before it is wide.
    pub fn put(&mut self, mark: &str, text: &str, style: Style) {
        let indent = columns(mark);
        let room = self.width.saturating_sub(indent);
        for (count, line) in words(text, room).into_iter().enumerate() {
            let lead = if count == 0 { mark.to_owned() } else { " ".repeat(indent) };
            self.laid.lines.push(Line::styled(format!("{lead}{line}"), style));
        }
    }

    /// Adds a text where there is one.
    pub fn maybe(&mut self, mark: &str, text: Option<String>, style: Style) {
        if let Some(text) = text {
            self.put(mark, &text, style);
        }
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.laid.lines.push(Line::default());
    }

    /// What was laid out.
    pub fn end(self) -> Laid {
        self.laid
    }
}

/// A question with everything that is known of it.
pub fn of_question(inbox: &Inbox, question: &Question, width: usize) -> Laid {
    let theme = Theme { has_colour: inbox.has_colour };
    let mut page = Page::new(width, theme);
    end(&mut page, inbox, question);
    page.maybe("", question.header.as_ref().map(|header| header.line()), theme.strong());
    page.put("", question.text.as_str(), theme.strong());
    page.put("", &who_asks(inbox, question), theme.faint());
    save(&mut page, inbox, question);
    page.gap();
    subject(&mut page, question);
    steps(&mut page, question);
    options(&mut page, inbox, question);
    limits(&mut page, inbox, question);
    context(&mut page, question);
    draft(&mut page, inbox, question);
    page.end()
}

/// What a purpose asks of the owner, in a word.
fn kind(question: &Question) -> String {
    match question.purpose.as_str() {
        "" | "question" => "question".to_owned(),
        "clarification" => "asks for your own words".to_owned(),
        "decision" => "decision".to_owned(),
        "approval" => "approval".to_owned(),
        "action" => "something only you can do".to_owned(),
        "verify" => "asks you to verify".to_owned(),
        "offer" => "partial offer".to_owned(),
        other => super::super::shown::Shown::of(other).line(),
    }
}

fn who_asks(inbox: &Inbox, question: &Question) -> String {
    let how_hard = match question.reversibility.as_deref() {
        Some("hard_to_reverse") => "! hard to reverse",
        Some("reversible") => "reversible",
        _ => "? unclassified",
    };
    let (at, ago) = (moment(question.asked_at, &inbox.zone), age(question.asked_at, inbox.now));
    let ago = if ago == "now" { "just now".to_owned() } else { format!("{ago} ago") };
    format!("{} · {} · {how_hard} · {ago} ({at})", question.source.agent.line(), kind(question))
}

fn end(page: &mut Page, inbox: &Inbox, question: &Question) {
    let theme = page.theme;
    if question.has_ended() {
        page.put("", &ends::told(question, &inbox.zone), theme.good());
        page.gap();
    } else if matches!(&inbox.selected, Selected::Gone(gone) if gone.incarnation == question.incarnation) {
        page.put("", "It is not open any more.", theme.alarm());
        page.gap();
    }
}

fn save(page: &mut Page, inbox: &Inbox, question: &Question) {
    let theme = page.theme;
    if inbox.is_sending(&question.incarnation) {
        page.put("", "Your answer is being sent …", theme.prompt());
    }
    let Some(save) = &question.save else { return };
    let since = save.since.map(|at| format!(" since {}", moment(at, &inbox.zone))).unwrap_or_default();
    let why = save.reason.as_ref().map(|reason| format!(": {}", reason.line())).unwrap_or_default();
    match save.state.as_str() {
        "saving" => page.put("", &format!("An answer is being saved{since}{why}"), theme.prompt()),
        "uncertain" => {
            page.put(
                "",
                &format!("It is not known yet whether the answer was saved{since}; pagerd keeps trying{why}"),
                theme.alarm(),
            );
        }
        "refused" => page.put("", &format!("An answer could not be saved{why}. The question is open again."), theme.alarm()),
        other => page.put("", &format!("Saving: {}{why}", super::super::shown::Shown::of(other).line()), theme.alarm()),
    }
}

fn subject(page: &mut Page, question: &Question) {
    let theme = page.theme;
    page.maybe("Gate: ", question.gate.as_ref().map(|gate| gate.line()), theme.strong());
    page.maybe("Digest: ", question.digest.as_ref().map(|digest| digest.line()), theme.faint());
    if let Some(subject) = &question.subject {
        page.put("", "┌─ exactly this:", theme.bar());
        for line in exactly(subject.as_str(), page.width.saturating_sub(2)) {
            page.laid.lines.push(Line::raw(format!("│ {line}")));
        }
        page.put("", "└─ the end of it", theme.bar());
        page.laid.subject_end = Some(page.laid.lines.len().saturating_sub(1));
        page.gap();
    }
}

fn steps(page: &mut Page, question: &Question) {
    for (count, step) in question.steps.iter().enumerate() {
        page.put(&format!("{:>2}. ", count + 1), step.as_str(), Style::new());
    }
    if !question.steps.is_empty() {
        page.gap();
    }
}

fn options(page: &mut Page, inbox: &Inbox, question: &Question) {
    let theme = page.theme;
    let is_current = inbox.current().is_some_and(|current| current.incarnation == question.incarnation);
    for (count, option) in question.options.iter().enumerate() {
        let is_picked = is_current && inbox.picks.contains(&option.id);
        let mark = match (question.multi, is_picked) {
            (true, true) => "[x]",
            (true, false) => "[ ]",
            (false, true) => "(•)",
            (false, false) => "( )",
        };
        let star = if question.recommended.as_ref() == Some(&option.id) { "★ " } else { "" };
        let style = if is_picked { theme.good() } else { Style::new() };
        page.put(&format!("{mark} {} ", count + 1), &format!("{star}{}", option.label.as_str()), style);
        detail(page, option);
    }
    let has_star = question.options.iter().any(|option| question.recommended.as_ref() == Some(&option.id));
    if has_star {
        page.put("", "★ is what the agent would take", theme.faint());
    }
    if question.multi {
        page.put("", "Several may be chosen", theme.faint());
    }
    match question.purpose.as_str() {
        "decision" => page.put("", "A decision takes no own words", theme.faint()),
        "approval" => page.put("", "Own words settle it as not approved", theme.faint()),
        "action" => page.put("", "Own words settle it as not done", theme.faint()),
        "verify" => page.put("", "Own words mean that it does not work", theme.faint()),
        "offer" => page.put("", "The helper delivers nothing before this is settled", theme.faint()),
        _ => {}
    }
    if question.secret {
        page.put("", "Your own words stay private: they are handed to the agent and kept nowhere", theme.faint());
    }
    if !question.options.is_empty() {
        page.gap();
    }
}

fn detail(page: &mut Page, option: &Choice) {
    let theme = page.theme;
    page.maybe("      ", option.detail.as_ref().map(|detail| detail.as_str().to_owned()), theme.faint());
}

fn limits(page: &mut Page, inbox: &Inbox, question: &Question) {
    page.maybe("Waits: ", question.waiting_on.as_ref().map(|waits| waits.as_str().to_owned()), Style::new());
    let Some(deadline) = question.deadline else { return };
    let then = match &question.default {
        Some(default) => format!("then holds: {}", question.label(default)),
        None => match question.known_purpose().map(|purpose| purpose.rules().expires) {
            Some(true) => "then it expires".to_owned(),
            Some(false) => "it stays open after that".to_owned(),
            None => "what follows then is not known here".to_owned(),
        },
    };
    let still = if question.has_ended() { String::new() } else { format!(" ({})", left(deadline, inbox.now)) };
    page.put("Deadline: ", &format!("{}{still}, {then}", moment(deadline, &inbox.zone)), Style::new());
}

fn context(page: &mut Page, question: &Question) {
    if let Some(issue) = &question.issue {
        let name = [&issue.tracker, &issue.key].into_iter().flatten().map(|part| format!("{} ", part.line()));
        page.put("Issue: ", &format!("{}{}", name.collect::<String>(), issue.url.line()), Style::new());
    }
    page.maybe("From: ", origin(&question.source), Style::new());
    page.maybe("About: ", question.about.as_ref().map(|about| about.line()), Style::new());
    page.maybe("Put to: ", question.put_to.as_ref().map(|agent| agent.line()), Style::new());
    page.maybe("Set: ", question.group.as_ref().map(|group| group.line()), Style::new());
    page.put("Id: ", question.id.as_str(), page.theme.faint());
    let Some(delivery) = &question.delivery else { return };
    page.maybe("Shown: ", delivery.link.as_ref().map(|link| link.line()), Style::new());
    let why = delivery.reason.as_ref().map(|reason| format!(": {}", reason.line())).unwrap_or_default();
    let alarm = page.theme.alarm();
    match delivery.state.as_str() {
        "undeliverable" => page.put("", &format!("Not delivered to the chat{why}"), alarm),
        "uncertain" => page.put("", &format!("It is not known whether it reached the chat{why}"), alarm),
        _ => page.maybe("Delivery: ", delivery.reason.as_ref().map(|reason| reason.line()), Style::new()),
    }
}

/// What the asker says of where it comes from, on one line.
pub fn origin(source: &Source) -> Option<String> {
    let parts = [("project", &source.project), ("task", &source.task), ("run", &source.run), ("seat", &source.seat_hint)];
    let told: Vec<String> =
        parts.into_iter().filter_map(|(name, value)| value.as_ref().map(|value| format!("{name} {}", value.line()))).collect();
    if told.is_empty() { None } else { Some(told.join(" · ")) }
}

fn draft(page: &mut Page, inbox: &Inbox, question: &Question) {
    let Some(draft) = inbox.drafts.get(&question.incarnation).filter(|draft| !draft.is_empty()) else { return };
    let theme = page.theme;
    page.gap();
    let heading = if question.is_open() { "Your words, not sent (w goes on with them):" } else { "Your words, not sent:" };
    page.put("", heading, theme.prompt());
    page.put("  ", super::super::shown::Shown::of(&draft.text()).as_str(), Style::new());
}
