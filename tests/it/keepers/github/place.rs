//! A fake GitHub with a repository, and a keeper for it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use pager_answers::conformance::Surroundings;
use pager_answers::github::{Access, AppKey, GitHubRepository, PaceLimits, Proof};
use pager_answers::{AnswerPath, Keeper, SaveOutcome};
use pager_tests::fake_github::{FakeGitHub, Rights, Visibility};
use pager_tests::keys::Key;

use crate::world::PATIENCE;

pub const REPOSITORY: &str = "me/answers";

pub struct Place {
    pub hub: FakeGitHub,
    pub keeper: Arc<GitHubRepository>,
    /// The keeper's token; empty with an App.
    pub token: String,
    /// The App, or 0.
    pub app: u64,
}

/// GitHub's limits with a second of 10 ms.
pub fn fast() -> PaceLimits {
    PaceLimits::default().faster(100)
}

/// No bound by the minute and the hour, for a fake that is told to have none.
pub fn unpaced() -> PaceLimits {
    PaceLimits { between: Duration::from_millis(5), a_minute: 100_000, an_hour: 100_000, ..PaceLimits::default() }
}

impl Place {
    /// With a token, and without GitHub's bounds by the minute and the hour.
    pub fn with_token_unpaced() -> Self {
        let hub = start();
        hub.enforce_pace(false);
        hub.add_repository(REPOSITORY, Visibility::Private);
        Self::on(hub, unpaced())
    }

    /// The same as a GitHub App.
    pub fn with_app_unpaced() -> Self {
        let hub = start();
        hub.enforce_pace(false);
        hub.add_repository(REPOSITORY, Visibility::Private);
        let key = Key::number(0);
        let app = hub.add_app("pager", key, &[(REPOSITORY, Rights::write())]);
        let key = AppKey::from_pem(key.private_pem().into()).unwrap();
        let keeper = keeper(&hub, Proof::App { id: app, key }, "main", unpaced());
        Self { hub, keeper, token: String::new(), app }
    }

    /// With a token that may write, on a repository that is there.
    pub fn on(hub: FakeGitHub, limits: PaceLimits) -> Self {
        let token = hub.add_token("me", &[(REPOSITORY, Rights::write())]);
        let keeper = keeper(&hub, Proof::Token(token.as_str().into()), "main", limits);
        Self { hub, keeper, token, app: 0 }
    }

    /// Another keeper on the same branch, as after a restart.
    pub fn another_keeper(&self) -> Arc<GitHubRepository> {
        keeper(&self.hub, Proof::Token(self.token.as_str().into()), "main", unpaced())
    }

    pub fn answer(&self, id: &str) -> Option<Vec<u8>> {
        self.hub.file(REPOSITORY, "main", &format!("answers/{id}.json"))
    }

    pub fn head(&self) -> String {
        self.hub.head(REPOSITORY, "main").unwrap()
    }

    /// The requests that write.
    pub fn writes(&self) -> usize {
        self.hub.calls().iter().filter(|call| call.method != "GET" && !call.path.ends_with("access_tokens")).count()
    }

    /// Somebody else commits a file.
    pub fn commit(&self, path: &str, text: &str) -> String {
        self.hub.commit(REPOSITORY, "main", path, text.as_bytes())
    }

    /// Git finds nothing wrong. Beside a write that is still going on it may miss what comes a moment later, so it is asked again;
    /// real damage stays.
    pub fn is_sound(&self) {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.hub.try_git(REPOSITORY, &["fsck", "--strict", "--full", "--no-dangling"]) {
                Ok(said) if said.trim().is_empty() => return,
                said => assert!(Instant::now() < until, "git fsck complains: {said:?}"),
            }
        }
    }
}

/// A fake that outlives the runtime it is started from.
pub fn start() -> FakeGitHub {
    let started = std::thread::spawn(|| {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(FakeGitHub::start())
    });
    started.join().unwrap()
}

pub fn keeper(hub: &FakeGitHub, proof: Proof, branch: &str, limits: PaceLimits) -> Arc<GitHubRepository> {
    let access = Access { api_url: hub.base_url(), proof };
    Arc::new(GitHubRepository::new(&access, REPOSITORY.parse().unwrap(), branch, limits).unwrap())
}

pub fn path(id: &str) -> AnswerPath {
    AnswerPath::new(id).unwrap()
}

#[track_caller]
pub fn saved(outcome: &SaveOutcome) -> &str {
    match outcome {
        SaveOutcome::Saved { commit } => commit,
        other => panic!("expected saved, was {other:?}"),
    }
}

#[track_caller]
pub fn refused(outcome: &SaveOutcome) -> &str {
    match outcome {
        SaveOutcome::Refused { reason } => reason,
        other => panic!("expected a refusal, was {other:?}"),
    }
}

#[track_caller]
pub fn unknown(outcome: &SaveOutcome) -> (&str, Option<Duration>) {
    match outcome {
        SaveOutcome::Unknown { reason, pause } => (reason, *pause),
        other => panic!("expected unknown, was {other:?}"),
    }
}

#[async_trait]
impl Surroundings for Place {
    fn keeper(&self) -> Arc<dyn Keeper> {
        self.keeper.clone()
    }

    async fn write_elsewhere(&self, path: &str, bytes: &[u8]) {
        let (hub, path, bytes) = (self.hub.clone(), path.to_owned(), bytes.to_vec());
        tokio::task::spawn_blocking(move || hub.commit(REPOSITORY, "main", &path, &bytes)).await.unwrap();
    }

    async fn file(&self, path: &str) -> Option<Vec<u8>> {
        self.hub.file(REPOSITORY, "main", path)
    }

    async fn messages(&self) -> Vec<String> {
        self.hub.messages(REPOSITORY, "main").iter().map(|message| message.trim_end().to_owned()).collect()
    }

    async fn assert_sound(&self) {
        self.is_sound();
    }
}
