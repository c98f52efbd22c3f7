//! What is known of the branch, so that asking for an id costs a look at the branch's file alone while nothing was saved.

use std::{fs, path::PathBuf};

use gix::{ObjectId, Repository};

use crate::{
    AnswerPath,
    objects::{failure::Failure, known::KnownIds},
};

/// The ids of the branch as they were last seen.
pub(super) struct Known {
    branch_file: PathBuf,
    ids: KnownIds,
}

impl Known {
    /// Nothing is known yet of the branch in this file.
    pub(super) fn new(branch_file: PathBuf) -> Self {
        Self { branch_file, ids: KnownIds::default() }
    }

    /// Whether the branch has this answer, or `None` when that has to be looked up.
    pub(super) fn holds(&self, path: &AnswerPath) -> Option<bool> {
        // A packed or symbolic branch has no commit in its file, and is looked up each time.
        let file = fs::read_to_string(&self.branch_file).ok()?;
        self.ids.holds(ObjectId::from_hex(file.trim_end().as_bytes()).ok()?, path)
    }

    /// The same, looked up when it is not known. Blocks.
    pub(super) fn look_up(&self, repository: &Repository, head: ObjectId, path: &AnswerPath) -> Result<bool, Failure> {
        self.ids.look_up(repository, head, path)
    }
}
