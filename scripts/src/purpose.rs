//! What a question is for, as far as `ask` has to know: which flags it needs, and which choice is its success. What
//! may be asked is for the service to say.

use clap::ValueEnum;

/// `--purpose`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Purpose {
    /// One of 2 to 4 options, or own words
    Question,
    /// Own words
    Clarification,
    /// One of 2 to 4 options, each with its --detail, one of them recommended; no own words
    Decision,
    /// Approve or Decline of one reserved action, which --gate names
    Approval,
    /// Done or Can't do; --step says exactly what
    Action,
    /// It works, or own words, which mean that it does not
    Verify,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: [Self; 6] = [Self::Question, Self::Clarification, Self::Decision, Self::Approval, Self::Action, Self::Verify];

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Clarification => "clarification",
            Self::Decision => "decision",
            Self::Approval => "approval",
            Self::Action => "action",
            Self::Verify => "verify",
        }
    }

    /// Reads a wire name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.name() == name)
    }

    /// The options that a question of this purpose always has, by id and label; empty where the asker gives them or there
    /// are none.
    pub fn fixed_options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Question | Self::Clarification | Self::Decision => &[],
            Self::Approval => &[("approve", "Approve"), ("decline", "Decline")],
            Self::Action => &[("done", "Done"), ("cant", "Can't do")],
            Self::Verify => &[("works", "It works")],
        }
    }

    /// The one choice that lets a script go on, where not every answer does.
    pub fn success(self) -> Option<&'static str> {
        self.fixed_options().first().map(|(id, _)| *id)
    }

    /// Does the asker give the options?
    pub fn takes_options(self) -> bool {
        matches!(self, Self::Question | Self::Decision)
    }

    /// Are the owner's own words an answer to it?
    pub fn takes_words(self) -> bool {
        matches!(self, Self::Question | Self::Clarification)
    }

    /// Has the asker to say what undoing it costs?
    pub fn needs_reversibility(self) -> bool {
        matches!(self, Self::Clarification | Self::Decision)
    }

    /// Has the asker to say what stands still?
    pub fn needs_waiting_on(self) -> bool {
        self != Self::Question
    }

    /// With its article, for people.
    pub fn with_article(self) -> String {
        let article = if matches!(self, Self::Approval | Self::Action) { "an" } else { "a" };
        let noun = if self == Self::Verify { "verification" } else { self.name() };
        format!("{article} {noun}")
    }
}
