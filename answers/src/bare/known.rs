//! The ids in `answers/` at the last commit that was looked at, so that asking for one costs a look at the branch's file
//! alone while nothing was saved. The archive may be large and is not held in memory.

use std::{
    fs,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use gix::ObjectId;

use super::tree::Contents;
use crate::AnswerPath;

/// The contents of the branch as they were last seen.
pub(super) struct Known {
    branch_file: PathBuf,
    seen: Mutex<Option<(ObjectId, Contents)>>,
}

impl Known {
    /// Nothing is known yet of the branch in this file.
    pub(super) fn new(branch_file: PathBuf) -> Self {
        Self { branch_file, seen: Mutex::new(None) }
    }

    /// Whether the branch has this answer, or `None` when that has to be looked up.
    pub(super) fn holds(&self, path: &AnswerPath) -> Option<bool> {
        // A packed or symbolic branch has no commit in its file, and is looked up each time.
        let file = fs::read_to_string(&self.branch_file).ok()?;
        let head = ObjectId::from_hex(file.trim_end().as_bytes()).ok()?;
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, contents) = seen.as_ref().filter(|(commit, _)| *commit == head)?;
        match contents.ids.contains(path.id()) {
            true => Some(true),
            false if contents.has_archive => None,
            false => Some(false),
        }
    }

    /// Remembers what a commit has.
    pub(super) fn remember(&self, commit: ObjectId, contents: Contents) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some((commit, contents));
    }
}
