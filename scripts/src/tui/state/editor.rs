//! A small editor for own words: lines, a cursor, and nothing that a person typed is ever taken away by anything but
//! their own keys.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The most characters of an answer.
pub const MOST: usize = pager_questions::words::MOST_CHARACTERS;

/// Words that are being written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Editor {
    characters: Vec<char>,
    cursor: usize,
}

impl Editor {
    /// What was written so far.
    pub fn text(&self) -> String {
        self.characters.iter().collect()
    }

    /// Before and after the cursor.
    pub fn halves(&self) -> (String, String) {
        let (before, after) = self.characters.split_at(self.cursor);
        (before.iter().collect(), after.iter().collect())
    }

    /// Has nothing been written?
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// How many characters count.
    pub fn length(&self) -> usize {
        pager_questions::text::length(&self.text())
    }

    /// Takes a text in at the cursor.
    pub fn insert(&mut self, text: &str) {
        let text: Vec<char> = text.replace("\r\n", "\n").replace('\r', "\n").chars().collect();
        let cursor = self.cursor;
        self.cursor += text.len();
        self.characters.splice(cursor..cursor, text);
    }

    /// Does what a key says. False when it says nothing to an editor.
    pub fn press(&mut self, key: KeyEvent) -> bool {
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('a') if held => self.cursor = self.line_start(),
            KeyCode::Char('e') if held => self.cursor = self.line_end(),
            KeyCode::Char('u') if held => self.delete(self.line_start()..self.cursor),
            KeyCode::Char('k') if held => self.delete(self.cursor..self.line_end()),
            KeyCode::Char('w') if held => self.delete(self.word_start()..self.cursor),
            KeyCode::Char(_) if held || key.modifiers.contains(KeyModifiers::ALT) => return false,
            KeyCode::Char(character) => self.insert(character.encode_utf8(&mut [0; 4])),
            KeyCode::Enter => self.insert("\n"),
            KeyCode::Tab => self.insert("    "),
            KeyCode::Backspace => self.delete(self.cursor.saturating_sub(1)..self.cursor),
            KeyCode::Delete => self.delete(self.cursor..(self.cursor + 1).min(self.characters.len())),
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.characters.len()),
            KeyCode::Home => self.cursor = self.line_start(),
            KeyCode::End => self.cursor = self.line_end(),
            KeyCode::Up => self.go_to_line_before(),
            KeyCode::Down => self.go_to_line_after(),
            _ => return false,
        }
        true
    }

    fn delete(&mut self, range: std::ops::Range<usize>) {
        self.cursor = range.start;
        self.characters.drain(range);
    }

    fn line_start(&self) -> usize {
        let newline = self.characters[..self.cursor].iter().rposition(|character| *character == '\n');
        newline.map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        let newline = self.characters[self.cursor..].iter().position(|character| *character == '\n');
        newline.map_or(self.characters.len(), |at| self.cursor + at)
    }

    fn word_start(&self) -> usize {
        let before = &self.characters[..self.cursor];
        let word_end = before.iter().rposition(|character| !character.is_whitespace()).map_or(0, |at| at + 1);
        before[..word_end].iter().rposition(|character| character.is_whitespace()).map_or(0, |at| at + 1)
    }

    fn go_to_line_before(&mut self) {
        let start = self.line_start();
        let column = self.cursor - start;
        if start > 0 {
            self.cursor = start - 1;
            let before = self.line_start();
            self.cursor = (before + column).min(start - 1);
        }
    }

    fn go_to_line_after(&mut self) {
        let column = self.cursor - self.line_start();
        let end = self.line_end();
        if end < self.characters.len() {
            self.cursor = end + 1;
            self.cursor = (self.cursor + column).min(self.line_end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(editor: &mut Editor, codes: &[KeyCode]) {
        for code in codes {
            assert!(editor.press(KeyEvent::new(*code, KeyModifiers::NONE)), "{code:?}");
        }
    }

    fn hold(editor: &mut Editor, letter: char) {
        assert!(editor.press(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)), "{letter}");
    }

    #[test]
    fn words_are_written_and_corrected_over_several_lines() {
        let mut editor = Editor::default();
        editor.insert("Yes, but\r\nafter lunch");
        press(&mut editor, &[KeyCode::Up, KeyCode::End, KeyCode::Backspace, KeyCode::Char('t')]);
        assert_eq!(editor.halves(), ("Yes, but".to_owned(), "\nafter lunch".to_owned()));
        press(&mut editor, &[KeyCode::Down, KeyCode::Home, KeyCode::Delete, KeyCode::Char('A'), KeyCode::Enter]);
        assert_eq!(editor.text(), "Yes, but\nA\nfter lunch");
        assert_eq!(editor.length(), 21);
    }

    #[test]
    fn the_keys_of_a_shell_work_on_the_line() {
        let mut editor = Editor::default();
        editor.insert("one two three\nfour five");
        hold(&mut editor, 'w');
        assert_eq!(editor.text(), "one two three\nfour ");
        hold(&mut editor, 'u');
        assert_eq!(editor.text(), "one two three\n");
        press(&mut editor, &[KeyCode::Up]);
        hold(&mut editor, 'k');
        assert_eq!(editor.text(), "\n");
        press(&mut editor, &[KeyCode::Left, KeyCode::Left, KeyCode::Backspace, KeyCode::Up]);
        assert_eq!(editor.text(), "\n");
    }

    #[test]
    fn a_key_that_means_nothing_here_changes_nothing() {
        let mut editor = Editor::default();
        editor.insert("kept");
        assert!(!editor.press(KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL)));
        assert!(!editor.press(KeyEvent::new(KeyCode::F(5), KeyModifiers::NONE)));
        assert_eq!(editor.text(), "kept");
    }
}
