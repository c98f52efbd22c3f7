//! Wakes of agents that keep a runner: what is the reason for one, and what became of those that were listed.

use pager_questions::{Author, Time, WakeId};

/// An agent that keeps a runner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runner {
    /// The agent.
    pub agent: Author,
    /// Nothing from before this moment is woken for.
    pub since: Time,
}

/// Something happened to an agent that keeps a runner, and was not listed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WakeCause {
    /// Its number, rising with each.
    pub number: i64,
    /// What happened.
    pub kind: CauseKind,
    /// The incarnation of the record or the id of the reply.
    pub subject: String,
    /// When it was stored.
    pub at: Time,
}

/// What happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseKind {
    /// One of its records ended.
    Ended,
    /// Its offer was picked too late.
    LatePick,
    /// Somebody else wrote into the thread of its request.
    Reply,
    /// A question was put to it.
    Awaiting,
}

impl CauseKind {
    /// The kind of this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "ended" => Some(Self::Ended),
            "late_pick" => Some(Self::LatePick),
            "reply" => Some(Self::Reply),
            "awaiting" => Some(Self::Awaiting),
            _ => None,
        }
    }
}

/// A wake that was listed, or acknowledged without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWake {
    /// Whose.
    pub agent: Author,
    /// Its id.
    pub id: WakeId,
    /// Whoever asked; None where it is the agent itself.
    pub author: Option<String>,
    /// When what it is about happened.
    pub at: Time,
    /// What became of it.
    pub state: WakeState,
    /// The token of the mark that counts; None while nobody has it.
    pub mark: Option<String>,
    /// Until when the mark holds.
    pub lease_until: Option<Time>,
    /// How often it was marked.
    pub times: u32,
}

impl StoredWake {
    /// Whether a runner has it at this moment.
    pub fn is_held(&self, now: Time) -> bool {
        self.lease_until.is_some_and(|lease| lease > now)
    }
}

/// What became of a wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WakeState {
    /// Nobody acknowledged it yet.
    Waiting,
    /// It was acknowledged.
    Done,
    /// It became pointless before anybody was woken.
    Dropped,
    /// It was marked as often as it may be, and never acknowledged.
    GivenUp,
}

impl WakeState {
    const ALL: [Self; 4] = [Self::Waiting, Self::Done, Self::Dropped, Self::GivenUp];

    /// The name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Dropped => "dropped",
            Self::GivenUp => "given_up",
        }
    }

    /// The state of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// Requests that a runner may be woken for.
#[derive(Debug, Clone)]
pub struct OfInterest {
    /// The agent: not its own requests, and none in whose thread it posted.
    pub agent: Author,
    /// Its skills, as tags; empty for everything.
    pub skills: Vec<String>,
    /// Younger than this moment.
    pub since: Time,
    /// Not younger than this one.
    pub until: Time,
    /// None that has a wake for this reason.
    pub reason: pager_questions::wake::Reason,
    /// At most this many.
    pub limit: u32,
}
