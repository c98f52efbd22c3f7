//! Brings a batch of answers onto the branch: look, decide what is new, write it, and again when the branch moved.
//! Runs in the writing task only.

use std::collections::HashSet;
use std::sync::Arc;

use gix::ObjectId;
use gix::objs::Kind;

use super::begin;
use super::commit::Committer;
use super::contents::Contents;
use super::line::Line;
use super::verdict::Verdict;
use super::watch::{Head, View, Watch, Written};
use crate::git::Unspeakable;
use crate::{AnswerFile, AnswerPath, SaveOutcome};

/// How often the same is written again because the branch moved meanwhile.
const ATTEMPTS: u32 = 8;
/// How often when GitHub says that the right to push is missing, which it sometimes says by mistake.
const ATTEMPTS_WITHOUT_RIGHT: u32 = 3;

/// See above.
pub(super) struct Saver {
    pub(super) line: Arc<Line>,
    pub(super) watch: Arc<Watch>,
    pub(super) branch: String,
    /// The branch was there once; when it is gone, it is not made again.
    has_begun: bool,
    /// Ids whose last write had no clear end: their path is read before they are written again.
    doubtful: HashSet<String>,
}

/// What one answer of a batch is to the branch.
enum Plan {
    /// It is to be written.
    New,
    /// An earlier one of this batch is to be written under its id; whether with the same bytes.
    After { place: usize, is_same: bool },
    /// It is decided.
    Done(SaveOutcome),
}

/// What is to be done about a batch. What is new is new to `base` and must be built upon nothing else: a later head may have
/// one of its ids.
struct Planned {
    base: Arc<Contents>,
    plans: Vec<Plan>,
    new: Vec<New>,
}

/// An answer to be written, and the name of its bytes.
#[derive(Clone)]
pub(super) struct New {
    pub(super) file: Arc<AnswerFile>,
    pub(super) blob: ObjectId,
}

impl Saver {
    pub(super) fn new(line: Arc<Line>, watch: Arc<Watch>, branch: String) -> Self {
        Self { line, watch, branch, has_begun: false, doubtful: HashSet::new() }
    }

    /// Saves a batch; one outcome for each, in order. GitHub's rules may quote what they refuse: nothing of it is passed on.
    pub(super) async fn save(&mut self, files: &[Arc<AnswerFile>]) -> Vec<SaveOutcome> {
        let mut outcomes = self.save_in_order(files).await;
        Unspeakable::of(files.iter().map(|file| &**file)).hide_in(&mut outcomes);
        outcomes
    }

    async fn save_in_order(&mut self, files: &[Arc<AnswerFile>]) -> Vec<SaveOutcome> {
        if files.is_empty() {
            return Vec::new();
        }
        let mut attempt = 0;
        loop {
            attempt += 1;
            let verdict = match self.plan(files).await {
                Ok(Planned { base, plans, new }) => match self.write(&base, &new).await {
                    Ok(outcomes) => return settle(plans, &outcomes),
                    Err(verdict) if may_try_again(&verdict, attempt) => verdict,
                    Err(verdict) => return settle(plans, &vec![SaveOutcome::from(verdict); new.len()]),
                },
                Err(verdict) if may_try_again(&verdict, attempt) => verdict,
                Err(verdict) => return vec![verdict.into(); files.len()],
            };
            drop(verdict);
            tracing::debug!(attempt, "answers are written to GitHub again");
            self.pause(attempt).await;
        }
    }

    /// Makes sure that there is a branch.
    pub(super) async fn begin(&mut self) -> Result<(), Verdict> {
        let view = self.watch.look().await?;
        if !matches!(view.head, Head::At(_)) {
            if self.has_begun {
                let (repository, branch) = (self.line.repository(), &self.branch);
                return Err(Verdict::Refused(format!(
                    "{repository} has no branch {branch} any more; bring it back, or set answers.branch and restart the service"
                )));
            }
            if let Some(commit) = begin::branch(&self.line, &self.branch, view.head).await? {
                self.watch.begun(commit);
            }
        }
        self.has_begun = true;
        Ok(())
    }

    /// The branch as it is, with a commit to build upon.
    pub(super) async fn base(&mut self) -> Result<(View, Arc<Contents>), Verdict> {
        let mut view = self.watch.look().await?;
        if matches!(view.head, Head::At(_)) {
            self.has_begun = true;
        } else {
            self.begin().await?;
            view = self.watch.look().await?;
        }
        let at_head = view.contents.clone().filter(|contents| view.head == Head::At(contents.commit));
        let contents = at_head.ok_or_else(|| Verdict::Moved("GitHub does not show its newest commit yet".to_owned()))?;
        Ok((view, contents))
    }

    async fn plan(&mut self, files: &[Arc<AnswerFile>]) -> Result<Planned, Verdict> {
        let (view, base) = self.base().await?;
        let mut new: Vec<New> = Vec::new();
        let mut plans = Vec::with_capacity(files.len());
        for file in files {
            let blob = blob_name(&file.bytes)?;
            let earlier = new.iter().position(|earlier| earlier.file.path == file.path);
            plans.push(match (view.find(&file.path), earlier) {
                (Some(there), _) => Plan::Done(found(&view, there.blob == blob)),
                (None, Some(place)) => Plan::After { place, is_same: new[place].blob == blob },
                (None, None) => {
                    new.push(New { file: file.clone(), blob });
                    Plan::New
                }
            });
        }
        // Several are built upon the head that was just read, and the branch moves from that head or not at all.
        if let [only] = new.as_slice()
            && let Some(outcome) = self.look_when_doubtful(&only.file, only.blob).await?
        {
            let plans = settle(plans, &[outcome]).into_iter().map(Plan::Done).collect();
            return Ok(Planned { base, plans, new: Vec::new() });
        }
        Ok(Planned { base, plans, new })
    }

    /// What became of an earlier write without a clear end; None when nothing did, as far as GitHub shows it.
    async fn look_when_doubtful(&mut self, file: &AnswerFile, blob: ObjectId) -> Result<Option<SaveOutcome>, Verdict> {
        if !self.doubtful.contains(file.path.id()) {
            return Ok(None);
        }
        let found = self.committer().find(&file.path, blob).await?;
        self.doubtful.remove(file.path.id());
        Ok(found)
    }

    /// Writes what is new to `base`. An error concerns all of it.
    async fn write(&mut self, base: &Contents, new: &[New]) -> Result<Vec<SaveOutcome>, Verdict> {
        match new {
            [] => Ok(Vec::new()),
            [only] => Ok(vec![self.write_one(only).await?]),
            several => self.write_several(base, several).await,
        }
    }

    async fn write_one(&mut self, new: &New) -> Result<SaveOutcome, Verdict> {
        let verdict = match self.committer().create(new).await {
            Ok(written) => {
                self.forget_doubt(std::slice::from_ref(new));
                return Ok(self.saved(&written, std::slice::from_ref(new)));
            }
            Err(verdict) => verdict,
        };
        match verdict {
            Verdict::There => {
                let found = self.committer().find(&new.file.path, new.blob).await.map_err(|verdict| match verdict {
                    // What is there may be ours.
                    Verdict::Refused(reason) | Verdict::NotAuthorised(reason) => Verdict::Unknown(reason),
                    other => other,
                })?;
                // The copy that was read lags behind the one that refused.
                found.ok_or_else(|| Verdict::Moved("GitHub has a file there and does not show it yet".to_owned()))
            }
            Verdict::Unknown(reason) => {
                self.doubtful.insert(new.file.path.id().to_owned());
                match self.committer().find(&new.file.path, new.blob).await {
                    Ok(Some(outcome)) => {
                        self.forget_doubt(std::slice::from_ref(new));
                        Ok(outcome)
                    }
                    Ok(None) | Err(_) => Err(Verdict::Unknown(reason)),
                }
            }
            other => Err(other),
        }
    }

    async fn write_several(&mut self, base: &Contents, new: &[New]) -> Result<Vec<SaveOutcome>, Verdict> {
        match self.committer().commit_all(base, new).await {
            Ok(written) => {
                self.forget_doubt(new);
                let outcome = self.saved(&written, new);
                Ok(vec![outcome; new.len()])
            }
            Err(verdict @ Verdict::Unknown(_)) => {
                self.doubtful.extend(new.iter().map(|new| new.file.path.id().to_owned()));
                let Ok(view) = self.watch.look().await else { return Err(verdict) };
                let is_there = |new: &New| view.find(&new.file.path).is_some_and(|there| there.blob == new.blob);
                if !new.iter().all(is_there) {
                    return Err(verdict);
                }
                self.forget_doubt(new);
                Ok(vec![found(&view, true); new.len()])
            }
            // One of them is refused for what it says: the others are not to suffer.
            Err(verdict) if verdict.is_about_content() => Ok(self.write_by_halves(new).await),
            Err(verdict) => Err(verdict),
        }
    }

    async fn write_by_halves(&mut self, new: &[New]) -> Vec<SaveOutcome> {
        let (first, second) = new.split_at(new.len() / 2);
        let mut outcomes = Vec::with_capacity(new.len());
        for half in [first, second] {
            if outcomes.iter().any(|outcome| matches!(outcome, SaveOutcome::Unknown { .. })) {
                // Nothing of a later claim goes ahead of one that is not decided.
                let waits = Verdict::Unknown("an answer before it is not decided yet".to_owned());
                outcomes.extend(vec![SaveOutcome::from(waits); half.len()]);
                continue;
            }
            let files: Vec<Arc<AnswerFile>> = half.iter().map(|new| new.file.clone()).collect();
            outcomes.extend(Box::pin(self.save_in_order(&files)).await);
        }
        outcomes
    }

    fn saved(&self, written: &Written, new: &[New]) -> SaveOutcome {
        let added: Vec<(AnswerPath, ObjectId)> = new.iter().map(|new| (new.file.path.clone(), new.blob)).collect();
        self.watch.saved(written, &added);
        SaveOutcome::Saved { commit: written.commit.to_string() }
    }

    fn forget_doubt(&mut self, new: &[New]) {
        for new in new {
            self.doubtful.remove(new.file.path.id());
        }
    }

    pub(super) fn committer(&self) -> Committer<'_> {
        Committer { line: &self.line, branch: &self.branch }
    }

    /// Waits before the next attempt: longer each time, and never as long as another writer does.
    pub(super) async fn pause(&self, attempt: u32) {
        let longest = self.line.between() * 8;
        let pause = (self.line.between() / 4 * (1 << attempt.min(8))).min(longest);
        tokio::time::sleep(pause.mul_f64(0.5 + chance())).await;
    }
}

/// Does it make sense to do the same again at once?
pub(super) fn may_try_again(verdict: &Verdict, attempt: u32) -> bool {
    match verdict {
        Verdict::Moved(_) => attempt < ATTEMPTS,
        Verdict::NotAuthorised(_) => attempt < ATTEMPTS_WITHOUT_RIGHT,
        Verdict::There | Verdict::Refused(_) | Verdict::Unknown(_) | Verdict::Limited(..) => false,
    }
}

/// Brings the plans and what became of those that were new into one order.
fn settle(plans: Vec<Plan>, written: &[SaveOutcome]) -> Vec<SaveOutcome> {
    let mut next = written.iter();
    let unsettled = || SaveOutcome::from(Verdict::Unknown("it was not written".to_owned()));
    plans
        .into_iter()
        .map(|plan| match plan {
            Plan::Done(outcome) => outcome,
            Plan::New => next.next().cloned().unwrap_or_else(unsettled),
            Plan::After { place, is_same } => match written.get(place) {
                Some(SaveOutcome::Saved { .. }) if !is_same => SaveOutcome::Taken,
                Some(outcome) => outcome.clone(),
                None => unsettled(),
            },
        })
        .collect()
}

/// What is there under an id: these bytes, or others.
fn found(view: &View, is_same: bool) -> SaveOutcome {
    match (view.head, is_same) {
        (Head::At(commit), true) => SaveOutcome::Saved { commit: commit.to_string() },
        _ => SaveOutcome::Taken,
    }
}

/// The name that git gives to these bytes.
fn blob_name(bytes: &[u8]) -> Result<ObjectId, Verdict> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, Kind::Blob, bytes)
        .map_err(|error| Verdict::Refused(format!("the answer cannot be hashed: {error}")))
}

/// Between 0 and 1, different each time.
fn chance() -> f64 {
    use std::hash::{BuildHasher, RandomState};
    let number = RandomState::new().hash_one(std::time::Instant::now());
    f64::from(u32::try_from(number >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}
