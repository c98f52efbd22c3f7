//! The directive: the section of a prompt that tells an agent when to ask rather than guess. It governs when to ask and
//! grants nothing. Which cell an agent gets is an argument; it must not be derived in here.

mod cells;

use serde::{Deserialize, Serialize};

/// The heading of the section.
pub const HEADING: &str = "Asking Rather Than Guessing";

/// How much an agent settles by itself, as the prompt's section on autonomy says it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Autonomy {
    /// It works alone.
    Full,
    /// It settles what is routine.
    #[default]
    Semi,
    /// It proposes a plan first.
    Supervised,
    /// It settles nothing of weight.
    Locked,
}

/// How long the section is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// A few paragraphs, with what the words mean.
    #[default]
    Full,
    /// One short paragraph.
    Summary,
    /// One or two sentences.
    Minimal,
}

impl Autonomy {
    /// Every level there is, from the freest.
    pub const ALL: [Self; 4] = [Self::Full, Self::Semi, Self::Supervised, Self::Locked];

    /// Its name in settings and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Semi => "semi",
            Self::Supervised => "supervised",
            Self::Locked => "locked",
        }
    }

    /// Reads such a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|autonomy| autonomy.as_str() == name)
    }
}

impl Tier {
    /// Every tier there is, from the longest.
    pub const ALL: [Self; 3] = [Self::Full, Self::Summary, Self::Minimal];

    /// Its name in settings and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Summary => "summary",
            Self::Minimal => "minimal",
        }
    }

    /// Reads such a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.as_str() == name)
    }
}

/// The section for an agent of this autonomy, in Markdown, with its heading. It ends with a line end, and belongs right
/// behind the prompt's section on autonomy.
pub fn directive(autonomy: Autonomy, tier: Tier) -> String {
    format!("## {HEADING}\n\n{}\n", cells::paragraphs(autonomy, tier).join("\n\n"))
}
