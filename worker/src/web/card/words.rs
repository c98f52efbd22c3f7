//! The field for own words of a card: its name, and what words mean there.

use pager_questions::{Purpose, Question};

/// The field of a question that takes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Its name.
    pub label: &'static str,
    /// What becomes of the words, where that is not plain.
    pub hint: Option<&'static str>,
    /// The words are for the agent alone: hidden while they are typed, and never sent back.
    pub is_private: bool,
    /// How many lines high.
    pub rows: u8,
}

const PRIVATE: &str =
    "For the agent alone. pagerd hands the words over and stores them nowhere: write a password or a key here, not above.";

impl Words {
    /// None for a question that takes none.
    pub fn of(question: &Question) -> Option<Self> {
        let field = |label, hint, rows| Self { label, hint, is_private: question.secret, rows };
        let rules = question.purpose.rules();
        if !rules.takes_words {
            return None;
        }
        if question.secret {
            let label = if question.options.is_empty() { "Your private answer" } else { "Or a private answer" };
            return Some(field(label, Some(PRIVATE), 2));
        }
        Some(match question.purpose {
            Purpose::Approval => field("Or in your own words", Some("Words are handed on. They do not approve."), 1),
            Purpose::Action => field("Or say what is in the way", Some("Words mean that it is not done."), 1),
            Purpose::Verify => field("Or say what does not work", Some("Words mean that it does not work."), 2),
            Purpose::Clarification => field("Your answer", None, 3),
            Purpose::Question | Purpose::Decision | Purpose::Offer => field("Or in your own words", None, 1),
        })
    }
}
