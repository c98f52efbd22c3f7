//! Answers in a bare git repository on this machine, written straight into its object store.
//!
//! There is no work tree and no git program. A save costs as much as the folder `answers/` is large, whatever the
//! number of answers ever saved. `Saved` means flushed: the objects first, then the branch, because a branch that
//! outlasts a loss of power and names objects that do not would be worse than a lost answer.

mod archive;
mod branch;
mod commit;
mod init;
mod known;
mod lock;
mod writer;

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use gix::{ObjectId, Repository, ThreadSafeRepository};

use self::{branch::Branch, commit::Committer, known::Known, writer::Writer};
use crate::objects::{failure, failure::Failure, flush, object, random, tree};
use crate::{AnswerFile, AnswerPath, EntryName, Keeper, KeeperError, OpenError, SaveOutcome};

/// A keeper that writes to a bare repository on this machine.
///
/// Other programs may push to the same branch at any time; other processes of this one may write to it too.
pub struct BareRepository {
    repository: ThreadSafeRepository,
    branch: Branch,
    writer: Writer,
    known: Arc<Known>,
}

impl BareRepository {
    /// Opens the repository at `path` and makes it when the folder is absent or empty. Blocks for some milliseconds.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when the folder holds something else, or when the system refuses.
    pub fn open(path: &Path, branch: &str) -> Result<Self, OpenError> {
        let branch = Branch::new(branch).ok_or_else(|| OpenError::InvalidBranch { branch: branch.to_owned() })?;
        let repository = init::open_or_make(path, &branch)?;
        let writer = Writer::start(Committer::new(repository.clone(), branch.clone()))
            .map_err(|error| OpenError::System { path: path.to_owned(), reason: error.to_string() })?;
        let known = Arc::new(Known::new(branch.file(repository.refs.git_dir())));
        Ok(Self { repository, branch, writer, known })
    }

    /// Looks at the head of the branch, off the asynchronous threads. `None` when there is no branch.
    async fn look<Seen: Send + 'static>(
        &self,
        look: impl FnOnce(&Repository, ObjectId) -> Result<Seen, Failure> + Send + 'static,
    ) -> Result<Option<Seen>, KeeperError> {
        let repository = self.repository.clone();
        let branch = self.branch.clone();
        let seen = tokio::task::spawn_blocking(move || {
            let repository = repository.to_thread_local();
            branch.head(&repository)?.map(|head| look(&repository, head)).transpose()
        })
        .await;
        match seen {
            Ok(seen) => Ok(seen?),
            Err(stopped) => Err(KeeperError::Unavailable { reason: stopped.to_string() }),
        }
    }
}

#[async_trait]
impl Keeper for BareRepository {
    async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome> {
        self.writer.save(batch).await
    }

    async fn read(&self, path: &AnswerPath) -> Result<Option<Vec<u8>>, KeeperError> {
        let path = path.clone();
        let read = move |repository: &Repository, head| {
            let Some(id) = tree::find_answer(repository, head, &path)? else { return Ok(None) };
            tree::bytes(repository, id, &path.to_string()).map(Some)
        };
        Ok(self.look(read).await?.flatten())
    }

    async fn lacks(&self, names: Vec<EntryName>) -> Result<Vec<EntryName>, KeeperError> {
        Ok(self.look(move |repository, head| tree::lacking(repository, head, &names)).await?.unwrap_or_default())
    }

    async fn holds(&self, path: &AnswerPath) -> Result<bool, KeeperError> {
        if let Some(holds) = self.known.holds(path) {
            return Ok(holds);
        }
        let (known, path) = (self.known.clone(), path.clone());
        let looked = self.look(move |repository, head| known.look_up(repository, head, &path));
        Ok(looked.await?.unwrap_or(false))
    }

    async fn list(&self) -> Result<Vec<String>, KeeperError> {
        Ok(self.look(tree::list_answers).await?.unwrap_or_default())
    }

    async fn live(&self) -> Result<Vec<String>, KeeperError> {
        Ok(self.look(tree::live_answers).await?.unwrap_or_default())
    }

    async fn archive(&self, batch: Vec<AnswerPath>) -> Result<(), KeeperError> {
        Ok(self.writer.archive(batch).await?)
    }

    async fn head(&self) -> Result<Option<String>, KeeperError> {
        self.look(|_, head| Ok(head.to_string())).await
    }

    async fn check(&self) -> Result<(), KeeperError> {
        Ok(self.writer.check().await?)
    }

    async fn prove(&self) -> Result<String, KeeperError> {
        Ok(self.writer.prove().await?)
    }
}

/// `refs/heads/<short>`, or `None` when git does not take that for the name of a branch.
pub(crate) fn full_branch_name(short: &str) -> Option<String> {
    Branch::new(short).map(|branch| branch.full_name())
}
