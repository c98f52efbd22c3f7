//! The ids that the branch has, at the last commit that was looked at, so that asking for one costs a look at the branch's
//! file alone while nothing was saved. Of the archive, which may be large, eight bytes an id are kept.

use std::{
    collections::HashSet,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use gix::{ObjectId, Repository};

use super::{
    failure::Failure,
    tree::{self, ArchiveParts},
};
use crate::AnswerPath;

/// What a commit has.
struct Seen {
    commit: ObjectId,
    /// The ids in `answers/`.
    live: HashSet<String>,
    archive: Arc<ArchiveParts>,
}

/// The contents of the branch as they were last seen.
pub(super) struct Known {
    branch_file: PathBuf,
    seen: Mutex<Option<Seen>>,
    /// One looks, whoever else wants to know waits for it.
    looking: Mutex<()>,
}

impl Known {
    /// Nothing is known yet of the branch in this file.
    pub(super) fn new(branch_file: PathBuf) -> Self {
        Self { branch_file, seen: Mutex::new(None), looking: Mutex::new(()) }
    }

    /// Whether the branch has this answer, or `None` when that has to be looked up.
    pub(super) fn holds(&self, path: &AnswerPath) -> Option<bool> {
        // A packed or symbolic branch has no commit in its file, and is looked up each time.
        let file = fs::read_to_string(&self.branch_file).ok()?;
        self.holds_at(ObjectId::from_hex(file.trim_end().as_bytes()).ok()?, path)
    }

    /// The same, looked up when it is not known. Blocks.
    pub(super) fn look_up(&self, repository: &Repository, head: ObjectId, path: &AnswerPath) -> Result<bool, Failure> {
        self.look(repository, head)?;
        match self.holds_at(head, path) {
            Some(holds) => Ok(holds),
            None => Ok(tree::find_answer(repository, head, path)?.is_some()),
        }
    }

    fn holds_at(&self, head: ObjectId, path: &AnswerPath) -> Option<bool> {
        let seen = lock(&self.seen);
        let seen = seen.as_ref().filter(|seen| seen.commit == head)?;
        if seen.live.contains(path.id()) {
            return Some(true);
        }
        // A mark that is there may be another id's.
        let may_be_archived = seen.archive.get(&path.archive_part()).is_some_and(|part| part.has(mark(path.id())));
        if may_be_archived { None } else { Some(false) }
    }

    fn look(&self, repository: &Repository, head: ObjectId) -> Result<(), Failure> {
        let _looking = lock(&self.looking);
        let before = match &*lock(&self.seen) {
            Some(seen) if seen.commit == head => return Ok(()),
            seen => seen.as_ref().map(|seen| seen.archive.clone()).unwrap_or_default(),
        };
        let live = tree::live_answers(repository, head)?.into_iter().collect();
        let archive = tree::archive_parts(repository, head, &before)?;
        *lock(&self.seen) = Some(Seen { commit: head, live, archive: Arc::new(archive) });
        Ok(())
    }
}

/// A folder of the archive: which one it is, and the marks of the ids in it.
#[derive(Clone)]
pub(super) struct ArchivePart {
    /// The folder.
    pub(super) tree: ObjectId,
    marks: Arc<[u64]>,
}

impl ArchivePart {
    /// A folder with these ids.
    pub(super) fn new(tree: ObjectId, ids: &[String]) -> Self {
        let mut marks: Vec<u64> = ids.iter().map(|id| mark(id)).collect();
        marks.sort_unstable();
        Self { tree, marks: marks.into() }
    }

    fn has(&self, mark: u64) -> bool {
        self.marks.binary_search(&mark).is_ok()
    }
}

fn mark(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
