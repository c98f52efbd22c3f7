//! The last lines: what happened, what the next key would do, and which keys there are.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::state::{Inbox, Screen, Selected};
use super::super::wire::Question;
use super::theme::Theme;
use super::wrap::{fit, words};

/// The lines that notes have, when nothing else is said.
const NOTES: usize = 2;

/// How many rows the last lines take.
pub fn rows(inbox: &Inbox, width: u16) -> u16 {
    let prompt = prompt(inbox).map_or(1, |prompt| words(&prompt, width.into()).len());
    let notes = if inbox.size.1 < 16 { 1 } else { NOTES };
    u16::try_from(prompt + notes).unwrap_or(u16::MAX)
}

/// They themselves.
pub fn lines(inbox: &Inbox, theme: Theme, area: Rect) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let last: Vec<Line> = match prompt(inbox) {
        Some(prompt) => words(&prompt, width).into_iter().map(|line| Line::styled(line, theme.prompt())).collect(),
        None => vec![Line::styled(fit(&keys(inbox), width), theme.faint())],
    };
    let room = usize::from(area.height).saturating_sub(last.len());
    let mut lines = notes(inbox, theme, width, room);
    lines.extend(last);
    lines
}

fn notes(inbox: &Inbox, theme: Theme, width: usize, room: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> = Vec::new();
    for note in inbox.notes.newest() {
        let left = room - lines.len();
        let mut cut = words(&note.text, width);
        if cut.len() > left {
            // An older note is left out rather than cut; the newest is cut at its end.
            if !lines.is_empty() || left == 0 {
                break;
            }
            cut.truncate(left);
            if let Some(last) = cut.last_mut() {
                *last = fit(&format!("{last} …"), width);
            }
        }
        lines.splice(0..0, cut.into_iter().map(|line| Line::styled(line, theme.note(note.kind))));
    }
    let missing = room - lines.len();
    let blank = std::iter::repeat_with(Line::default).take(missing);
    lines.splice(0..0, blank);
    lines
}

/// What Enter would do, where it would do something.
fn prompt(inbox: &Inbox) -> Option<String> {
    match &inbox.screen {
        Screen::Confirm(confirm) => Some(confirm.prompt.clone()),
        Screen::Leaving(_) if inbox.is_sending_anything() => {
            Some("An answer is still on its way. q leaves without waiting for it, any other key stays".to_owned())
        }
        Screen::Leaving(_) => Some("Words that you wrote are not sent. q leaves without them, any other key stays".to_owned()),
        Screen::Questions if !inbox.picks.is_empty() => inbox.current().map(|question| armed(inbox, question)),
        Screen::Questions
        | Screen::Words(_)
        | Screen::Updates
        | Screen::Update(_)
        | Screen::History
        | Screen::Ended(_)
        | Screen::Help(_) => None,
    }
}

fn armed(inbox: &Inbox, question: &Question) -> String {
    let chosen = question.options.iter().filter(|option| inbox.picks.contains(&option.id));
    let labels: Vec<String> = chosen.map(|option| option.label.line()).collect();
    let labels = labels.join(", ");
    if inbox.is_unseen_approval(question) {
        return format!("{labels}: read the subject to its end (PgDn), then Enter sends · Esc takes it back");
    }
    match &question.digest {
        Some(digest) if question.purpose == "approval" => {
            format!("Enter sends: {labels} ({}) · Esc takes it back", digest.line())
        }
        _ => format!("Enter sends: {labels} · Esc takes it back"),
    }
}

fn keys(inbox: &Inbox) -> String {
    match &inbox.screen {
        Screen::Questions | Screen::Confirm(_) | Screen::Leaving(_) => of_questions(inbox),
        Screen::Words(_) => "Ctrl-D sends  Esc keeps it as a draft  Enter: new line".to_owned(),
        Screen::Updates => "Enter reads  x dismisses  Esc back  r again  ? help  q quit".to_owned(),
        Screen::Update(_) => "x dismisses  Esc back  PgDn/PgUp  ? help  q quit".to_owned(),
        Screen::History => "Enter shows  Esc back  r again  ? help  q quit".to_owned(),
        Screen::Ended(_) => "Esc back  PgDn/PgUp  ? help  q quit".to_owned(),
        Screen::Help(_) => "any key goes back".to_owned(),
    }
}

fn of_questions(inbox: &Inbox) -> String {
    let rest = "u updates  h history  ? help  q quit";
    match (&inbox.selected, inbox.current()) {
        (Selected::Open(_), Some(question)) => {
            let choose = match question.options.len() {
                0 => String::new(),
                1 => "1 choose  ".to_owned(),
                count => format!("1-{count} choose  "),
            };
            let own_words = if question.purpose == "decision" { "" } else { "w words  " };
            format!("{choose}{own_words}d decline  c cancel  {rest}")
        }
        (Selected::Gone(_), _) => format!("↓ or Enter: on  {rest}"),
        (Selected::Open(_) | Selected::None, _) => rest.to_owned(),
    }
}
