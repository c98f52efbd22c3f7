//! Answers in a repository on GitHub, without a clone: one file by the contents API, several by the git database.
//!
//! One task writes. What a reply means is decided by GitHub's words, in `verdict.rs`; nothing is asked while nobody asks.

mod archive;
mod begin;
mod commit;
mod contents;
mod entries;
mod line;
mod load;
mod pace;
mod saver;
mod verdict;
mod watch;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gix::objs::Kind;
use serde_json::{Value, json};

pub use self::pace::PaceLimits;

use self::line::Line;
use self::saver::Saver;
use self::verdict::Verdict;
use self::watch::{Head, View, Watch, undecodable};
use self::writer::Writer;
use super::{Access, AccessError, Call, Failure, GitHub, RepositoryName};
use crate::{AnswerFile, AnswerPath, EntryName, Keeper, KeeperError, SaveOutcome};

/// How long a start waits for GitHub before it goes on without.
const OPENS_WITHIN: Duration = Duration::from_secs(20);
/// How long whoever asks a question waits for GitHub.
const HOLDS_WITHIN: Duration = Duration::from_secs(3);

/// A keeper that writes to a branch of a repository on GitHub. Others may write to the same branch at any time.
pub struct GitHubRepository {
    line: Arc<Line>,
    watch: Arc<Watch>,
    writer: Writer,
    branch: String,
}

impl GitHubRepository {
    /// A keeper for `branch` of `repository`, which calls nobody yet. `limits` are GitHub's own but in tests.
    ///
    /// # Errors
    /// [`AccessError`] when the address of the API is none.
    pub fn new(
        access: &Access,
        repository: RepositoryName,
        branch: impl Into<String>,
        limits: PaceLimits,
    ) -> Result<Self, AccessError> {
        let branch = branch.into();
        let line = Arc::new(Line::new(GitHub::new(access)?, repository, limits));
        let watch = Arc::new(Watch::new(line.clone(), branch.clone()));
        let writer = Writer::start(Saver::new(line.clone(), watch.clone(), branch.clone()));
        Ok(Self { line, watch, writer, branch })
    }

    /// Makes sure that the branch is there, and makes it otherwise. When GitHub does not answer this is put off until the
    /// first save.
    ///
    /// # Errors
    /// [`KeeperError::Refused`], when GitHub refuses.
    pub async fn begin(&self) -> Result<(), KeeperError> {
        let begun = tokio::time::timeout(OPENS_WITHIN, self.writer.begin()).await;
        let late = || Err(Verdict::Unknown(format!("GitHub did not answer within {} s", OPENS_WITHIN.as_secs())));
        match begun.unwrap_or_else(|_| late()).map_err(KeeperError::from) {
            Err(KeeperError::Unavailable { reason }) => {
                tracing::warn!(reason, "GitHub does not answer; the answers repository is looked at when it is needed");
                Ok(())
            }
            other => other,
        }
    }

    async fn look(&self) -> Result<View, KeeperError> {
        Ok(self.watch.look().await?)
    }

    /// What a reading call brought.
    async fn get(&self, rest: &str, what: &str) -> Result<Value, KeeperError> {
        let reply = self.line.read(Call::get(self.line.route(rest))).await?;
        if !reply.is_success() {
            return Err(reply.failure().into());
        }
        match reply.json() {
            Value::Null => Err(undecodable(what).into()),
            body => Ok(body),
        }
    }
}

#[async_trait]
impl Keeper for GitHubRepository {
    async fn save(&self, batch: Vec<AnswerFile>) -> Vec<SaveOutcome> {
        self.writer.save(batch).await
    }

    async fn read(&self, path: &AnswerPath) -> Result<Option<Vec<u8>>, KeeperError> {
        let Some(place) = self.look().await?.find(path) else { return Ok(None) };
        let body = self.get(&format!("/git/blobs/{}", place.blob), "an answer").await?;
        let lines = body.get("content").and_then(Value::as_str).unwrap_or_default();
        let bytes = STANDARD.decode(lines.replace(['\n', '\r'], "")).ok();
        let is_whole = |bytes: &Vec<u8>| {
            gix::objs::compute_hash(gix::hash::Kind::Sha1, Kind::Blob, bytes).is_ok_and(|name| name == place.blob)
        };
        Ok(Some(bytes.filter(is_whole).ok_or_else(|| undecodable("an answer"))?))
    }

    async fn lacks(&self, names: Vec<EntryName>) -> Result<Vec<EntryName>, KeeperError> {
        let Some(contents) = self.look().await?.contents else { return Ok(Vec::new()) };
        Ok(entries::lacking(&self.line, contents.root, names).await?)
    }

    async fn holds(&self, path: &AnswerPath) -> Result<bool, KeeperError> {
        match tokio::time::timeout(HOLDS_WITHIN, self.watch.look()).await {
            Ok(Err(failure @ Failure::Refused { .. })) => Err(failure.into()),
            Ok(Ok(view)) => Ok(view.find(path).is_some()),
            Ok(Err(_)) | Err(_) => {
                let view = self.watch.view();
                if view.head == Head::Unseen {
                    tracing::warn!("the answers repository was never seen; an id counts as unused until it is");
                }
                Ok(view.find(path).is_some())
            }
        }
    }

    async fn list(&self) -> Result<Vec<String>, KeeperError> {
        Ok(self.look().await?.all())
    }

    async fn live(&self) -> Result<Vec<String>, KeeperError> {
        Ok(self.look().await?.live())
    }

    async fn archive(&self, batch: Vec<AnswerPath>) -> Result<(), KeeperError> {
        Ok(self.writer.archive(batch).await?)
    }

    async fn head(&self) -> Result<Option<String>, KeeperError> {
        match self.look().await?.head {
            Head::At(commit) => Ok(Some(commit.to_string())),
            Head::Unseen | Head::Empty | Head::Absent => Ok(None),
        }
    }

    async fn check(&self) -> Result<(), KeeperError> {
        let refused = |reason: String| Err(KeeperError::Refused { reason });
        let repository = self.get("", "the repository").await?;
        let is = |pointer: &str| repository.pointer(pointer).and_then(Value::as_bool);
        let name = self.line.repository();
        if is("/archived") == Some(true) {
            return refused(format!(
                "{name} is archived on GitHub and takes nothing; unarchive it, or set answers.url to another"
            ));
        }
        if is("/permissions/push") == Some(false) {
            return refused(format!(
                "the token or App may read {name} and not write to it; give it the permission Contents: read and write"
            ));
        }
        if !matches!(self.look().await?.head, Head::At(_)) {
            return refused(format!("{name} has no branch {}; it is made when the service starts", self.branch));
        }
        // The permissions are those of the token's owner, who may more than the token. An object that no branch names is
        // seen by nobody and tidied away by GitHub.
        let body = json!({ "content": "check", "encoding": "utf-8" });
        commit::make(&self.line, "/git/blobs", body).await?;
        Ok(())
    }

    async fn prove(&self) -> Result<String, KeeperError> {
        Ok(self.writer.prove().await?)
    }
}

impl From<Failure> for KeeperError {
    fn from(failure: Failure) -> Self {
        Verdict::from(failure).into()
    }
}
