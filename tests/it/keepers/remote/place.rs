//! A fresh git server with a keeper on it, and git beside it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pager_answers::conformance::{Surroundings, save};
use pager_answers::{AnswerPath, Credentials, Keeper, KeeperSettings, RemoteRepository, SaveOutcome};
use pager_tests::git_http::{At, GitHttp, PASSWORD, USER};
use tempfile::TempDir;

pub use pager_answers::git::Patience;

use crate::world::until;

pub struct Place {
    pub git: GitHttp,
    pub clones: TempDir,
    pub keeper: Arc<dyn Keeper>,
}

impl Place {
    /// With an open keeper.
    pub fn new() -> Self {
        let git = GitHttp::start();
        let clones = tempfile::tempdir().unwrap();
        let settings = settings(&git, &clones);
        let opening = RemoteRepository::open(&settings);
        let keeper = tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(opening)).unwrap();
        Self { git, clones, keeper: Arc::new(keeper) }
    }

    /// Another keeper on the same clones.
    pub async fn another(&self, url: &str, patience: Patience) -> Arc<dyn Keeper> {
        let settings = KeeperSettings { url: url.to_owned(), ..settings(&self.git, &self.clones) };
        Arc::new(RemoteRepository::open_with(&settings, patience).await.unwrap())
    }

    /// The keeper as after a restart of pagerd.
    pub async fn reopen(&mut self) {
        self.keeper = Arc::new(RemoteRepository::open(&settings(&self.git, &self.clones)).await.unwrap());
    }

    /// A keeper that waits this long for a push.
    pub async fn impatient(&self, call: Duration) -> Arc<dyn Keeper> {
        self.another(&format!("git+{}", self.git.url()), Patience { call, ..Patience::default() }).await
    }

    /// A save that is under way.
    pub fn saving(&self, id: &str, bytes: &str) -> tokio::task::JoinHandle<SaveOutcome> {
        let (keeper, id, bytes) = (self.keeper.clone(), id.to_owned(), bytes.to_owned());
        tokio::spawn(async move { save(&*keeper, &id, &bytes).await })
    }

    /// Waits until a call of this kind came in after so many calls.
    pub async fn until_called(&self, after: usize, at: At) {
        until("the call came in", async || self.git.calls()[after..].contains(&at).then_some(())).await;
    }

    /// How many commits brought this answer.
    pub fn commits_of(&self, id: &str) -> usize {
        self.git.git(&["log", "--format=%H", "main", "--", &format!("answers/{id}.json")]).lines().count()
    }
}

/// What leads to the server's repository.
pub fn settings(git: &GitHttp, clones: &TempDir) -> KeeperSettings {
    KeeperSettings {
        credentials: Credentials { user: Some(USER.to_owned()), token: Some(PASSWORD.to_owned().into()) },
        clones: clones.path().to_owned(),
        ..KeeperSettings::local(format!("git+{}", git.url()), "main")
    }
}

/// The reason of a refusal.
#[track_caller]
pub fn refused(outcome: &SaveOutcome) -> &str {
    match outcome {
        SaveOutcome::Refused { reason } => reason,
        other => panic!("expected a refusal, was {other:?}"),
    }
}

pub fn path(id: &str) -> AnswerPath {
    AnswerPath::new(id).unwrap()
}

#[async_trait]
impl Surroundings for Place {
    fn keeper(&self) -> Arc<dyn Keeper> {
        self.keeper.clone()
    }

    async fn write_elsewhere(&self, path: &str, bytes: &[u8]) {
        tokio::task::block_in_place(|| self.git.commit(path, bytes));
    }

    async fn file(&self, path: &str) -> Option<Vec<u8>> {
        self.git.file(path)
    }

    async fn messages(&self) -> Vec<String> {
        let log = self.git.git(&["log", "-z", "--format=%B", "main"]);
        log.split('\0').map(|message| message.trim_end().to_owned()).filter(|message| !message.is_empty()).collect()
    }

    async fn assert_sound(&self) {
        assert_eq!(self.git.git(&["fsck", "--full", "--strict", "--no-dangling"]), "", "git fsck complains");
    }
}
