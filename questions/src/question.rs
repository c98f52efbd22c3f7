//! What an agent asks: fixed once it is made.

use serde::{Deserialize, Serialize};

use crate::{Answer, Author, GateCategory, Incarnation, OptionId, Outcome, Purpose, QuestionId, ThreadId, Time, WakeName};

/// One question as it was asked. Nothing in it changes afterwards; what happens to it is in its [`State`](crate::State).
///
/// What a question of an earlier version did not have is left out when it is absent: stored records and fingerprints stay what
/// they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Unique among all agents, for ever.
    pub id: QuestionId,
    /// Names this very record, should an id ever live twice.
    pub incarnation: Incarnation,
    /// What it is for.
    pub purpose: Purpose,
    /// 1 to 1000 characters, not blank, as received.
    pub text: String,
    /// 2 to 4 that the agent gives, or those of the purpose; none for a clarification.
    pub options: Vec<QuestionOption>,
    /// The option that the agent recommends.
    pub recommended: Option<OptionId>,
    /// Several options may be picked.
    #[serde(default, skip_serializing_if = "is_false")]
    pub multi: bool,
    /// At most 30 characters of title.
    pub header: Option<String>,
    /// The id of a set of questions that were asked together; at most 64 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Declared by the agent, never invented.
    pub reversibility: Option<Reversibility>,
    /// What stands still until the answer comes; at most 300 characters.
    pub waiting_on: Option<String>,
    /// When its time is up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Time>,
    /// The option that the agent goes on with when nobody answered by the deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<OptionId>,
    /// Of an approval: the category of the reserved action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateCategory>,
    /// Of an approval: exactly what is to be done; at most 32,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Of an approval: `sha256:` and 64 hex digits, of the subject where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Of an action: exactly what is to be done, step by step; at most 20 of at most 500 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// The owner's own words are for the agent alone: they are stored nowhere.
    #[serde(default, skip_serializing_if = "is_false")]
    pub secret: bool,
    /// A link to follow; no authority.
    pub issue: Option<Issue>,
    /// The request or question that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<ThreadId>,
    /// The agent that it is put to, since it is about that agent's request; None when it is the owner's to settle. Found out by the
    /// service, never taken from a body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub put_to: Option<Author>,
    /// Who asks.
    pub source: Source,
    /// The wake target that is told of its end; the operator says what that is. Absent from the canonical form when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wake: Option<WakeName>,
    /// The caller's own identity for this act of asking.
    pub publication_id: Option<String>,
    /// By the service's clock.
    pub asked_at: Time,
}

/// An answer to pick.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QuestionOption {
    /// What a program branches on.
    pub id: OptionId,
    /// 1 to 100 characters, distinct within a question.
    pub label: String,
    /// At most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// What undoing a choice would cost, in the agent's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reversibility {
    /// A quick edit undoes it.
    Reversible,
    /// Undoing it costs real rework.
    HardToReverse,
}

/// A link to the matter in some tracker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Issue {
    /// The tracker's name; 1 to 50 characters.
    pub tracker: String,
    /// The issue's key there; 1 to 100 characters.
    pub key: String,
    /// http or https; at most 2000 characters.
    pub url: String,
}

/// Who asks. `agent` is stamped by the service from the caller's proof; the rest is the caller's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Source {
    /// The name that the caller proved, or the control repository with the name that its maintainer gave.
    pub agent: Author,
    /// The run, at most 200 characters, like the next three.
    pub run: Option<String>,
    /// The task.
    pub task: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// Where the agent runs, for the owner's eye.
    pub seat_hint: Option<String>,
}

impl Question {
    /// The option with this id.
    pub fn option(&self, id: &str) -> Option<&QuestionOption> {
        self.options.iter().find(|option| option.id.as_str() == id)
    }

    /// The moment at which silence ends it; None for what stays open, whatever its deadline.
    pub fn ends_at(&self) -> Option<Time> {
        self.deadline.filter(|_| self.default.is_some() || self.purpose.rules().expires)
    }

    /// Halfway from its asking to its deadline.
    pub fn halfway(&self) -> Option<Time> {
        let asked = self.asked_at.as_millis();
        self.deadline.map(|deadline| Time::from_millis(asked + (deadline.as_millis() - asked) / 2))
    }

    /// Is it declared hard to reverse?
    pub fn is_hard_to_reverse(&self) -> bool {
        self.reversibility == Some(Reversibility::HardToReverse)
    }

    /// Is this answer the yes that its purpose asks for? None for a purpose that asks for none.
    pub fn is_yes(&self, answer: &Answer) -> Option<bool> {
        let yes = self.purpose.rules().yes?;
        Some(answer.outcome == Outcome::Chosen && answer.choice.as_deref() == Some(yes.option))
    }

    /// The name of its topic and of its row in a list: the text on one line, at most 64 characters.
    pub fn title(&self) -> String {
        crate::text::title(&crate::text::reveal(&crate::text::one_line(&self.text)), 64)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
