//! The lines that say what happened, newest last. A hint goes with the next key; what happened stays until something
//! else did.

use super::super::shown::Shown;

/// How many are kept.
const KEPT: usize = 3;

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Somebody else did something.
    News,
    /// What this person wanted is done.
    Done,
    /// It is not.
    Trouble,
    /// The questions cannot be read for now.
    Outage,
    /// Why a key does nothing.
    Hint,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub kind: Kind,
    /// On one line.
    pub text: String,
}

/// The lines.
#[derive(Debug, Default)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Says something.
    pub fn say(&mut self, kind: Kind, text: &str) {
        let note = Note { kind, text: Shown::of(text).line() };
        self.0.retain(|other| *other != note);
        self.0.push(note);
        let gone = self.0.len().saturating_sub(KEPT);
        self.0.drain(..gone);
    }

    /// Takes away what is not so any more.
    pub fn forget(&mut self, kind: Kind) {
        self.0.retain(|note| note.kind != kind);
    }

    /// The newest first.
    pub fn newest(&self) -> impl Iterator<Item = &Note> {
        self.0.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(notes: &Notes) -> Vec<&str> {
        notes.newest().map(|note| note.text.as_str()).collect()
    }

    #[test]
    fn the_newest_lines_are_kept_and_a_hint_goes_with_the_next_key() {
        let mut notes = Notes::default();
        for text in ["one", "two", "three", "four", "two"] {
            notes.say(Kind::News, text);
        }
        notes.say(Kind::Hint, "press\n1");
        assert_eq!(texts(&notes), ["press 1", "two", "four"]);
        notes.forget(Kind::Hint);
        assert_eq!(texts(&notes), ["two", "four"]);
    }

    #[test]
    fn a_line_never_steers_the_terminal() {
        let mut notes = Notes::default();
        notes.say(Kind::Trouble, "because \u{1b}[2J");
        assert_eq!(texts(&notes), [r"because \u{1b}[2J"]);
    }
}
