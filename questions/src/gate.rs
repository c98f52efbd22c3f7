//! Who decides about a reserved action: the owner, or the agent to whom the operator delegated its category.
//! Fails closed: whatever no policy speaks of, the owner is asked. Nothing here reads settings or asks anybody.

use std::collections::BTreeMap;

use crate::{GateCategory, Purpose, Question};

/// What the operator says of one category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The owner is asked.
    Owner,
    /// The agent goes on without asking.
    Delegated,
}

impl Policy {
    /// Reads the word of a setting: `owner` or `delegated`.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "owner" => Some(Self::Owner),
            "delegated" => Some(Self::Delegated),
            _ => None,
        }
    }
}

/// The category that is never delegated, whatever a policy says: what only the owner can do.
pub const NEVER_DELEGATED: &str = "action";

/// What the operator says of categories, everywhere and in single projects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policies {
    /// By category.
    pub everywhere: BTreeMap<GateCategory, Policy>,
    /// By the project's name, then by category.
    pub projects: BTreeMap<String, BTreeMap<GateCategory, Policy>>,
}

impl Policies {
    /// Is this question not asked at all, because its agent may decide it? `bound` is the project that the agent's token is bound
    /// to; the one that the question names is its agent's word, and makes a policy stricter only.
    pub fn delegates(&self, question: &Question, bound: Option<&str>) -> bool {
        let (Purpose::Approval, Some(category)) = (question.purpose, &question.gate) else { return false };
        if category.as_str() == NEVER_DELEGATED {
            return false;
        }
        let claimed = question.source.project.as_deref();
        let of_project = |project: Option<&str>| self.projects.get(project?)?.get(category).copied();
        if of_project(claimed) == Some(Policy::Owner) || of_project(bound) == Some(Policy::Owner) {
            return false;
        }
        // What is said of the bound project is not meant for work on another one.
        let proved = bound.filter(|bound| claimed.is_none_or(|claimed| claimed == *bound));
        of_project(proved).or_else(|| self.everywhere.get(category).copied()) == Some(Policy::Delegated)
    }
}
