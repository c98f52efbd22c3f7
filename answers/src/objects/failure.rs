//! Why something in the store of git objects did not work, sorted by what the caller may do about it.

use std::{io, path::Path};

use crate::{KeeperError, SaveOutcome};

/// A failure, in the system's own words.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Another writer moved the branch first. Nothing was changed: read again and build anew.
    HeadMoved,
    /// Nothing was changed, and the same will happen again until somebody mends it.
    Refused(String),
    /// What is stored cannot be read.
    Damaged(String),
    /// It may have happened, or a shortage or another program stood in the way for a while.
    Unknown(String),
}

impl Failure {
    /// Sorts an error of the file system that came **before** the branch was moved.
    pub(crate) fn from_io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let words = format!("cannot {doing} {}: {error}", path.display());
        let passes = error.raw_os_error().is_some_and(|code| {
            use rustix::io::Errno;
            [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::AGAIN, Errno::INTR, Errno::TIMEDOUT]
                .into_iter()
                .any(|errno| errno.raw_os_error() == code)
        });
        if passes { Self::Unknown(words) } else { Self::Refused(words) }
    }

    /// An error of reading or parsing the repository: definite, since nothing was being changed.
    pub(crate) fn from_git(doing: &str, error: &gix::Error) -> Self {
        let mut words = format!("cannot {doing}");
        for cause in error.iter_errors() {
            words.push_str(": ");
            words.push_str(&cause.to_string());
        }
        Self::Damaged(words)
    }

    /// The words alone.
    pub(crate) fn reason(self) -> String {
        match self {
            Self::HeadMoved => "other writers kept moving the branch".to_owned(),
            Self::Refused(reason) | Self::Damaged(reason) | Self::Unknown(reason) => reason,
        }
    }
}

impl From<Failure> for SaveOutcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(reason) | Failure::Damaged(reason) => Self::Refused { reason },
            Failure::HeadMoved | Failure::Unknown(_) => Self::Unknown { reason: failure.reason(), pause: None },
        }
    }
}

impl From<Failure> for KeeperError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(reason) | Failure::Damaged(reason) => Self::Refused { reason },
            Failure::HeadMoved | Failure::Unknown(_) => Self::Unavailable { reason: failure.reason() },
        }
    }
}
