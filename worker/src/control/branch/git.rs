//! The branch in any git repository, by the git program and a private clone.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use pager_answers::Credentials;
use pager_answers::git::{Change, CommitId, GitRemote, Patience, PrivateClone};

use super::source::{Found, Look, Source, Trouble};
use super::tidying::{README, message};
use super::{BRANCH, EVENTS, LOOKS_EVERY, REFUSED};

/// The branch of a git repository.
pub struct GitBranch {
    clone: PrivateClone,
    /// The commit that was fetched last.
    at: Mutex<Option<CommitId>>,
}

impl GitBranch {
    /// The branch of the repository at this address. Reaches for nothing yet.
    ///
    /// # Errors
    /// What is wrong with the address or the folder.
    pub fn open(url: &str, credentials: &Credentials, clones: &Path) -> anyhow::Result<Self> {
        let told = |error: String| anyhow::anyhow!("control.inbox_url: {error}");
        let remote = GitRemote::new(url, credentials).map_err(|error| told(error.to_string()))?;
        let clone = PrivateClone::open(remote, BRANCH, clones, Patience::default()).map_err(|error| told(error.to_string()))?;
        Ok(Self { clone, at: Mutex::default() })
    }

    fn at(&self) -> Result<CommitId, Trouble> {
        let at = *self.at.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        at.ok_or_else(|| Trouble::failed("the branch of events was not fetched yet"))
    }

    fn stands_at(&self, at: Option<CommitId>) {
        *self.at.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = at;
    }
}

#[async_trait]
impl Source for GitBranch {
    async fn look(&self, known: Option<&str>) -> Result<Look, Trouble> {
        let Some(head) = self.clone.head().await? else { return Ok(Look::Missing) };
        if Some(head.to_string().as_str()) == known {
            return Ok(Look::Unchanged);
        }
        let Some(head) = self.clone.fetch().await? else { return Ok(Look::Missing) };
        self.stands_at(Some(head));
        Ok(Look::At(head.to_string()))
    }

    async fn files(&self, _at: &str) -> Result<Vec<Found>, Trouble> {
        let files = self.clone.files(self.at()?, EVENTS).await?;
        Ok(files.into_iter().map(|file| Found { name: file.name, content: file.id, size: file.size }).collect())
    }

    async fn read(&self, _at: &str, file: &Found) -> Result<Vec<u8>, Trouble> {
        let bytes = self.clone.read(self.at()?, &format!("{EVENTS}/{}", file.name)).await?;
        bytes.ok_or_else(|| Trouble::failed("a file of the branch of events is gone from the clone"))
    }

    async fn tidy(&self, _at: &str, handled: &[Found], refused: &[Found]) -> Result<String, Trouble> {
        let path = |folder: &str, file: &Found| format!("{folder}/{}", file.name);
        let mut changes: Vec<Change> = handled.iter().map(|file| Change::Remove { path: path(EVENTS, file) }).collect();
        changes.extend(refused.iter().map(|file| Change::Move { from: path(EVENTS, file), to: path(REFUSED, file) }));
        changes.push(Change::Add { path: "README.md".to_owned(), bytes: README.as_bytes().to_vec() });
        let message = message(handled.len(), refused.len());
        let built = self.clone.commit(Some(self.at()?), changes, message).await?;
        self.clone.push(&built).await?;
        self.stands_at(Some(built.id));
        self.clone.tidy().await;
        Ok(built.id.to_string())
    }

    fn pause_while_missing(&self) -> Duration {
        LOOKS_EVERY
    }
}
