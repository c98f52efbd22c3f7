//! What a branch of events has to offer, wherever it is. Knows nothing of what an event means.

use std::time::Duration;

use async_trait::async_trait;
use pager_answers::git::GitFailure;
use pager_answers::github::Failure;

/// A branch of events.
#[async_trait]
pub trait Source: Send + Sync {
    /// Where the branch stands, when that is another commit than the known one.
    async fn look(&self, known: Option<&str>) -> Result<Look, Trouble>;

    /// The files of the folder of events at this commit, which was looked at last.
    async fn files(&self, at: &str) -> Result<Vec<Found>, Trouble>;

    /// The bytes of one of them.
    async fn read(&self, at: &str, file: &Found) -> Result<Vec<u8>, Trouble>;

    /// Takes files away in one commit upon this one, if the branch still stands there; the new commit. Refused ones are moved
    /// out of the way, so that somebody can look at them.
    async fn tidy(&self, at: &str, handled: &[Found], refused: &[Found]) -> Result<String, Trouble>;

    /// How long until the next look while there is no such branch.
    fn pause_while_missing(&self) -> Duration;
}

/// What a look at the branch shows.
#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    /// It stands at the known commit.
    Unchanged,
    /// There is no such branch: no event came yet.
    Missing,
    /// It stands at this commit.
    At(String),
}

/// A file in the folder of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// Names its bytes.
    pub content: String,
    /// How many bytes it has.
    pub size: u64,
}

/// Why the branch could not be looked at or tidied.
#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It was moved by somebody else at the same moment.
    Raced,
    /// A limit: not before the pause is over.
    Limited {
        /// How long.
        pause: Duration,
        /// What the server said.
        reason: String,
    },
    /// Anything else: tried again after a while, also when somebody has to mend it first.
    Failed {
        /// What is known, without secrets.
        reason: String,
    },
}

impl Trouble {
    pub(super) fn failed(reason: impl Into<String>) -> Self {
        Self::Failed { reason: reason.into() }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Limited { pause, reason } => Self::Limited { pause, reason },
            Failure::Refused { reason, .. } | Failure::Unknown { reason } => Self::Failed { reason },
        }
    }
}

impl From<GitFailure> for Trouble {
    fn from(failure: GitFailure) -> Self {
        match failure {
            GitFailure::Raced => Self::Raced,
            GitFailure::Declined(reason) | GitFailure::Refused(reason) | GitFailure::Unknown(reason) => Self::Failed { reason },
        }
    }
}
