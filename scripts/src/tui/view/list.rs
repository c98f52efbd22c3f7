//! The line at the top, and the open questions one a line.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::state::{Inbox, Selected, Way};
use super::super::times::age;
use super::super::wire::Question;
use super::theme::Theme;
use super::wrap::{columns, fit, pad, words};
use super::{first_row, ruled};

/// How much is open, how much is unread, and how news come in.
pub fn header(inbox: &Inbox, theme: Theme, width: usize) -> Line<'static> {
    let count = inbox.open.questions().len();
    let open = match (inbox.open.is_known, inbox.open.has_more) {
        (false, _) => "reading …".to_owned(),
        (true, true) => format!("{count}+ open"),
        (true, false) => format!("{count} open"),
    };
    let unread = match inbox.unread() {
        0 => String::new(),
        count => format!(" · {count} unread updates").replace("1 unread updates", "1 unread update"),
    };
    let unreadable = match inbox.open.unreadable {
        0 => String::new(),
        count => format!(" · {count} that this version cannot show"),
    };
    let (way, style) = match inbox.connection.way {
        Way::Beginning => ("connecting …", theme.faint()),
        Way::Stream => ("● live", theme.good()),
        Way::Looking => ("◌ looking every 2 s", theme.faint()),
        Way::Lost => ("○ no connection", theme.alarm()),
    };
    let left = fit(&format!("ask inbox · {open}{unread}{unreadable}"), width.saturating_sub(columns(way) + 1));
    let gap = width.saturating_sub(columns(&left) + columns(way));
    Line::from(vec![Span::styled(left, theme.strong()), Span::raw(" ".repeat(gap)), Span::styled(way, style)])
}

/// What the marks of the list mean.
pub fn bar(inbox: &Inbox, theme: Theme, width: usize) -> Line<'static> {
    let above = match &inbox.selected {
        Selected::Open(incarnation) => inbox.open.position(incarnation).map(|at| at + 1),
        Selected::Gone(_) | Selected::None => None,
    };
    let place = above.map(|at| format!("{at} of {} · ", inbox.open.questions().len())).unwrap_or_default();
    ruled(&format!("Open · {place}! hard to reverse · ? unclassified"), theme, width)
}

/// The part of the list around the selected question.
pub fn lines(inbox: &Inbox, theme: Theme, area: Rect) -> Vec<Line<'static>> {
    let questions = inbox.open.questions();
    let selected = match &inbox.selected {
        Selected::Open(incarnation) => inbox.open.position(incarnation),
        Selected::Gone(_) | Selected::None => None,
    };
    let rows = usize::from(area.height);
    let first = first_row(selected.unwrap_or(0), rows);
    let shown = questions.iter().enumerate().skip(first).take(rows);
    shown.map(|(at, question)| line(inbox, question, selected == Some(at), theme, area.width.into())).collect()
}

fn line(inbox: &Inbox, question: &Question, is_selected: bool, theme: Theme, width: usize) -> Line<'static> {
    let pointer = if is_selected { "▸" } else { " " };
    let mark = match question.reversibility.as_deref() {
        Some("hard_to_reverse") => "!",
        Some("reversible") => " ",
        _ => "?",
    };
    let state = if inbox.is_sending(&question.incarnation) {
        "sending … "
    } else if !question.is_open() {
        "being saved … "
    } else {
        ""
    };
    let (agent_room, age_room) = (width / 5, 7);
    let title_room = width.saturating_sub(agent_room + age_room + 6);
    let title = pad(&format!("{state}{}", question.title()), title_room);
    let agent = pad(&question.source.agent.line(), agent_room);
    let age = format!("{:>age_room$}", age(question.asked_at, inbox.now));
    let style = if is_selected { theme.selected() } else { ratatui::style::Style::new() };
    let mark_style = if mark == "!" { style.patch(theme.alarm()) } else { style };
    Line::from(vec![
        Span::styled(pointer, style),
        Span::styled(mark, mark_style),
        Span::styled(format!(" {title}  {agent} {age}"), style),
    ])
}

/// What stands where a question would.
pub fn nothing(inbox: &Inbox, width: usize) -> Vec<Line<'static>> {
    let text = if inbox.open.is_known {
        "Nothing waits for you. A new question appears here by itself."
    } else {
        "Reading the open questions …"
    };
    words(text, width).into_iter().map(Line::raw).collect()
}
