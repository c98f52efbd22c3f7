//! A private bare clone of one branch of a remote repository. It is a cache: what is broken in it is thrown away and
//! fetched again, and nothing in it has to be kept.

mod calls;
mod folder;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use gix::{ObjectId, Repository, ThreadSafeRepository};

use super::{Change, GitFailure, GitRemote, changes};
pub use crate::objects::tree::ListedFile;
use crate::objects::{commit::commit, failure::Failure, object::Objects, random, tree};

/// The name of a commit. Displays in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitId(pub(crate) ObjectId);

/// A commit that was built and not yet pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Its name.
    pub id: CommitId,
    /// What it was built on; None begins the branch.
    pub parent: Option<CommitId>,
}

/// How long the remote is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a look at the head.
    pub look: Duration,
    /// For a fetch or a push.
    pub call: Duration,
    /// For the first fetch, which brings everything.
    pub first: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { look: Duration::from_secs(15), call: Duration::from_secs(60), first: Duration::from_secs(900) }
    }
}

/// One branch of a remote repository, by way of a clone in a folder of its own.
///
/// Work goes `fetch` → `list` and `read` at that commit → `commit` on it → `push`. When the push says
/// [`GitFailure::Raced`], begin again with `fetch`; when it says [`GitFailure::Unknown`], fetch and look before anything
/// is written again.
pub struct PrivateClone {
    remote: GitRemote,
    /// `refs/heads/main`
    branch: String,
    folder: PathBuf,
    patience: Patience,
    /// The ref that this clone fetches into, before it counts as seen.
    landing: String,
    /// Held while git writes into the clone.
    writing: tokio::sync::Mutex<()>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    repository: Option<ThreadSafeRepository>,
    seen: Option<CommitId>,
    /// Something in the clone could not be read.
    is_damaged: bool,
}

impl PrivateClone {
    /// The clone of this branch (`main`) of the remote, in a folder of its own within `clones`. Reaches for nothing yet.
    ///
    /// # Errors
    /// What the system says when the folder cannot be made, and the branch's name when git does not take it.
    pub fn open(remote: GitRemote, branch: &str, clones: &Path, patience: Patience) -> Result<Self, GitFailure> {
        let branch = crate::bare::full_branch_name(branch)
            .ok_or_else(|| GitFailure::Refused(format!("git does not take {branch:?} as the name of a branch")))?;
        std::fs::create_dir_all(clones)
            .map_err(|error| GitFailure::Refused(format!("{} cannot be made: {error}", clones.display())))?;
        let folder = clones.join(folder::name(&remote, &branch));
        let landing = format!("refs/pager/landing-{:016x}", random());
        let clone =
            Self { remote, branch, folder, patience, landing, writing: tokio::sync::Mutex::default(), state: Mutex::default() };
        clone.repository()?;
        Ok(clone)
    }

    /// Where it leads to.
    pub fn remote(&self) -> &GitRemote {
        &self.remote
    }

    /// The branch by its full name.
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// The head that was seen last, by this process or one before it. The remote is not asked.
    pub fn seen(&self) -> Option<CommitId> {
        self.state().seen
    }

    /// The names in a folder (`events`) at a commit, sorted; none when there is no such folder.
    ///
    /// # Errors
    /// When the clone cannot be read; the next fetch makes it anew.
    pub async fn list(&self, at: CommitId, folder: &str) -> Result<Vec<String>, GitFailure> {
        let folder = folder.to_owned();
        self.look(at, move |repository, commit| tree::names(repository, commit, &folder)).await
    }

    /// The files in a folder at a commit, sorted by name. None of them is read.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub async fn files(&self, at: CommitId, folder: &str) -> Result<Vec<ListedFile>, GitFailure> {
        let folder = folder.to_owned();
        self.look(at, move |repository, commit| tree::files(repository, commit, &folder)).await
    }

    /// The file at a path, at a commit.
    ///
    /// # Errors
    /// As [`Self::list`]; also when it is no file.
    pub async fn read(&self, at: CommitId, path: &str) -> Result<Option<Vec<u8>>, GitFailure> {
        let path = path.to_owned();
        self.look(at, move |repository, commit| tree::file(repository, commit, &path)).await
    }

    /// Builds a commit on another, in the clone alone. The first line of the message is its subject.
    ///
    /// # Errors
    /// When it cannot be written; nothing was changed then.
    pub async fn commit(&self, on: Option<CommitId>, changes: Vec<Change>, message: String) -> Result<Built, GitFailure> {
        let repository = self.repository()?;
        let build = move || {
            let repository = repository.to_thread_local();
            let root = on.map(|on| tree::root_of(&repository, on.0)).transpose()?;
            let mut objects = Objects::new(repository.objects.store_ref().path().to_owned());
            let root = changes::apply(&repository, &mut objects, root, &changes)?;
            let id = objects.add(&commit(root, on.map(|on| on.0), message))?;
            objects.publish(None)?;
            Ok(Built { id: CommitId(id), parent: on })
        };
        self.watched(tokio::task::spawn_blocking(build).await)
    }

    /// Looks at a commit, off the asynchronous threads.
    pub(crate) async fn look<Seen: Send + 'static>(
        &self,
        at: CommitId,
        look: impl FnOnce(&Repository, ObjectId) -> Result<Seen, Failure> + Send + 'static,
    ) -> Result<Seen, GitFailure> {
        let repository = self.repository()?;
        self.watched(tokio::task::spawn_blocking(move || look(&repository.to_thread_local(), at.0)).await)
    }

    /// What failed in the clone is no word of the remote: it passes once the clone is made anew.
    fn watched<Done>(&self, done: Result<Result<Done, Failure>, tokio::task::JoinError>) -> Result<Done, GitFailure> {
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(failure)) => {
                if matches!(failure, Failure::Damaged(_)) {
                    self.damaged();
                }
                Err(failure.into())
            }
            Err(stopped) => Err(GitFailure::Unknown(stopped.to_string())),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
