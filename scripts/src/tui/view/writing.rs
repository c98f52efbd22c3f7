//! Own words while they are being written, under the question that they answer.

use pager_questions::Incarnation;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::shown::Shown;
use super::super::state::editor::{Editor, MOST};
use super::super::state::{Inbox, Selected};
use super::details::Page;
use super::put;
use super::theme::Theme;
use super::wrap::{columns, exactly};

/// Draws the question's text, the words, and the cursor.
pub fn draw(inbox: &Inbox, incarnation: &Incarnation, theme: Theme, area: Rect, frame: &mut Frame) {
    let empty = Editor::default();
    let editor = inbox.drafts.get(incarnation).unwrap_or(&empty);
    let width = usize::from(area.width);
    let mut page = Page::new(width, theme);
    let ended = matches!(&inbox.selected, Selected::Gone(gone) if gone.incarnation == *incarnation);
    if ended {
        page.put("", "The question has ended meanwhile. Your words stay here: copy what you need.", theme.alarm());
    }
    if let Some(question) = inbox.current() {
        page.put("", question.text.as_str(), theme.faint());
        let hint = match question.purpose.as_str() {
            "approval" => "Own words settle it as not approved.",
            "action" => "Own words settle it as not done.",
            "verify" => "Say what does not work.",
            _ => "",
        };
        if !hint.is_empty() {
            page.put("", hint, theme.prompt());
        }
    }
    let count = format!("{} of {MOST} characters", editor.length());
    page.put("", &count, if editor.length() > MOST { theme.alarm() } else { theme.faint() });
    let mut above = page.end().lines;
    // The words have at least half of the room, whatever the question takes.
    let most = usize::from(area.height) / 2;
    if above.len() > most {
        let last = above.pop();
        above.truncate(most.saturating_sub(2));
        above.push(Line::styled("…", theme.faint()));
        above.extend(last);
    }

    let taken = u16::try_from(above.len()).unwrap_or(area.height).min(area.height);
    put(frame, Rect { height: taken, ..area }, above);
    let room = Rect { y: area.y + taken, height: area.height - taken, ..area };
    words(editor, room, frame);
}

fn words(editor: &Editor, area: Rect, frame: &mut Frame) {
    let width = usize::from(area.width).saturating_sub(1).max(2);
    let (before, after) = editor.halves();
    let (before, after) = (Shown::of(&before), Shown::of(&after));
    let all = format!("{}{}", before.as_str(), after.as_str());
    let lines = exactly(&all, width);
    let (row, column) = place(before.as_str(), width);
    let height = usize::from(area.height).max(1);
    let first = (row + 1).saturating_sub(height);
    let shown = lines.into_iter().skip(first).take(height).map(|line| Line::styled(line, Style::new())).collect();
    put(frame, area, shown);
    let offset = |value: usize| u16::try_from(value).unwrap_or(u16::MAX);
    if area.height > 0 {
        frame.set_cursor_position(Position::new(area.x + offset(column), area.y + offset(row - first)));
    }
}

/// Row and column after this text, cut as [`exactly`] cuts it.
fn place(before: &str, width: usize) -> (usize, usize) {
    // A mark that cannot be trimmed stands for the cursor.
    let lines = exactly(&format!("{before}|"), width);
    let column = lines.last().map_or(0, |last| columns(last).saturating_sub(1));
    (lines.len().saturating_sub(1), column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_stands_after_what_was_written() {
        assert_eq!(place("", 10), (0, 0));
        assert_eq!(place("ab ", 10), (0, 3));
        assert_eq!(place("日本", 10), (0, 4));
        assert_eq!(place("ab\n", 10), (1, 0));
        assert_eq!(place("abcdefghij", 10), (1, 0));
    }
}
