//! What a question is for, as a table: one row a purpose.

use serde::{Deserialize, Serialize};

/// The purposes this version asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// One of 2 to 4 options, or the owner's own words.
    Question,
    /// The owner's own words; no options.
    Clarification,
}

/// Purposes that are part of the design and refused until they are built.
pub const NOT_YET: [&str; 5] = ["decision", "approval", "action", "verify", "offer"];

impl Purpose {
    /// Reads the wire name of a purpose that this version has.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "question" => Some(Self::Question),
            "clarification" => Some(Self::Clarification),
            _ => None,
        }
    }

    /// Must a draft say what stands still until the answer comes?
    pub fn needs_waiting_on(self) -> bool {
        match self {
            Self::Question => false,
            Self::Clarification => true,
        }
    }

    /// Does the owner pick from options?
    pub fn has_options(self) -> bool {
        match self {
            Self::Question => true,
            Self::Clarification => false,
        }
    }

    /// Is a question that did not declare its reversibility shown as *unclassified*?
    pub fn shows_unclassified(self) -> bool {
        match self {
            Self::Question => false,
            Self::Clarification => true,
        }
    }
}
