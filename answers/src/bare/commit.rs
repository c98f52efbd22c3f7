//! Puts a batch of answers on the branch as one commit: decide what is new, write it, move the branch.
//! Runs on the writer's thread only; it blocks.

use gix::{
    ObjectId, Repository, ThreadSafeRepository,
    objs::{Kind, Tree, tree},
};

use super::{
    branch::Branch,
    failure::Failure,
    lock::{BranchMove, WriterLock, flush_branch, pause},
    object::{Objects, hash},
    tree::{ANSWERS, ARCHIVE, find_archived, is_free, load, root_of},
};
use crate::entry::{DECISIONS, Entry};
use crate::objects::{
    commit::{commit, message},
    folder::{find, put},
};
use crate::{AnswerFile, SaveOutcome};

/// How often a commit is built anew because somebody else moved the branch meanwhile.
const ATTEMPTS: u32 = 50;

/// Writes to one branch of one repository.
pub(super) struct Committer {
    repository: ThreadSafeRepository,
    pub(super) branch: Branch,
    /// The folders at the commit we made last, so that they need not be read again while nobody else writes.
    pub(super) newest: Option<Folders>,
}

/// What a commit changes: the top folder and the folder of answers, at one commit.
pub(super) struct Folders {
    pub(super) commit: ObjectId,
    pub(super) root_id: ObjectId,
    pub(super) root: Tree,
    pub(super) answers: Tree,
}

/// What one answer of a batch is to the branch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    /// It is to be written.
    New,
    /// An earlier one of this batch is to be written under its id, with the same bytes.
    Repeats,
    /// An earlier one of this batch is to be written under its id, with other bytes.
    Contradicts,
    /// The branch has it.
    There,
    /// The branch has something else under its id.
    Taken,
}

impl Committer {
    /// A committer for `branch`.
    pub(super) fn new(repository: ThreadSafeRepository, branch: Branch) -> Self {
        Self { repository, branch, newest: None }
    }

    /// Saves a batch in one commit; one outcome for each, in order.
    pub(super) fn save(&mut self, files: &[&AnswerFile]) -> Vec<SaveOutcome> {
        let saved = self.with_right(|committer, repository, right| committer.attempt(repository, right, files));
        saved.unwrap_or_else(|failure| vec![failure.into(); files.len()])
    }

    /// Tries, with the right to write, until nobody else moved the branch meanwhile.
    pub(super) fn with_right<Done>(
        &mut self,
        attempt: impl Fn(&mut Self, &Repository, &WriterLock) -> Result<Done, Failure>,
    ) -> Result<Done, Failure> {
        let repository = self.repository.to_thread_local();
        let right = WriterLock::acquire(repository.git_dir())?;
        for _ in 0..ATTEMPTS {
            match attempt(self, &repository, &right) {
                Err(Failure::HeadMoved) => pause(),
                outcome => return outcome,
            }
        }
        Err(Failure::HeadMoved)
    }

    /// Whether a save would work: writes an object and locks the branch, then takes both back.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let repository = self.repository.to_thread_local();
        let right = WriterLock::acquire(repository.git_dir())?;
        let head = self.head(&repository)?;
        root_of(&repository, head)?;
        Objects::new(repository.objects.store_ref().path().to_owned()).add_bytes(Kind::Blob, b"check")?;
        BranchMove::prepare(&repository, &self.branch, head, &right)?.lock()?;
        Ok(())
    }

    /// Makes a commit that changes no file.
    pub(super) fn prove(&mut self) -> Result<String, Failure> {
        self.with_right(|committer, repository, right| {
            let head = committer.head(repository)?;
            let root = root_of(repository, head)?;
            let mut objects = Objects::new(repository.objects.store_ref().path().to_owned());
            let proof = objects.add(&commit(root, Some(head), "check that answers can be saved\n".to_owned()))?;
            let moving = BranchMove::prepare(repository, &committer.branch, proof, right)?;
            objects.publish(Some(moving.file()))?;
            moving.lock()?.advance(Some(head))?;
            Ok(proof.to_string())
        })
    }

    /// One try. Only [`Failure::HeadMoved`] says that another makes sense.
    fn attempt(
        &mut self,
        repository: &Repository,
        right: &WriterLock,
        files: &[&AnswerFile],
    ) -> Result<Vec<SaveOutcome>, Failure> {
        let head = self.head(repository)?;
        let mut folders = self.folders_at(repository, head)?;
        let mut new: Vec<&AnswerFile> = Vec::new();
        let mut plans = Vec::with_capacity(files.len());
        for file in files {
            let plan = folders.plan(repository, file, &new)?;
            if plan == Plan::New {
                new.push(file);
            }
            plans.push(plan);
        }
        let entries = folders.entries(repository, files, &plans)?;
        let written = if new.is_empty() && entries.is_empty() {
            self.newest = Some(folders);
            Ok(head)
        } else {
            self.write(repository, right, folders, &new, &entries)
        };
        if let Err(Failure::HeadMoved) = written {
            return Err(Failure::HeadMoved);
        }
        // What is there is ours from an earlier attempt, perhaps one that ended before its flush.
        let there = if plans.contains(&Plan::There) { flush_branch(repository, &self.branch) } else { Ok(()) };
        let there = outcome(there.map(|()| *written.as_ref().unwrap_or(&head)));
        let is_written = written.is_ok();
        let written = outcome(written);
        Ok(plans
            .into_iter()
            .map(|plan| match plan {
                Plan::New | Plan::Repeats => written.clone(),
                Plan::Contradicts if !is_written => written.clone(),
                Plan::Contradicts | Plan::Taken => SaveOutcome::Taken,
                Plan::There => there.clone(),
            })
            .collect())
    }

    fn write(
        &mut self,
        repository: &Repository,
        right: &WriterLock,
        mut folders: Folders,
        new: &[&AnswerFile],
        entries: &[&Entry],
    ) -> Result<ObjectId, Failure> {
        let before = folders.commit;
        let mut objects = Objects::new(repository.objects.store_ref().path().to_owned());
        for file in new {
            objects.add_bytes(Kind::Blob, &file.bytes)?;
        }
        if !new.is_empty() {
            let answers = objects.add(&folders.answers)?;
            put(&mut folders.root, ANSWERS, tree::EntryKind::Tree, answers);
        }
        if !entries.is_empty() {
            let decisions = folders.with_entries(repository, &mut objects, entries)?;
            put(&mut folders.root, DECISIONS, tree::EntryKind::Tree, decisions);
        }
        folders.root_id = objects.add(&folders.root)?;
        folders.commit = objects.add(&commit(folders.root_id, Some(before), message(new)))?;
        let after = folders.commit;
        let moving = BranchMove::prepare(repository, &self.branch, after, right)?;
        objects.publish(Some(moving.file()))?;
        moving.lock()?.advance(Some(before))?;
        self.newest = Some(folders);
        Ok(after)
    }

    /// The folders of the head; whoever takes them changes them, and leaves them behind when they are the head's again.
    pub(super) fn folders_at(&mut self, repository: &Repository, head: ObjectId) -> Result<Folders, Failure> {
        match self.newest.take() {
            Some(folders) if folders.commit == head => Ok(folders),
            _ => Folders::load(repository, head),
        }
    }

    pub(super) fn head(&self, repository: &Repository) -> Result<ObjectId, Failure> {
        self.branch.head(repository)?.ok_or_else(|| {
            Failure::Refused(format!("{} has no {} any more", repository.git_dir().display(), self.branch.full_name()))
        })
    }
}

impl Folders {
    fn load(repository: &Repository, commit: ObjectId) -> Result<Self, Failure> {
        let root_id = root_of(repository, commit)?;
        let root = load(repository, root_id)?;
        let answers = match root.entries.iter().find(|entry| entry.filename == ANSWERS) {
            None => Tree { entries: Vec::new() },
            Some(entry) if entry.mode.is_tree() => load(repository, entry.oid)?,
            Some(_) => {
                return Err(Failure::Refused(
                    "answers is a file in this repository, and has to be a folder; rename it there".to_owned(),
                ));
            }
        };
        Ok(Self { commit, root_id, root, answers })
    }

    /// Decides about one answer, and enters it when it is new. `new` are those entered before.
    fn plan(&mut self, repository: &Repository, file: &AnswerFile, new: &[&AnswerFile]) -> Result<Plan, Failure> {
        let id = hash(Kind::Blob, &file.bytes)?;
        let name = file.path.file_name();
        let there = match find(&self.answers, &name) {
            Some(there) => Some(there),
            None if find(&self.root, ARCHIVE).is_none() => None,
            None => find_archived(repository, self.root_id, &file.path)?,
        };
        let Some(there) = there else {
            put(&mut self.answers, &name, tree::EntryKind::Blob, id);
            return Ok(Plan::New);
        };
        let is_new = new.iter().any(|earlier| earlier.path == file.path);
        // Equal ids are equal bytes.
        Ok(match (there == id, is_new) {
            (true, true) => Plan::Repeats,
            (false, true) => Plan::Contradicts,
            (true, false) => Plan::There,
            (false, false) => Plan::Taken,
        })
    }
}

impl Folders {
    /// What is to be entered beside these answers: of those that the branch has or gets, where nothing is yet.
    fn entries<'a>(&self, repository: &Repository, files: &[&'a AnswerFile], plans: &[Plan]) -> Result<Vec<&'a Entry>, Failure> {
        let mut entries: Vec<&Entry> = Vec::new();
        for (file, plan) in files.iter().zip(plans) {
            let Some(entry) = file.beside.as_ref().filter(|_| matches!(plan, Plan::New | Plan::There)) else { continue };
            let is_another = entries.iter().all(|earlier| earlier.name != entry.name);
            if is_another && is_free(repository, self.root_id, &entry.name.to_string())? {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// The folder of decisions with these in it.
    fn with_entries(&self, repository: &Repository, objects: &mut Objects, entries: &[&Entry]) -> Result<ObjectId, Failure> {
        let mut decisions = match find(&self.root, DECISIONS) {
            Some(folder) => load(repository, folder)?,
            None => Tree { entries: Vec::new() },
        };
        for entry in entries {
            let id = objects.add_bytes(Kind::Blob, &entry.bytes)?;
            put(&mut decisions, entry.name.file_name(), tree::EntryKind::Blob, id);
        }
        objects.add(&decisions)
    }
}

fn outcome(written: Result<ObjectId, Failure>) -> SaveOutcome {
    match written {
        Ok(commit) => SaveOutcome::Saved { commit: commit.to_string() },
        Err(failure) => failure.into(),
    }
}
