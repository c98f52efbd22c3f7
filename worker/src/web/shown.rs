//! Whatever people or agents wrote, as the page shows it. Templates get nothing else of theirs.

use std::fmt;

use pager_questions::text::reveal;

/// Text that hides nothing: invisible and turning characters stand as escapes. Templates escape it for HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown(String);

impl Shown {
    /// From what somebody wrote.
    pub fn of(text: &str) -> Self {
        Self(reveal(text))
    }

    /// The same for what may be absent.
    pub fn some(text: Option<&String>) -> Option<Self> {
        text.map(|text| Self::of(text))
    }

    /// There is nothing of it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_or_hides_is_shown_as_an_escape() {
        assert_eq!(Shown::of("a\u{202e}b").to_string(), "a\\u{202e}b");
    }
}
