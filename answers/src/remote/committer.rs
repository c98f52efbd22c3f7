//! Brings a batch to the remote: decide what is new, build a commit, push it, and find out what became of it when the
//! remote did not say. Used by one task at a time.

use std::{sync::Arc, time::Duration};

use super::plan::{Plan, Planned, moves, plan};
use crate::{
    AnswerFile, AnswerPath, SaveOutcome,
    git::{Built, Change, CommitId, GitFailure, PrivateClone, Unspeakable},
    objects::{
        commit::{README, message},
        random,
    },
};

/// How often a commit is built anew because somebody else moved the branch meanwhile.
const ATTEMPTS: u64 = 20;
/// After how many pushes the clone is tidied.
const TIDY_EVERY: u32 = 500;

/// Writes to one branch of one remote.
pub(super) struct Committer {
    clone: Arc<PrivateClone>,
    /// A branch that is not there may be begun.
    begins: bool,
    /// The branch was there, or was begun, since this process started.
    has_begun: bool,
    /// The head that was seen last is what our last push made it, or what a fetch brought after it.
    is_certain: bool,
    pushes: u32,
}

impl Committer {
    /// A committer for the clone's remote.
    pub(super) fn new(clone: Arc<PrivateClone>, begins: bool) -> Self {
        Self { clone, begins, has_begun: false, is_certain: false, pushes: 0 }
    }

    /// Reaches for the remote, and begins the branch when there is none.
    pub(super) async fn begin(&mut self) -> Result<(), GitFailure> {
        self.fetched_head().await.map(drop)
    }

    /// Saves a batch; one outcome for each, in order. Answers that a rule of the remote's declines together are tried by
    /// halves, so that one of them does not keep back the others.
    pub(super) async fn save(&mut self, files: &[AnswerFile]) -> Vec<SaveOutcome> {
        let mut outcomes = self.save_with_entries(files).await;
        let is_refused = |outcome: &SaveOutcome| matches!(outcome, SaveOutcome::Refused { .. });
        let refused = |place: &usize| files[*place].beside.is_some() && is_refused(&outcomes[*place]);
        let places: Vec<usize> = (0..files.len()).filter(refused).collect();
        if !places.is_empty() {
            // It may be what goes beside an answer that a rule does not take: the answer counts without it.
            let alone: Vec<AnswerFile> =
                places.iter().map(|place| AnswerFile { beside: None, ..files[*place].clone() }).collect();
            for (place, outcome) in places.into_iter().zip(self.save_with_entries(&alone).await) {
                outcomes[place] = outcome;
            }
        }
        outcomes
    }

    async fn save_with_entries(&mut self, files: &[AnswerFile]) -> Vec<SaveOutcome> {
        let mut outcomes = match self.try_save(files).await {
            Ok(outcomes) => outcomes,
            Err(GitFailure::Declined(_)) if files.len() > 1 => self.save_by_halves(files).await,
            Err(failure) => vec![outcome_of(failure); files.len()],
        };
        Unspeakable::of(files.iter()).hide_in(&mut outcomes);
        outcomes
    }

    /// In order. Behind one that is not decided nothing is written, and behind one that the branch itself declines nothing
    /// would be taken.
    async fn save_by_halves(&mut self, files: &[AnswerFile]) -> Vec<SaveOutcome> {
        let mut parts = vec![files.split_at(files.len() / 2).1, files.split_at(files.len() / 2).0];
        let mut outcomes: Vec<SaveOutcome> = Vec::with_capacity(files.len());
        while let Some(part) = parts.pop() {
            let tried = match (outcomes.last(), part.is_empty()) {
                (_, true) => continue,
                (Some(SaveOutcome::Unknown { .. }), _) => {
                    let reason = "an answer before it is not decided yet".to_owned();
                    Ok(vec![SaveOutcome::Unknown { reason, pause: None }; part.len()])
                }
                (Some(SaveOutcome::Refused { reason }), _) if is_of_the_branch(reason) => {
                    Ok(vec![SaveOutcome::Refused { reason: reason.clone() }; part.len()])
                }
                _ => self.try_save(part).await,
            };
            match tried {
                Ok(of_part) => outcomes.extend(of_part),
                Err(GitFailure::Declined(_)) if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                }
                Err(failure) => outcomes.extend(vec![outcome_of(failure); part.len()]),
            }
        }
        outcomes
    }

    async fn try_save(&mut self, files: &[AnswerFile]) -> Result<Vec<SaveOutcome>, GitFailure> {
        let mut is_confirmed = false;
        for attempt in 0..ATTEMPTS {
            let head = match self.known_head().filter(|_| attempt == 0) {
                Some(head) => head,
                None => {
                    is_confirmed = true;
                    self.fetched_head().await?
                }
            };
            let planned = self.planned(head, files).await;
            let Some(Planned { plans, new, entries }) = self.unless_damaged(planned)? else { continue };
            if new.is_empty() && entries.is_empty() {
                if is_confirmed {
                    return Ok(outcomes(&plans, head, &SaveOutcome::Saved { commit: head.to_string() }));
                }
                // What was seen last may be gone.
                continue;
            }
            let message = message(&new.iter().collect::<Vec<_>>());
            let changes = new.into_iter().map(|file| Change::Add { path: file.path.to_string(), bytes: file.bytes });
            let changes =
                changes.chain(entries.into_iter().map(|entry| Change::Add { path: entry.name.to_string(), bytes: entry.bytes }));
            let built = self.clone.commit(Some(head), changes.collect(), message).await;
            let Some(built) = self.unless_damaged(built)? else { continue };
            match self.push(&built).await {
                Ok(()) => return Ok(outcomes(&plans, built.id, &SaveOutcome::Saved { commit: built.id.to_string() })),
                Err(GitFailure::Raced) => pause(attempt).await,
                Err(GitFailure::Declined(reason)) if files.len() > 1 => return Err(GitFailure::Declined(reason)),
                Err(failure) => return Ok(self.settled(files, &plans, outcome_of(failure)).await),
            }
        }
        Err(GitFailure::Raced)
    }

    /// What became of a batch whose push brought no good: whatever the branch has by now is saved, the rest is `otherwise`.
    async fn settled(&mut self, files: &[AnswerFile], plans: &[Plan], otherwise: SaveOutcome) -> Vec<SaveOutcome> {
        let looked = async {
            let head = self.clone.fetch().await?.ok_or_else(|| self.gone())?;
            Ok::<_, GitFailure>((head, self.planned(head, files).await?.plans))
        };
        match looked.await {
            Ok((head, plans)) => outcomes(&plans, head, &otherwise),
            Err(failure) => {
                let unlooked = SaveOutcome::Unknown { reason: failure.reason(), pause: None };
                plans.iter().map(|plan| if *plan == Plan::New { otherwise.clone() } else { unlooked.clone() }).collect()
            }
        }
    }

    /// Moves a batch to the archive in one commit.
    pub(super) async fn archive(&mut self, paths: &[AnswerPath]) -> Result<(), GitFailure> {
        let mut is_confirmed = false;
        for attempt in 0..ATTEMPTS {
            let head = match self.known_head().filter(|_| attempt == 0) {
                Some(head) => head,
                None => {
                    is_confirmed = true;
                    self.fetched_head().await?
                }
            };
            let paths = paths.to_vec();
            let changes = self.clone.look(head, move |repository, commit| moves(repository, commit, &paths)).await;
            let Some(changes) = self.unless_damaged(changes)? else { continue };
            if changes.is_empty() {
                if is_confirmed {
                    return Ok(());
                }
                continue;
            }
            let message = format!("archive {} answers\n", changes.len());
            let built = self.clone.commit(Some(head), changes, message).await;
            let Some(built) = self.unless_damaged(built)? else { continue };
            match self.push(&built).await {
                Err(GitFailure::Raced) => pause(attempt).await,
                done => return done,
            }
        }
        Err(GitFailure::Raced)
    }

    /// Whether a save would work, as far as that can be known without one. Leaves nothing behind.
    pub(super) async fn check(&mut self) -> Result<(), GitFailure> {
        let head = self.fetched_head().await?;
        // On this machine a dry run asks nobody for the right to write.
        if let Some(folder) = self.clone.remote().local_folder() {
            let inner = folder.join(".git");
            let folder = if inner.is_dir() { inner.as_path() } else { folder };
            for part in ["objects", "refs/heads"] {
                let part = folder.join(part);
                rustix::fs::access(&part, rustix::fs::Access::WRITE_OK)
                    .map_err(|error| GitFailure::Refused(format!("{} cannot be written to: {error}", part.display())))?;
            }
        }
        self.clone.would_take(head).await
    }

    /// Makes a commit that changes no file.
    pub(super) async fn prove(&mut self) -> Result<String, GitFailure> {
        for attempt in 0..ATTEMPTS {
            let head = self.fetched_head().await?;
            let message = "check that answers can be saved\n".to_owned();
            let built = self.clone.commit(Some(head), Vec::new(), message).await;
            let Some(built) = self.unless_damaged(built)? else { continue };
            match self.push(&built).await {
                Ok(()) => return Ok(built.id.to_string()),
                Err(GitFailure::Raced) => pause(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(GitFailure::Raced)
    }

    /// Packs the clone from time to time. Nobody waits for it.
    pub(super) async fn tidy(&mut self) {
        if self.pushes >= TIDY_EVERY {
            self.pushes = 0;
            self.clone.tidy().await;
        }
    }

    fn known_head(&self) -> Option<CommitId> {
        self.clone.seen().filter(|_| self.is_certain && self.has_begun)
    }

    async fn fetched_head(&mut self) -> Result<CommitId, GitFailure> {
        for attempt in 0..ATTEMPTS {
            if let Some(head) = self.clone.fetch().await? {
                (self.has_begun, self.is_certain) = (true, true);
                return Ok(head);
            }
            if self.has_begun || !self.begins {
                return Err(self.gone());
            }
            let readme = Change::Add { path: "README.md".to_owned(), bytes: README.as_bytes().to_vec() };
            let first = self.clone.commit(None, vec![readme], "begin to keep answers\n".to_owned()).await?;
            match self.push(&first).await {
                Ok(()) => {
                    self.has_begun = true;
                    return Ok(first.id);
                }
                Err(GitFailure::Raced) => pause(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(GitFailure::Raced)
    }

    fn gone(&self) -> GitFailure {
        let (remote, branch) = (self.clone.remote(), self.clone.branch());
        GitFailure::Refused(format!("{remote} has no {branch} any more; bring it back, or restart pagerd to begin a new one"))
    }

    async fn push(&mut self, built: &Built) -> Result<(), GitFailure> {
        // Unless the remote says otherwise: this holds, too, when whoever waits for it is gone.
        self.is_certain = false;
        self.clone.push(built).await?;
        self.is_certain = true;
        self.pushes = self.pushes.saturating_add(1);
        Ok(())
    }

    async fn planned(&self, head: CommitId, files: &[AnswerFile]) -> Result<Planned, GitFailure> {
        let files = files.to_vec();
        self.clone.look(head, move |repository, commit| plan(repository, commit, &files)).await
    }

    /// None when the clone is broken, and a fetch would make it anew.
    fn unless_damaged<Done>(&mut self, done: Result<Done, GitFailure>) -> Result<Option<Done>, GitFailure> {
        match done {
            Ok(done) => Ok(Some(done)),
            Err(_) if self.clone.is_damaged() => {
                self.is_certain = false;
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }
}

fn outcomes(plans: &[Plan], head: CommitId, new: &SaveOutcome) -> Vec<SaveOutcome> {
    let is_written = matches!(new, SaveOutcome::Saved { .. });
    let outcome = |plan: &Plan| match plan {
        Plan::New => new.clone(),
        Plan::Contradicts if !is_written => new.clone(),
        Plan::Contradicts | Plan::Taken => SaveOutcome::Taken,
        Plan::There => SaveOutcome::Saved { commit: head.to_string() },
    };
    plans.iter().map(outcome).collect()
}

/// Does a rule decline whatever is pushed to the branch, and not what one answer says?
fn is_of_the_branch(reason: &str) -> bool {
    const RULES: [&str; 7] = [
        "protected branch",
        "pull request",
        "merge request",
        "not allowed to push",
        "currently checked out",
        "read-only",
        "archived",
    ];
    let reason = reason.to_lowercase();
    !reason.contains("secret") && RULES.iter().any(|rule| reason.contains(rule))
}

fn outcome_of(failure: GitFailure) -> SaveOutcome {
    match failure {
        GitFailure::Declined(reason) | GitFailure::Refused(reason) => SaveOutcome::Refused { reason },
        GitFailure::Raced | GitFailure::Unknown(_) => SaveOutcome::Unknown { reason: failure.reason(), pause: None },
    }
}

/// Longer each time, and never the same for two who keep meeting.
async fn pause(attempt: u64) {
    tokio::time::sleep(Duration::from_millis(10 + random() % (50 * (attempt.min(15) + 1)))).await;
}
