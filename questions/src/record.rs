//! A question with everything that happened to it. What is illegal cannot be written down: an end carries its answer,
//! an answer under way carries its claim.

use serde::{Deserialize, Serialize};

use crate::{Answer, By, Outcome, Purpose, Question, Time};

/// One question, its state and where it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What was asked.
    pub question: Question,
    /// What happened to it.
    pub state: State,
    /// How far it got on its way to the owner.
    pub delivery: Delivery,
    /// Since when no agent waits for it any more; only known of a question that was waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unattended_since: Option<Time>,
    /// When its approval was spent: it is good for one time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_at: Option<Time>,
    /// When its owner was reminded of it: once at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reminded_at: Option<Time>,
    /// Counts the changes, from 1. A write names the revision it read (compare and set).
    pub revision: u64,
}

/// The states of a question. Ends are never left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for its owner.
    Open {
        /// The last answer was refused by the answers repository, so it waits again.
        refused: Option<Note>,
    },
    /// Somebody answered; the answers repository does not have it yet.
    Answering(Box<Claim>),
    /// The answers repository has it.
    Ended {
        /// Signed, as it stands in the file.
        answer: Box<Answer>,
        /// The commit that brought it.
        commit: String,
    },
    /// Its agent took it back. No file: nobody waits any more.
    Withdrawn {
        /// When.
        at: Time,
        /// Which agent.
        by: By,
        /// Why, in the agent's words.
        reason: Option<String>,
    },
    /// The answers repository has something else under this id; cancelled without a file.
    IdTaken {
        /// What whoever waits is told: cancelled, by the service. It has no file and no signature.
        answer: Box<Answer>,
    },
}

/// An answer that was decided and is being saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The answer, not signed yet; writing it twice gives the same bytes.
    pub answer: Answer,
    /// The revision that made this claim: what comes back from a save names it.
    pub number: u64,
    /// The press or text it came from, in its door's own terms; thanked or told once the outcome is known.
    pub origin: Option<String>,
    /// The last try to save it may or may not have happened.
    pub uncertain: Option<Note>,
    /// Saving it takes so long that whoever answered was shown it: since when, and what was known then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delayed: Option<Note>,
}

/// Something that happened, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// When.
    pub at: Time,
    /// Why, for people.
    pub reason: String,
}

/// How far a question got on its way to the owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Delivery {
    /// How far.
    pub state: DeliveryState,
    /// Why no further.
    pub reason: Option<String>,
    /// Where it can be seen.
    pub link: Option<String>,
}

/// The steps of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// In the store, and so on the page and in every list.
    Stored,
    /// On its way to the chat.
    Queued,
    /// In the chat: it gave a message id back.
    Shown,
    /// It may or may not be in the chat.
    Uncertain,
    /// It cannot get there; the reason says why.
    Undeliverable,
}

impl Record {
    /// A question that was just asked.
    pub fn asked(question: Question) -> Self {
        let delivery = Delivery { state: DeliveryState::Stored, reason: None, link: None };
        Self {
            question,
            state: State::Open { refused: None },
            delivery,
            unattended_since: None,
            spent_at: None,
            reminded_at: None,
            revision: 1,
        }
    }

    /// The next version of this record, in another state.
    pub(crate) fn turned(&self, state: State) -> Self {
        Self { state, revision: self.revision + 1, ..self.clone() }
    }

    /// Is it over? Ends are never left.
    pub fn is_over(&self) -> bool {
        match self.state {
            State::Open { .. } | State::Answering(_) => false,
            State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => true,
        }
    }

    /// When it ended.
    pub fn ended_at(&self) -> Option<Time> {
        match &self.state {
            State::Open { .. } | State::Answering(_) => None,
            State::Withdrawn { at, .. } => Some(*at),
            State::Ended { answer, .. } | State::IdTaken { answer } => Some(answer.at),
        }
    }

    /// What settled it: signed and in the answers repository, but for the one end that has no file.
    pub fn answer(&self) -> Option<&Answer> {
        match &self.state {
            State::Ended { answer, .. } | State::IdTaken { answer } => Some(answer),
            State::Open { .. } | State::Answering(_) | State::Withdrawn { .. } => None,
        }
    }

    /// Is it an offer whose default holds, or is being saved? What is picked of it from then on is late.
    pub fn is_defaulted_offer(&self) -> bool {
        let answer = match &self.state {
            State::Answering(claim) => Some(&claim.answer),
            State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => self.answer(),
        };
        self.question.purpose == Purpose::Offer && answer.is_some_and(|answer| answer.outcome == Outcome::Defaulted)
    }
}
