//! What a question is for, as a table: one row a purpose. What a row cannot say is a rule of `draft/`.

use serde::{Deserialize, Serialize};

/// What a question is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// One of 2 to 4 options, or the owner's own words.
    Question,
    /// The owner's own words; no options.
    Clarification,
    /// One of 2 to 4 options with their trade-offs; no own words.
    Decision,
    /// Approve or Decline of one reserved action; own words settle it as not approved.
    Approval,
    /// Done or Can't do; own words settle it as not done.
    Action,
    /// It works, or the owner's words, which mean that it does not.
    Verify,
    /// A helper's partial deliverable first, a way out last, put to whoever asked for the work; or words of their own.
    Offer,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The wire name.
    pub name: &'static str,
    /// With its article, for people: `an approval`.
    pub called: &'static str,
    /// Where its options come from.
    pub options: Options,
    /// May the owner answer in words of their own? Only where a pick is the whole point may they not.
    pub takes_words: bool,
    /// Must a draft say what stands still until the answer comes?
    pub needs_waiting_on: bool,
    /// Is it shown as *unclassified* when the agent did not declare its reversibility?
    pub shows_unclassified: bool,
    /// May an agent name the option that it goes on with when nobody answers?
    pub may_default: bool,
    /// Does its deadline end it, when it has no default?
    pub expires: bool,
    /// Is it put to the agent whose request it is about? Whatever else an agent's request leads to stays the owner's to settle.
    pub asks_author: bool,
    /// For what asks for a yes: what the yes is, and what everything else means.
    pub yes: Option<Yes>,
}

/// Where the options of a purpose come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Options {
    /// The agent gives 2 to 4.
    Given,
    /// There are none.
    None,
    /// Always these: id and label.
    Fixed(&'static [(&'static str, &'static str)]),
}

/// The one choice that means yes. Whatever else happens means no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Yes {
    /// The id of the option.
    pub option: &'static str,
    /// What every other end means, in lower case: `not approved`.
    pub otherwise: &'static str,
    /// What its agent is told when the owner declines.
    pub declined_note: &'static str,
}

impl Purpose {
    /// Every purpose there is.
    pub const ALL: [Self; 7] =
        [Self::Question, Self::Clarification, Self::Decision, Self::Approval, Self::Action, Self::Verify, Self::Offer];

    /// Reads the wire name of a purpose that this version has.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.rules().name == name)
    }

    /// Its row.
    pub const fn rules(self) -> Rules {
        let asked = Rules {
            name: "question",
            called: "a question",
            options: Options::Given,
            takes_words: true,
            needs_waiting_on: true,
            shows_unclassified: false,
            may_default: false,
            expires: false,
            asks_author: false,
            yes: None,
        };
        match self {
            Self::Question => Rules { needs_waiting_on: false, may_default: true, asks_author: true, ..asked },
            Self::Clarification => Rules {
                name: "clarification",
                called: "a clarification",
                options: Options::None,
                shows_unclassified: true,
                asks_author: true,
                ..asked
            },
            Self::Decision => {
                Rules { name: "decision", called: "a decision", takes_words: false, shows_unclassified: true, ..asked }
            }
            Self::Approval => Rules {
                name: "approval",
                called: "an approval",
                options: Options::Fixed(&[("approve", "Approve"), ("decline", "Decline")]),
                expires: true,
                yes: Some(Yes {
                    option: "approve",
                    otherwise: "not approved",
                    declined_note: "Not approved. Do not go on with it, nor by another way.",
                }),
                ..asked
            },
            Self::Action => Rules {
                name: "action",
                called: "an action",
                options: Options::Fixed(&[("done", "Done"), ("cant", "Can't do")]),
                yes: Some(Yes { option: "done", otherwise: "not done", declined_note: "Not done." }),
                ..asked
            },
            Self::Verify => Rules {
                name: "verify",
                called: "a verification",
                options: Options::Fixed(&[("works", "It works")]),
                yes: Some(Yes { option: "works", otherwise: "not verified", declined_note: "Not verified." }),
                ..asked
            },
            Self::Offer => Rules {
                name: "offer",
                called: "an offer",
                needs_waiting_on: false,
                may_default: true,
                asks_author: true,
                ..asked
            },
        }
    }

    /// Does the owner pick from options?
    pub const fn has_options(self) -> bool {
        !matches!(self.rules().options, Options::None)
    }

    /// Is a question that did not declare its reversibility shown as *unclassified*?
    pub const fn shows_unclassified(self) -> bool {
        self.rules().shows_unclassified
    }
}
