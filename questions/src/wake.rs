//! What an agent's runner is woken for: the reasons, the id of each wake, and what a model is told. Which wakes there are for whom is
//! found out by whoever has the records; here is only what one means.

mod message;
mod sentence;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Incarnation, Outcome, Party, Purpose, Record, ReplyId, RequestId, State};

pub use message::{awaiting_message, late_pick_message, reply_message, request_message};
pub use sentence::{of_awaiting, of_end, of_late_pick, of_reply, of_request};

/// Why an agent is woken. There is at most one wake of each record and reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// One of its questions was answered, declined or called off.
    Answered,
    /// Its offer was picked, or answered in words.
    Picked,
    /// Nobody answered its question or offer by the deadline.
    Deadline,
    /// Its offer was picked after the default held.
    LatePick,
    /// Somebody else wrote into the thread of its request.
    Reply,
    /// A question or an offer is put to it.
    Awaiting,
    /// Somebody asks for work that is of interest to it.
    Request,
    /// An older request that nobody answered: for a heartbeat, which starts without it too.
    Older,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 8] =
        [Self::Answered, Self::Picked, Self::Deadline, Self::LatePick, Self::Reply, Self::Awaiting, Self::Request, Self::Older];

    /// The wire name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Picked => "picked",
            Self::Deadline => "deadline",
            Self::LatePick => "late_pick",
            Self::Reply => "reply",
            Self::Awaiting => "awaiting",
            Self::Request => "request",
            Self::Older => "older",
        }
    }

    /// The reason of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// Why the end of this record wakes its agent; None for what has no end, and for an end that the agent made itself.
    pub fn of_end(record: &Record) -> Option<Self> {
        let answer = match &record.state {
            State::Ended { answer, .. } | State::IdTaken { answer } => answer,
            State::Open { .. } | State::Answering(_) | State::Withdrawn { .. } => return None,
        };
        let is_own = Party::of(&answer.by) == Some(Party::Agent(record.question.source.agent.clone()));
        match answer.outcome {
            _ if is_own => None,
            Outcome::Defaulted | Outcome::Expired => Some(Self::Deadline),
            Outcome::Chosen | Outcome::OwnWords if record.question.purpose == Purpose::Offer => Some(Self::Picked),
            Outcome::Chosen | Outcome::OwnWords | Outcome::Declined | Outcome::Cancelled => Some(Self::Answered),
        }
    }
}

/// What a wake is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum About {
    /// A question, by its incarnation.
    Record(Incarnation),
    /// A request.
    Request(RequestId),
    /// A reply.
    Reply(ReplyId),
}

/// The id of a wake: `<incarnation, request id or reply id>.<reason>`. Which of them is laid down by the reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WakeId {
    about: About,
    reason: Reason,
}

/// Why a text is no id of a wake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the id of a wake is the id of what it is about, a dot, and its reason")]
pub struct NotAWakeId;

impl WakeId {
    /// Of the end of a record; None where that wakes nobody.
    pub fn of_end(record: &Record) -> Option<Self> {
        let reason = Reason::of_end(record)?;
        Some(Self { about: About::Record(record.question.incarnation.clone()), reason })
    }

    /// Of a late pick of this offer.
    pub fn of_late_pick(offer: &Incarnation) -> Self {
        Self { about: About::Record(offer.clone()), reason: Reason::LatePick }
    }

    /// Of a question that is put to the agent.
    pub fn of_awaiting(question: &Incarnation) -> Self {
        Self { about: About::Record(question.clone()), reason: Reason::Awaiting }
    }

    /// Of a reply.
    pub fn of_reply(reply: &ReplyId) -> Self {
        Self { about: About::Reply(reply.clone()), reason: Reason::Reply }
    }

    /// Of a new request.
    pub fn of_request(request: &RequestId) -> Self {
        Self { about: About::Request(request.clone()), reason: Reason::Request }
    }

    /// Of an older request.
    pub fn of_older(request: &RequestId) -> Self {
        Self { about: About::Request(request.clone()), reason: Reason::Older }
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`NotAWakeId`] when the text has another shape.
    pub fn parse(text: &str) -> Result<Self, NotAWakeId> {
        let (about, reason) = text.rsplit_once('.').ok_or(NotAWakeId)?;
        let reason = Reason::parse(reason).ok_or(NotAWakeId)?;
        let about = match reason {
            Reason::Answered | Reason::Picked | Reason::Deadline | Reason::LatePick | Reason::Awaiting => {
                Incarnation::parse(about).map(About::Record)
            }
            Reason::Reply => ReplyId::parse(about).map(About::Reply),
            Reason::Request | Reason::Older => RequestId::parse(about).map(About::Request),
        };
        Ok(Self { about: about.map_err(|_| NotAWakeId)?, reason })
    }

    /// What it is about.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Why.
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

impl fmt::Display for WakeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = match &self.about {
            About::Record(incarnation) => incarnation.as_str(),
            About::Request(request) => request.as_str(),
            About::Reply(reply) => reply.as_str(),
        };
        write!(f, "{about}.{}", self.reason.as_str())
    }
}

impl TryFrom<String> for WakeId {
    type Error = NotAWakeId;
    fn try_from(text: String) -> Result<Self, NotAWakeId> {
        Self::parse(&text)
    }
}

impl From<WakeId> for String {
    fn from(id: WakeId) -> Self {
        id.to_string()
    }
}
