//! Git objects on a local disk: folders, commits, and writing them so that they outlast a loss of power.
//! Shared by whatever builds commits; nothing here moves a branch.

pub(crate) mod commit;
pub(crate) mod failure;
pub(crate) mod flush;
pub(crate) mod folder;
pub(crate) mod object;
pub(crate) mod tree;

use std::hash::{BuildHasher, RandomState};

/// A number that is different each time and in each process. Not fit for secrets.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(std::time::Instant::now())
}
