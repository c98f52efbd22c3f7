//! What a keeper of answers promises, whatever it keeps them in.
//! A keeper stores bytes under an id; it knows nothing of questions, and never looks into an answer.

use std::time::Duration;

use async_trait::async_trait;

use crate::{AnswerPath, Entry, EntryName};

/// One answer to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerFile {
    /// Where it goes.
    pub path: AnswerPath,
    /// The file, whole, exactly as it is to be read again.
    pub bytes: Vec<u8>,
    /// One line for the history, such as `answer rel-42: chosen`. Never the answer's text.
    pub message: String,
    /// What is entered in the decision log beside it; see [`Entry`].
    pub beside: Option<Entry>,
}

/// What became of one [`AnswerFile`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// The repository has these bytes under this id, and a loss of power does not take them away.
    ///
    /// Also when they were there before: that was our own earlier attempt.
    Saved {
        /// The commit that holds the answer (for one that was there before: the branch's head), in hex.
        commit: String,
    },
    /// The id holds other bytes, in `answers/` or in the archive. They were left as they are.
    Taken,
    /// Nothing was written, and nothing will be until somebody mends the cause.
    Refused {
        /// What the system said, for the owner. Never the answer's words.
        reason: String,
    },
    /// It may have happened or not, or could not be decided in time: read the path, then save the same bytes again.
    Unknown {
        /// What went wrong, for the log and the owner. Never the answer's words.
        reason: String,
        /// How long the system asks to wait before it is tried again, when it asks for a time of its own.
        pause: Option<Duration>,
    },
}

/// Why a repository of answers could not be read or is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeeperError {
    /// Trying again does not help until somebody mends the cause.
    #[error("the answers repository cannot be used: {reason}")]
    Refused {
        /// What the system said.
        reason: String,
    },
    /// It may work when tried again.
    #[error("the answers repository does not answer at the moment: {reason}")]
    Unavailable {
        /// What the system said.
        reason: String,
    },
}

/// A repository that answers are written to once and read from.
///
/// Saving is create only: no keeper ever changes an answer, and none removes one. Readers look in `answers/`, then in `archive/`.
#[async_trait]
pub trait Keeper: Send + Sync {
    /// Saves answers, all those that are new in one commit, and returns one outcome each, in the same order.
    ///
    /// What goes beside one that is saved, or was before, is entered where nothing is yet: in the same commit, where that is one
    /// write, else in the next. It never decides about the answer, and is left out when it cannot be written.
    ///
    /// When a batch names an id twice, the first one is the one that is saved. A batch that has to be written in parts is
    /// written in its order, and behind one that is [`SaveOutcome::Unknown`] nothing is written: in the history no answer is
    /// ahead of one that was given before it.
    async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome>;

    /// The bytes under this id, or `None` when the repository has none.
    async fn read(&self, path: &AnswerPath) -> Result<Option<Vec<u8>>, KeeperError>;

    /// Which of these names of the decision log nothing is entered under yet, and something could be.
    async fn lacks(&self, names: Vec<EntryName>) -> Result<Vec<EntryName>, KeeperError>;

    /// Whether this id has an answer, so that it counts as used.
    ///
    /// A repository on another machine that cannot be reached this moment answers from what was seen of it last, and where
    /// nothing was seen yet with `false`: questions can be asked while it is away, and the save, which creates only, is what
    /// guards an id in the end.
    async fn holds(&self, path: &AnswerPath) -> Result<bool, KeeperError>;

    /// The ids of all answers, archived ones too, sorted.
    async fn list(&self) -> Result<Vec<String>, KeeperError>;

    /// The ids of the answers that lie in `answers/`, the archived ones left out, sorted.
    async fn live(&self) -> Result<Vec<String>, KeeperError>;

    /// Moves answers from `answers/` to their places in `archive/`, byte for byte and all in one commit. One that is not
    /// in `answers/` is left alone; when nothing is to be moved there is no commit.
    ///
    /// # Errors
    /// [`KeeperError`] when it could not be done or is not known to be; the same batch may be moved again.
    async fn archive(&self, batch: Vec<AnswerPath>) -> Result<(), KeeperError>;

    /// The commit at the head of the branch in hex, or `None` when the branch does not exist.
    async fn head(&self) -> Result<Option<String>, KeeperError>;

    /// Whether an answer could be saved this minute. Leaves nothing behind.
    async fn check(&self) -> Result<(), KeeperError>;

    /// Makes a commit that changes no file and gives it in hex: the one proof that no rule of the repository is in the way.
    async fn prove(&self) -> Result<String, KeeperError>;
}
