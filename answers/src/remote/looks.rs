//! Looks at the remote's head, shared by all who want one at the same time, and the ids of the head that was seen last.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{
    AnswerPath,
    git::{CommitId, GitFailure, PrivateClone},
    objects::known::KnownIds,
};

/// How long whoever asks for an id waits for the remote.
const HOLDS_WAITS: Duration = Duration::from_secs(3);
/// How long the remote is left alone after it could not be reached in that time.
const LEFT_ALONE: Duration = Duration::from_secs(5);

/// See above.
pub(super) struct Looks {
    clone: Arc<PrivateClone>,
    last: tokio::sync::Mutex<Option<Look>>,
    known: Arc<KnownIds>,
    failed_at: Mutex<Option<Instant>>,
}

struct Look {
    began: Instant,
    found: Result<Option<CommitId>, GitFailure>,
}

impl Looks {
    /// Nothing was looked at yet.
    pub(super) fn new(clone: Arc<PrivateClone>) -> Self {
        Self { clone, last: tokio::sync::Mutex::default(), known: Arc::default(), failed_at: Mutex::default() }
    }

    /// The head at a moment after the call, with all that it has in the clone; None when there is no branch.
    pub(super) async fn head(&self) -> Result<Option<CommitId>, GitFailure> {
        let asked = Instant::now();
        let mut last = self.last.lock().await;
        if let Some(look) = last.as_ref().filter(|look| look.began >= asked) {
            return look.found.clone();
        }
        let began = Instant::now();
        let found = self.look().await;
        *last = Some(Look { began, found: found.clone() });
        found
    }

    async fn look(&self) -> Result<Option<CommitId>, GitFailure> {
        if self.clone.seen().is_some() && !self.clone.is_damaged() {
            let head = self.clone.head().await?;
            if head == self.clone.seen() {
                return Ok(head);
            }
        }
        self.clone.fetch().await
    }

    /// Whether an id has an answer: at the head, or where that cannot be had soon, at the head that was seen last.
    pub(super) async fn holds(&self, path: &AnswerPath) -> Result<bool, GitFailure> {
        let head = match self.soon().await {
            Ok(head) => head,
            Err(failure) => match (self.clone.seen(), failure) {
                (None, GitFailure::Unknown(reason)) => {
                    tracing::warn!(reason, "the answers repository was never seen; an id counts as unused until it is");
                    None
                }
                (None, refused) => return Err(refused),
                (seen, _) => seen,
            },
        };
        let Some(head) = head else { return Ok(false) };
        if let Some(holds) = self.known.holds(head.0, path) {
            return Ok(holds);
        }
        let (known, path) = (self.known.clone(), path.clone());
        self.clone.look(head, move |repository, commit| known.look_up(repository, commit, &path)).await
    }

    async fn soon(&self) -> Result<Option<CommitId>, GitFailure> {
        let failed_at = *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner);
        if failed_at.is_some_and(|failed| failed.elapsed() < LEFT_ALONE) {
            return Err(GitFailure::Unknown(format!("{} could not be reached a moment ago", self.clone.remote())));
        }
        let found = match tokio::time::timeout(HOLDS_WAITS, self.head()).await {
            Ok(found) => found,
            Err(_) => Err(GitFailure::Unknown(format!("{} did not answer in time", self.clone.remote()))),
        };
        *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) = found.is_err().then(Instant::now);
        found
    }
}
