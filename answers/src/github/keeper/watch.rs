//! What the branch has, looked at when somebody asks and never otherwise. A look costs no quota while nothing changed.
//!
//! GitHub's copies lag behind its writes by seconds. A head that is known to be old is not believed for a while, and what
//! was just saved counts as there, whatever a copy says.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gix::ObjectId;

use super::contents::{Contents, Place};
use super::line::Line;
use super::load;
use crate::AnswerPath;
use crate::github::{Call, Failure, segment};

/// How long a head that was left behind may still be told as the newest.
const LAGS_AT_MOST: Duration = Duration::from_secs(60);

/// See above.
pub(super) struct Watch {
    line: Arc<Line>,
    branch: String,
    seen: Mutex<Seen>,
    /// When the last look began that came to its end. Held while somebody looks.
    looked: tokio::sync::Mutex<Option<Instant>>,
}

/// What was seen last.
#[derive(Default)]
struct Seen {
    head: Head,
    contents: Option<Arc<Contents>>,
    /// Heads that were left behind, and when.
    past: Vec<(Instant, Head)>,
    /// What was saved lately, and when.
    saved: Vec<(Instant, AnswerPath, ObjectId)>,
}

/// Where the branch stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Head {
    /// Nobody looked yet.
    #[default]
    Unseen,
    /// The repository has no commit at all.
    Empty,
    /// It has no such branch.
    Absent,
    /// At this commit.
    At(ObjectId),
}

/// The branch as it was at one moment.
pub(super) struct View {
    pub(super) head: Head,
    pub(super) contents: Option<Arc<Contents>>,
    saved: Vec<(AnswerPath, ObjectId)>,
}

/// A commit of ours that the branch stands at.
pub(super) struct Written {
    pub(super) commit: ObjectId,
    pub(super) tree: ObjectId,
    pub(super) parent: Option<ObjectId>,
}

impl Watch {
    pub(super) fn new(line: Arc<Line>, branch: String) -> Self {
        Self { line, branch, seen: Mutex::default(), looked: tokio::sync::Mutex::default() }
    }

    /// The branch as it is now. Whoever asks while another one looks waits for the next look and shares it.
    pub(super) async fn look(&self) -> Result<View, Failure> {
        let asked = Instant::now();
        let mut looked = self.looked.lock().await;
        if looked.is_some_and(|began| began >= asked) {
            return Ok(self.view());
        }
        let began = Instant::now();
        let head = self.head().await?;
        self.seen().moved_to(head);
        // It may have been moved on by ourselves meanwhile.
        let (head, known) = {
            let seen = self.seen();
            (seen.head, seen.contents.clone())
        };
        if let Head::At(commit) = head
            && known.as_ref().is_none_or(|contents| contents.commit != commit)
        {
            let contents = load::contents(&self.line, commit, known.as_deref()).await?;
            let mut seen = self.seen();
            if seen.head == head {
                seen.contents = Some(Arc::new(contents));
            }
        }
        *looked = Some(began);
        Ok(self.view())
    }

    /// The branch as it was seen last, without a call.
    pub(super) fn view(&self) -> View {
        let seen = self.seen();
        let contents = match seen.head {
            Head::Absent | Head::Empty => None,
            Head::Unseen | Head::At(_) => seen.contents.clone(),
        };
        let lately = seen.saved.iter().filter(|(at, ..)| at.elapsed() < LAGS_AT_MOST);
        View { head: seen.head, contents, saved: lately.map(|(_, path, blob)| (path.clone(), *blob)).collect() }
    }

    /// A commit of ours brought these answers.
    pub(super) fn saved(&self, written: &Written, added: &[(AnswerPath, ObjectId)]) {
        let mut seen = self.seen();
        let now = Instant::now();
        seen.saved.retain(|(at, ..)| at.elapsed() < LAGS_AT_MOST);
        seen.saved.extend(added.iter().map(|(path, blob)| (now, path.clone(), *blob)));
        seen.wrote(written, |before| before.with(written.commit, written.tree, added));
    }

    /// A commit of ours moved these answers to the archive.
    pub(super) fn archived(&self, written: &Written, moved: &[(AnswerPath, ObjectId)]) {
        let mut seen = self.seen();
        seen.saved.retain(|(_, path, _)| !moved.iter().any(|(other, _)| other == path));
        seen.wrote(written, |before| before.with_archived(written.commit, written.tree, moved));
    }

    /// The branch was begun with this commit, which has no answers.
    pub(super) fn begun(&self, commit: ObjectId) {
        self.seen().leave_for(Head::At(commit));
    }

    async fn head(&self) -> Result<Head, Failure> {
        let name = segment(&format!("heads/{}", self.branch));
        let mut call = Call::get(self.line.route(&format!("/commits/{name}"))).accept("application/vnd.github.sha");
        let known = self.seen().head;
        if let Head::At(commit) = known {
            call = call.unless(format!("\"{commit}\""));
        }
        let reply = self.line.read(call).await?;
        if reply.is_unchanged() {
            return Ok(known);
        }
        if reply.is_success() {
            let commit = ObjectId::from_hex(reply.body.trim().as_bytes());
            return commit.map(Head::At).map_err(|_| undecodable("the head of the branch"));
        }
        match reply.failure() {
            Failure::Refused { status: 409, reason } if reason.contains("is empty") => Ok(Head::Empty),
            Failure::Refused { status: 422, reason } if reason.contains("No commit found") => Ok(Head::Absent),
            failure => Err(failure),
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    /// GitHub says that the branch stands there.
    fn moved_to(&mut self, head: Head) {
        let is_old = self.past.iter().any(|(at, past)| *past == head && at.elapsed() < LAGS_AT_MOST);
        if head != self.head && !is_old {
            self.leave_for(head);
        }
    }

    fn leave_for(&mut self, head: Head) {
        self.past.retain(|(at, past)| at.elapsed() < LAGS_AT_MOST && *past != head);
        // A branch that was away may come back just where it was.
        if self.head != head && self.head != Head::Unseen && !matches!(head, Head::Absent | Head::Empty) {
            self.past.push((Instant::now(), self.head));
        }
        self.head = head;
    }

    fn wrote(&mut self, written: &Written, change: impl FnOnce(&Contents) -> Contents) {
        self.leave_for(Head::At(written.commit));
        if let Some(parent) = written.parent {
            self.past.push((Instant::now(), Head::At(parent)));
        }
        // Built upon a commit that was not seen, it is read like anybody's.
        let before = self.contents.as_ref().filter(|contents| Some(contents.commit) == written.parent);
        if let Some(before) = before {
            self.contents = Some(Arc::new(change(before)));
        }
    }
}

impl View {
    /// What has this id.
    pub(super) fn find(&self, path: &AnswerPath) -> Option<Place> {
        let there = self.contents.as_ref().and_then(|contents| contents.find(path));
        there.or_else(|| self.saved.iter().find(|(saved, _)| saved == path).map(|(_, blob)| Place { blob: *blob }))
    }

    /// The ids in `answers/`, sorted.
    pub(super) fn live(&self) -> Vec<String> {
        let there = self.contents.iter().flat_map(|contents| contents.answers.files.keys());
        let is_archived = |path: &AnswerPath| self.contents.as_ref().is_some_and(|it| it.archived(path).is_some());
        let lately = self.saved.iter().map(|(path, _)| path).filter(|path| !is_archived(path));
        sorted(there.cloned().chain(lately.map(|path| path.id().to_owned())))
    }

    /// All ids, sorted.
    pub(super) fn all(&self) -> Vec<String> {
        let parts = self.contents.iter().flat_map(|contents| contents.archive.parts.values());
        sorted(self.live().into_iter().chain(parts.flat_map(|part| part.files.keys().cloned())))
    }
}

fn sorted(ids: impl Iterator<Item = String>) -> Vec<String> {
    let mut ids: Vec<String> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// GitHub said yes, and not what.
pub(super) fn undecodable(what: &str) -> Failure {
    Failure::Unknown { reason: format!("GitHub's reply about {what} makes no sense") }
}
