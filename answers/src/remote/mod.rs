//! Answers on a branch of any git remote, pushed by the git program from a private bare clone.
//!
//! `Saved` means that the remote took the push. A remote that cannot be reached keeps nobody from starting: saves are
//! unknown until it is back, and what is asked of the ids is answered from what was seen last.

mod committer;
mod looks;
mod plan;
mod writer;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;

use self::{committer::Committer, looks::Looks, writer::Writer};
use crate::{
    AnswerFile, AnswerPath, EntryName, Keeper, KeeperError, KeeperSettings, OpenError, SaveOutcome,
    git::{GitFailure, GitRemote, Patience, PrivateClone},
    objects::tree,
};

/// How long opening waits for the remote, so that a first save or a check finds it at hand.
const OPENING_WAITS: Duration = Duration::from_secs(8);

/// A keeper that pushes to a git remote.
///
/// Other programs may push to the same branch at any time.
pub struct RemoteRepository {
    clone: Arc<PrivateClone>,
    writer: Writer,
    looks: Looks,
}

impl RemoteRepository {
    /// Opens it, and begins the branch when the remote has none. When the remote cannot be reached, that happens as soon as
    /// it is back.
    ///
    /// # Errors
    /// [`OpenError`] for a URL or a branch that cannot be used, and when the folder of clones cannot be written to.
    pub async fn open(settings: &KeeperSettings) -> Result<Self, OpenError> {
        Self::open_with(settings, Patience::default()).await
    }

    /// The same with a patience of its own.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_with(settings: &KeeperSettings, patience: Patience) -> Result<Self, OpenError> {
        let remote = GitRemote::new(&settings.url, &settings.credentials)
            .map_err(|invalid| OpenError::InvalidRemote { problem: invalid.problem })?;
        if crate::bare::full_branch_name(&settings.branch).is_none() {
            return Err(OpenError::InvalidBranch { branch: settings.branch.clone() });
        }
        let (branch, clones) = (settings.branch.clone(), settings.clones.clone());
        let path = settings.clones.clone();
        let opened = tokio::task::spawn_blocking(move || PrivateClone::open(remote, &branch, &clones, patience)).await;
        let system = |reason: String| OpenError::System { path, reason };
        let clone = match opened {
            Ok(opened) => Arc::new(opened.map_err(|failure| system(failure.reason()))?),
            Err(stopped) => return Err(system(stopped.to_string())),
        };
        let keeper = Self {
            writer: Writer::start(Committer::new(clone.clone(), settings.begins)),
            looks: Looks::new(clone.clone()),
            clone,
        };
        if !settings.begins {
            return Ok(keeper);
        }
        match tokio::time::timeout(OPENING_WAITS, keeper.writer.begin()).await {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => {
                tracing::warn!(reason = failure.reason(), "the answers repository cannot be used at the moment; answers wait");
            }
            Err(_) => tracing::warn!(remote = %keeper.clone.remote(), "the answers repository is slow; it is not waited for"),
        }
        Ok(keeper)
    }

    /// The head of this moment, with everything that it has in the clone.
    async fn head_now(&self) -> Result<Option<crate::git::CommitId>, GitFailure> {
        self.looks.head().await
    }
}

#[async_trait]
impl Keeper for RemoteRepository {
    async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome> {
        self.writer.save(batch).await
    }

    async fn read(&self, path: &AnswerPath) -> Result<Option<Vec<u8>>, KeeperError> {
        let Some(head) = self.head_now().await? else { return Ok(None) };
        let path = path.clone();
        let read = self.clone.look(head, move |repository, commit| {
            let Some(id) = tree::find_answer(repository, commit, &path)? else { return Ok(None) };
            tree::bytes(repository, id, &path.to_string()).map(Some)
        });
        Ok(read.await?)
    }

    async fn lacks(&self, names: Vec<EntryName>) -> Result<Vec<EntryName>, KeeperError> {
        let Some(head) = self.head_now().await? else { return Ok(Vec::new()) };
        Ok(self.clone.look(head, move |repository, commit| tree::lacking(repository, commit, &names)).await?)
    }

    async fn holds(&self, path: &AnswerPath) -> Result<bool, KeeperError> {
        Ok(self.looks.holds(path).await?)
    }

    async fn list(&self) -> Result<Vec<String>, KeeperError> {
        let Some(head) = self.head_now().await? else { return Ok(Vec::new()) };
        Ok(self.clone.look(head, tree::list_answers).await?)
    }

    async fn live(&self) -> Result<Vec<String>, KeeperError> {
        let Some(head) = self.head_now().await? else { return Ok(Vec::new()) };
        Ok(self.clone.look(head, tree::live_answers).await?)
    }

    async fn archive(&self, batch: Vec<AnswerPath>) -> Result<(), KeeperError> {
        Ok(self.writer.archive(batch).await?)
    }

    async fn head(&self) -> Result<Option<String>, KeeperError> {
        Ok(self.head_now().await?.map(|head| head.to_string()))
    }

    async fn check(&self) -> Result<(), KeeperError> {
        Ok(self.writer.check().await?)
    }

    async fn prove(&self) -> Result<String, KeeperError> {
        Ok(self.writer.prove().await?)
    }
}
