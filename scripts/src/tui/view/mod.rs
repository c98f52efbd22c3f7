//! From a state to a screen. Nothing here changes anything, and the same state gives the same screen.

mod bottom;
mod details;
mod elsewhere;
mod help;
mod list;
mod theme;
pub mod wrap;
mod writing;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use self::details::Laid;
use self::theme::Theme;
use super::state::{Inbox, Screen};

/// Below this nothing can be shown well.
pub const LEAST: (u16, u16) = (40, 10);
/// From this many columns on, list and details stand side by side.
const WIDE: u16 = 120;

/// Where the parts are.
#[derive(Debug, Clone, Copy)]
struct Areas {
    header: Rect,
    list_bar: Rect,
    list: Rect,
    bar: Rect,
    body: Rect,
    bottom: Rect,
}

/// Is nothing shown but that it is too small?
pub fn is_too_small((columns, rows): (u16, u16)) -> bool {
    columns < LEAST.0 || rows < LEAST.1
}

/// Draws the whole screen.
pub fn draw(inbox: &Inbox, frame: &mut Frame) {
    let theme = Theme { has_colour: inbox.has_colour };
    let area = frame.area();
    if is_too_small((area.width, area.height)) {
        let words = format!(
            "This terminal has {} × {}. ask inbox needs {} × {}: make it larger, or use ask inbox --json. {}",
            area.width,
            area.height,
            LEAST.0,
            LEAST.1,
            if inbox.would_lose() { "Ctrl-C twice leaves without what is not sent" } else { "q leaves" }
        );
        put(frame, area, wrap::words(&words, area.width.into()).into_iter().map(Line::raw).collect());
        return;
    }
    let areas = areas(inbox, area);
    put(frame, areas.header, vec![list::header(inbox, theme, areas.header.width.into())]);
    if areas.list_bar.height > 0 {
        put(frame, areas.list_bar, vec![list::bar(inbox, theme, areas.list_bar.width.into())]);
        put(frame, areas.list, list::lines(inbox, theme, areas.list));
    }
    put(frame, areas.bar, vec![body_bar(inbox, theme, areas.bar.width.into())]);
    match &inbox.screen {
        Screen::Help(_) => put(frame, areas.body, help::lines(theme, areas.body.width.into())),
        Screen::Updates => put(frame, areas.body, elsewhere::updates(inbox, theme, areas.body)),
        Screen::History => put(frame, areas.body, elsewhere::history(inbox, theme, areas.body)),
        Screen::Words(incarnation) => writing::draw(inbox, incarnation, theme, areas.body, frame),
        Screen::Questions | Screen::Confirm(_) | Screen::Leaving(_) | Screen::Update(_) | Screen::Ended(_) => {
            let lines = match laid(inbox, areas.body) {
                Some(laid) => laid.lines,
                None => list::nothing(inbox, areas.body.width.into()),
            };
            put(frame, areas.body, lines.into_iter().skip(inbox.scroll).collect());
        }
    }
    put(frame, areas.bottom, bottom::lines(inbox, theme, areas.bottom));
}

/// The details that are on the screen, and how many lines of them fit.
pub fn details_of(inbox: &Inbox) -> Option<(Laid, usize)> {
    let body = areas(inbox, whole(inbox)).body;
    laid(inbox, body).map(|laid| (laid, body.height.into()))
}

/// How many lines a page of the details has.
pub fn page(inbox: &Inbox) -> usize {
    areas(inbox, whole(inbox)).body.height.into()
}

fn whole(inbox: &Inbox) -> Rect {
    Rect::new(0, 0, inbox.size.0, inbox.size.1)
}

fn laid(inbox: &Inbox, body: Rect) -> Option<Laid> {
    let width = usize::from(body.width);
    match &inbox.screen {
        Screen::Questions | Screen::Confirm(_) | Screen::Leaving(_) => {
            inbox.current().map(|question| details::of_question(inbox, question, width))
        }
        Screen::Ended(incarnation) => {
            let ended = inbox.history.items().iter().find(|question| question.incarnation == *incarnation);
            ended.map(|question| details::of_question(inbox, question, width))
        }
        Screen::Update(id) => {
            let update = inbox.updates.items().iter().find(|update| update.id == *id);
            update.map(|update| elsewhere::update(inbox, update, width))
        }
        Screen::Words(_) | Screen::Updates | Screen::History | Screen::Help(_) => None,
    }
}

fn areas(inbox: &Inbox, whole: Rect) -> Areas {
    let Rect { width, height, .. } = whole;
    let bottom = bottom::rows(inbox, width).min(height.saturating_sub(2));
    let row = |y: u16, height: u16| Rect::new(0, y, width, height.min(whole.height.saturating_sub(y)));
    let middle = height.saturating_sub(1 + bottom);
    let has_list = matches!(inbox.screen, Screen::Questions | Screen::Confirm(_) | Screen::Leaving(_) | Screen::Words(_));
    let (list_bar, list, bar, body) = if !has_list {
        (row(1, 0), row(1, 0), row(1, 1), row(2, middle.saturating_sub(1)))
    } else if width >= WIDE {
        let left = width * 2 / 5;
        let right = |y, height| Rect::new(left + 1, y, width - left - 1, height);
        let beneath = middle.saturating_sub(1);
        (Rect::new(0, 1, left, 1), Rect::new(0, 2, left, beneath), right(1, 1), right(2, beneath))
    } else {
        let most = (middle.saturating_sub(2) / 3).clamp(1, 8);
        let count = u16::try_from(inbox.open.questions().len()).unwrap_or(u16::MAX).clamp(1, most);
        let below = 2 + count;
        (row(1, 1), row(2, count), row(below, 1), row(below + 1, middle.saturating_sub(below)))
    };
    Areas { header: row(0, 1), list_bar, list, bar, body, bottom: row(height.saturating_sub(bottom), bottom) }
}

fn body_bar(inbox: &Inbox, theme: Theme, width: usize) -> Line<'static> {
    let title = match &inbox.screen {
        Screen::Help(_) => "Help".to_owned(),
        Screen::Updates => "Updates".to_owned(),
        Screen::Update(_) => "Update".to_owned(),
        Screen::History => "History".to_owned(),
        Screen::Ended(_) => "Ended".to_owned(),
        Screen::Words(_) => "Your own words".to_owned(),
        Screen::Questions | Screen::Confirm(_) | Screen::Leaving(_) => match details_of(inbox) {
            Some((laid, room)) if laid.lines.len() > room => {
                let last = (inbox.scroll + room).min(laid.lines.len());
                let more = if last < laid.lines.len() { " · PgDn: more" } else { "" };
                format!("Question · lines {}–{last} of {}{more}", inbox.scroll + 1, laid.lines.len())
            }
            _ => "Question".to_owned(),
        },
    };
    ruled(&title, theme, width)
}

/// A bar with a title.
fn ruled(title: &str, theme: Theme, width: usize) -> Line<'static> {
    let title = wrap::fit(&format!("── {title} "), width);
    let rest = width.saturating_sub(wrap::columns(&title));
    Line::styled(format!("{title}{}", "─".repeat(rest)), theme.bar())
}

fn put(frame: &mut Frame, area: Rect, lines: Vec<Line<'static>>) {
    frame.render_widget(Paragraph::new(lines), area);
}

/// The first of so many rows that shows the selected one.
fn first_row(selected: usize, rows: usize) -> usize {
    selected.checked_div(rows).map_or(0, |pages| pages * rows)
}
