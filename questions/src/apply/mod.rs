//! The one function that decides. Total and deterministic: the same record, event and time give the same result.
//!
//! One file an event; each looks at every state, so a new state does not compile until every event has met it.

mod claim;
mod consume;
mod delayed;
mod deliver;
mod due;
mod found;
mod refused;
mod remind;
mod saved;
mod taken;
mod unattended;
mod uncertain;
mod withdraw;

use serde::{Deserialize, Serialize};

use crate::{Answer, By, Delivery, OptionId, Record, Time};

/// What can happen to a question after it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Somebody entitled answers, declines or cancels. Who may is checked before.
    Claim {
        /// What they decided.
        resolution: Resolution,
        /// Who.
        by: By,
        /// The press or text it came from, in its door's own terms.
        origin: Option<String>,
        /// When they said so, where that is known; only words that were said before the deadline win over it.
        said_at: Option<Time>,
    },
    /// The answers repository has the answer of this claim.
    Saved {
        /// The claim's number.
        claim: u64,
        /// The signature that the file carries.
        signature: String,
        /// The commit.
        commit: String,
    },
    /// The answers repository refused for good.
    Refused {
        /// The claim's number.
        claim: u64,
        /// What it said.
        reason: String,
    },
    /// The write may or may not have happened.
    Uncertain {
        /// The claim's number.
        claim: u64,
        /// What is known.
        reason: String,
    },
    /// The answer of this claim has not reached the answers repository for a while.
    Delayed {
        /// The claim's number.
        claim: u64,
        /// What is known.
        reason: String,
    },
    /// The answers repository has an answer to this very record, signed by this service, that the store does not know.
    Found {
        /// The answer, with its signature.
        answer: Box<Answer>,
        /// A commit that holds it.
        commit: String,
    },
    /// The path holds something that is not this answer.
    Taken {
        /// The claim's number.
        claim: u64,
    },
    /// The agent takes its question back.
    Withdraw {
        /// Which agent.
        by: By,
        /// Why.
        reason: Option<String>,
    },
    /// A moment at or behind its deadline came.
    Due,
    /// A moment at or behind halfway to its deadline came.
    Remind,
    /// Its agent spends the approval that it got.
    Consume,
    /// Its agent waited, and has not come back for long.
    Unattended {
        /// Since when nobody waits.
        since: Time,
    },
    /// It got further on its way to the owner, or no further.
    Deliver(Delivery),
}

/// What an entitled person decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// Picked an option; several where several may be picked.
    Chosen(Vec<OptionId>),
    /// Wrote words of their own.
    OwnWords(String),
    /// Leaves it to the agent.
    Declined,
    /// Calls it off.
    Cancelled(CancelReason),
}

/// Why a question was called off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelReason {
    /// The owner wants it so.
    OwnerCancelled,
    /// Its source starts over.
    SourceReset,
    /// It was answered at the agent's own prompt.
    AnsweredNatively,
    /// The session that asked is over.
    SessionEnded,
}

impl CancelReason {
    /// The wire name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OwnerCancelled => "owner_cancelled",
            Self::SourceReset => "source_reset",
            Self::AnsweredNatively => "answered_natively",
            Self::SessionEnded => "session_ended",
        }
    }
}

/// What has to be done outside because of an event. Carried out after the record is stored, and until it is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Put the question before its owner.
    Show,
    /// Write the answer of this claim into the answers repository.
    Save {
        /// The claim's number.
        claim: u64,
    },
    /// Show the question anew wherever it is shown: something about it is to be said.
    Refresh,
    /// Remind its owner of it, where it is shown.
    Remind,
    /// Show the end wherever the question is shown: no buttons, the outcome, the mark.
    Close,
    /// Wake whatever the question names for that: it ended.
    Wake,
    /// Tell whoever wrote this that it counts.
    Thank {
        /// The text, in its door's own terms.
        origin: String,
    },
    /// Tell whoever answered that it could not be saved, and that the question is open again.
    Regret {
        /// The press or text, in its door's own terms.
        origin: Option<String>,
        /// What the answers repository said.
        reason: String,
    },
}

impl Effect {
    /// What every end of this question asks for, but for a withdrawal: its own agent made that one.
    fn of_end(record: &Record) -> Vec<Self> {
        let wakes = record.question.wake.is_some();
        [Some(Self::Close), wakes.then_some(Self::Wake)].into_iter().flatten().collect()
    }

    /// The name of its kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Save { .. } => "save",
            Self::Refresh => "refresh",
            Self::Remind => "remind",
            Self::Close => "close",
            Self::Wake => "wake",
            Self::Thank { .. } => "thank",
            Self::Regret { .. } => "regret",
        }
    }

    /// The id of this effect of this record: a replay of the same event makes the same one.
    pub fn id(&self, record: &Record) -> String {
        format!("{}-{}-{}", record.question.incarnation, record.revision, self.name())
    }
}

/// Why an event changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Another answer is being saved.
    #[error("an answer is being saved")]
    Answering,
    /// It has ended.
    #[error("it has been settled already")]
    AlreadyAnswered,
    /// Its agent took it back.
    #[error("the agent took it back")]
    Withdrawn,
    /// It was said once the deadline had passed, which ends the question.
    #[error("its deadline passed before")]
    DeadlinePassed,
    /// The picked option is none of its options.
    #[error("it has no such option")]
    NotAnOption,
    /// It takes one of its options, and no words.
    #[error("it takes one of its options, no words")]
    TakesNoWords,
    /// Nobody approved it, so there is nothing to spend.
    #[error("it is not approved")]
    NotApproved,
    /// Its approval was spent before.
    #[error("its approval was spent before")]
    Spent,
    /// The claim that this is about is not under way.
    #[error("that claim is not under way")]
    Stale,
}

/// Decides what an event does to a record: the next record and what has to be done outside.
///
/// A record that comes back with the same revision has not changed.
///
/// # Errors
/// [`Refusal`] says why nothing changes.
pub fn apply(record: &Record, event: Event, now: Time) -> Result<(Record, Vec<Effect>), Refusal> {
    match event {
        Event::Claim { resolution, by, origin, said_at } => {
            claim::apply(record, claim::Claimed { resolution, by, origin, said_at }, now)
        }
        Event::Saved { claim, signature, commit } => saved::apply(record, claim, signature, commit),
        Event::Refused { claim, reason } => refused::apply(record, claim, reason, now),
        Event::Uncertain { claim, reason } => uncertain::apply(record, claim, reason, now),
        Event::Delayed { claim, reason } => delayed::apply(record, claim, reason, now),
        Event::Found { answer, commit } => found::apply(record, answer, commit),
        Event::Taken { claim } => taken::apply(record, claim, now),
        Event::Withdraw { by, reason } => withdraw::apply(record, by, reason, now),
        Event::Due => due::apply(record, now),
        Event::Remind => Ok(remind::apply(record, now)),
        Event::Consume => consume::apply(record, now),
        Event::Unattended { since } => Ok(unattended::apply(record, since)),
        Event::Deliver(delivery) => Ok(deliver::apply(record, delivery)),
    }
}
