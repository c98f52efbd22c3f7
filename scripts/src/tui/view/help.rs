//! What the keys do.

use ratatui::style::Style;
use ratatui::text::Line;

use super::details::Page;
use super::theme::Theme;

const KEYS: [(&str, &str); 14] = [
    ("↑ ↓, j k", "another question"),
    ("PgUp PgDn", "scroll (Space and b too; Home and End: to its ends)"),
    ("1 – 4", "choose; Enter sends it, Esc takes it back"),
    ("w", "answer in own words; Ctrl-D sends, Esc keeps a draft"),
    ("d", "decline: leave it to the agent (asks first)"),
    ("c", "cancel: call the question off (asks first)"),
    ("u", "updates; Enter reads one, x dismisses it"),
    ("h", "history: what was answered, by whom, where"),
    ("r", "read everything again"),
    ("q, Ctrl-C", "leave"),
    ("!", "hard to reverse"),
    ("?", "as a mark: nobody said how hard it is to reverse"),
    ("★", "what the agent would take"),
    ("●", "an unread update"),
];

/// The list of keys and marks.
pub fn lines(theme: Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(width, theme);
    for (key, meaning) in KEYS {
        page.put(&super::wrap::pad(key, 11), meaning, Style::new());
    }
    page.end().lines
}
