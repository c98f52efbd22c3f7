//! Updates and history: a list, and one update in full.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::ends;
use super::super::state::{Inbox, Listing};
use super::super::times::{age, moment};
use super::super::wire::{By, Question, Update};
use super::details::{Laid, Page, origin};
use super::first_row;
use super::theme::Theme;
use super::wrap::{fit, pad, words};

/// The updates, one a line.
pub fn updates(inbox: &Inbox, theme: Theme, area: Rect) -> Vec<Line<'static>> {
    let line = |update: &Update, width: usize| {
        let mark = if update.state == "unread" { "●" } else { " " };
        let title_room = width.saturating_sub(width / 5 + 10);
        let agent = pad(&update.source.agent.line(), width / 5);
        format!("{mark} {} {agent}{:>7}", pad(&update.title.line(), title_room), age(update.at, inbox.now))
    };
    rows(&inbox.updates, "No updates. Press Esc to go back.", line, theme, area)
}

/// What has ended, one a line.
pub fn history(inbox: &Inbox, theme: Theme, area: Rect) -> Vec<Line<'static>> {
    let line = |question: &Question, width: usize| {
        let (who_room, age_room) = (width * 3 / 10, 7);
        let title_room = (width - who_room - age_room) / 2;
        let said_room = width.saturating_sub(who_room + age_room + title_room + 3);
        let who = question.resolved_by.as_ref().map(By::words).unwrap_or_default();
        let when = question.resolved_at.map(|at| age(at, inbox.now)).unwrap_or_default();
        let (title, said) = (pad(&question.title(), title_room), pad(&ends::what(question, &inbox.zone), said_room));
        format!("{title}  {said} {}{when:>age_room$}", pad(&who, who_room))
    };
    rows(&inbox.history, "Nothing has ended yet. Press Esc to go back.", line, theme, area)
}

fn rows<Item>(
    listing: &Listing<Item>,
    empty: &str,
    line: impl Fn(&Item, usize) -> String,
    theme: Theme,
    area: Rect,
) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let mut lines: Vec<Line> = Vec::new();
    let said = match (&listing.trouble, &listing.items) {
        (Some(trouble), _) => Some((format!("This could not be read: {trouble}"), theme.alarm())),
        (None, None) => Some(("Reading …".to_owned(), theme.faint())),
        (None, Some(items)) if items.is_empty() => Some((empty.to_owned(), Style::new())),
        (None, Some(_)) if listing.unreadable > 0 => {
            Some((format!("{} more that this version cannot show", listing.unreadable), theme.faint()))
        }
        (None, Some(_)) => None,
    };
    if let Some((said, style)) = said {
        let said = super::super::shown::Shown::of(&said);
        lines.extend(words(said.as_str(), width).into_iter().map(|line| Line::styled(line, style)));
    }
    let room = usize::from(area.height).saturating_sub(lines.len());
    let first = first_row(listing.selected, room);
    for (at, item) in listing.items().iter().enumerate().skip(first).take(room) {
        let is_selected = at == listing.selected;
        let pointer = if is_selected { "▸ " } else { "  " };
        let style = if is_selected { theme.selected() } else { Style::new() };
        lines.push(Line::styled(pad(&format!("{pointer}{}", line(item, width.saturating_sub(2))), width), style));
    }
    lines
}

/// An update in full.
pub fn update(inbox: &Inbox, update: &Update, width: usize) -> Laid {
    let theme = Theme { has_colour: inbox.has_colour };
    let mut page = Page::new(width, theme);
    page.put("", &update.title.line(), theme.strong());
    let (agent, at) = (update.source.agent.line(), moment(update.at, &inbox.zone));
    page.put("", &format!("{agent} · {at}"), theme.faint());
    page.gap();
    page.put("", update.body.as_str(), Style::new());
    page.gap();
    for link in &update.links {
        page.put(&format!("{}: ", fit(&link.label.line(), width / 2)), &link.url.line(), Style::new());
    }
    for medium in &update.media {
        let what = medium.alt.as_ref().or(medium.mime_type.as_ref()).map_or("Attachment".to_owned(), |what| what.line());
        page.put(&format!("{}: ", fit(&what, width / 2)), &medium.url.line(), Style::new());
    }
    if let Some(issue) = &update.issue {
        page.put("Issue: ", &issue.url.line(), Style::new());
    }
    page.maybe("From: ", origin(&update.source), Style::new());
    page.end()
}
