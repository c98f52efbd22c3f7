//! Asking where pagerd itself cannot be reached: events go out one way and tell nothing back, answers are files that are
//! looked for another way. GitHub and plain git are two such ways; what the verbs do over them is here, once.

mod asking;
mod event;
mod file;
mod giving_up;
mod pace;
mod persisting;
mod publishing;
mod report;
mod waiting;

use std::time::Duration;

use pager_questions::{AgentName, QuestionId, Time, VerifyingKey};

pub use asking::{Asking, ask, ask_and_wait};
pub use event::Event;
pub use file::{Judged, judge};
pub use giving_up::{WATCH, Withdrawn, withdraw};
pub use pace::{Rhythm, UNIT};
pub use persisting::look;
pub use publishing::publish;
pub use report::{print, report};
pub use waiting::{Waiting, wait};

use crate::json::Json;
use crate::output;

/// No answer comes near this: its texts together have less than 8,000 characters.
pub const LARGEST_ANSWER: usize = 64 * 1024;

/// A way to pagerd that tells nothing back.
pub trait Distant: Send + Sync {
    /// Looks where the answers are. None when the branch is still at the commit `known`. Where it has moved, the answer's
    /// file is read as of that commit. A look without a file proves that it could have been read.
    ///
    /// # Errors
    /// [`Trouble`]; never an absent file.
    fn look(&self, id: &QuestionId, known: Option<&str>) -> Result<Option<Look>, Trouble>;

    /// Tries once to send an event. Sent again, with the same event in it, it counts once.
    ///
    /// # Errors
    /// [`Trouble`]. After [`Trouble::Passing`] it may have arrived.
    fn send(&self, event: &Event, sent_at: Time) -> Result<(), Trouble>;

    /// The time by the clock that stands nearest to pagerd's.
    fn now(&self) -> Time;

    /// How many times the shortest pause between two looks may become at most, as far as limits are known.
    fn longest_pause(&self) -> u32;

    /// Where events go, for people.
    fn destination(&self) -> String;

    /// The keys that answers are verified with.
    fn keys(&self) -> &[VerifyingKey];

    /// The name that the agent gives itself.
    fn agent(&self) -> Option<&AgentName>;
}

/// What was seen where the branch was looked at.
#[derive(Debug)]
pub struct Look {
    /// The commit that the branch is at.
    pub head: String,
    /// The file of the answer in that commit, from `answers/` or the archive.
    pub file: Option<File>,
}

/// A file that should be an answer.
#[derive(Debug)]
pub enum File {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// Too large to be one.
    TooLarge,
}

impl File {
    /// A file of these bytes.
    pub fn of(bytes: Vec<u8>) -> Self {
        if bytes.len() > LARGEST_ANSWER { Self::TooLarge } else { Self::Bytes(bytes) }
    }
}

/// Why something did not come through. The words are for people.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Trouble {
    /// It passes: no network, or their server failed. What was sent may have arrived.
    #[error("{0}")]
    Passing(String),
    /// Too many requests; nothing was done. `wait` is what they ask for, where they say.
    #[error("{words}")]
    Limited {
        /// What they said.
        words: String,
        /// For how long.
        wait: Option<Duration>,
    },
    /// No right, not there, or not set: somebody has to do something.
    #[error("{0}")]
    Refused(String),
    /// What was sent is not taken as it is.
    #[error("{0}")]
    Invalid(String),
}

/// `{"id","state"}` of a question whose state cannot be known from here.
pub fn unknown_state(id: &QuestionId) -> Json {
    Json::object([("id", id.as_str().into()), ("state", Json::Null)])
}

/// `{"id","state"}` after a withdrawal was sent.
pub fn withdrawal_sent(id: &QuestionId) -> Json {
    output::state(id.as_str(), "withdrawal_sent")
}

/// Where the answer of a question lies, in the order to look in.
pub fn places(id: &QuestionId) -> [String; 2] {
    use sha2::{Digest, Sha256};
    let part = Sha256::digest(id.as_str().as_bytes())[0];
    [format!("answers/{id}.json"), format!("archive/{part:02x}/{id}.json")]
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn an_answer_lies_in_answers_or_in_its_part_of_the_archive() {
        // printf rel-42 | sha256sum
        let id = QuestionId::parse("rel-42").unwrap();
        assert_eq!(places(&id), ["answers/rel-42.json", "archive/68/rel-42.json"]);
    }
}
