//! The ids that a branch has at the commit that was looked at last, so that asking for one reads nothing while nothing was
//! saved. Of the archive, which may be large, eight bytes an id are kept.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
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

/// The ids as they were last seen.
#[derive(Default)]
pub(crate) struct KnownIds {
    seen: Mutex<Option<Seen>>,
    /// One looks, whoever else wants to know waits for it.
    looking: Mutex<()>,
}

impl KnownIds {
    /// Whether this commit has this answer, or `None` when that has to be looked up.
    pub(crate) fn holds(&self, head: ObjectId, path: &AnswerPath) -> Option<bool> {
        let seen = lock(&self.seen);
        let seen = seen.as_ref().filter(|seen| seen.commit == head)?;
        if seen.live.contains(path.id()) {
            return Some(true);
        }
        // A mark that is there may be another id's.
        let may_be_archived = seen.archive.get(&path.archive_part()).is_some_and(|part| part.has(mark(path.id())));
        if may_be_archived { None } else { Some(false) }
    }

    /// The same, looked up when it is not known. Blocks.
    pub(crate) fn look_up(&self, repository: &Repository, head: ObjectId, path: &AnswerPath) -> Result<bool, Failure> {
        self.look(repository, head)?;
        match self.holds(head, path) {
            Some(holds) => Ok(holds),
            None => Ok(tree::find_answer(repository, head, path)?.is_some()),
        }
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
pub(crate) struct ArchivePart {
    /// The folder.
    pub(crate) tree: ObjectId,
    marks: Arc<[u64]>,
}

impl ArchivePart {
    /// A folder with these ids.
    pub(crate) fn new(tree: ObjectId, ids: &[String]) -> Self {
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
