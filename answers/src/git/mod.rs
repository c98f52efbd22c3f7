//! Any git repository that the git program can push to, by way of a private bare clone. There is no work tree and no merge.
//! What is kept in such a repository, and what follows from a failure, is decided by whoever uses this.

mod changes;
mod clone;
mod failure;
mod program;
mod remote;
#[cfg(test)]
mod tests;
mod words;

pub use changes::Change;
pub use clone::{Built, CommitId, ListedFile, Patience, PrivateClone};
pub use failure::GitFailure;
pub use remote::{GitRemote, InvalidRemote};
pub use words::Unspeakable;
