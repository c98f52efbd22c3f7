//! A text of somebody else's, made harmless for a terminal on its way in: what hides, turns or steers is an escape that
//! can be read. There is no other way to get one, so no view can forget it.

use pager_questions::text::{one_line, reveal};
use serde::{Deserialize, Deserializer};

/// A text that may be drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown(String);

impl Shown {
    /// Makes a text harmless. Tabs become spaces, since their width depends on where they stand.
    pub fn of(text: &str) -> Self {
        Self(reveal(text).replace('\t', "    "))
    }

    /// The text, line ends included.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text on one line.
    pub fn line(&self) -> String {
        one_line(&self.0)
    }
}

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::of(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_or_turns_a_line_gets_through() {
        let hostile = "a\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\r\u{202e}b\u{200b}";
        let shown = Shown::of(hostile);
        assert_eq!(shown.as_str(), r"a\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{d}\u{202e}b\u{200b}");
        assert!(!shown.as_str().contains(char::is_control));
    }

    #[test]
    fn lines_stay_and_tabs_become_spaces() {
        assert_eq!(Shown::of("a\n\tb").as_str(), "a\n    b");
        assert_eq!(Shown::of("a\n\tb ").line(), "a b");
    }
}
