//! What a commit already has of a batch, so that nothing is ever written over.

use gix::{ObjectId, Repository, objs::Kind};

use crate::{
    AnswerFile, AnswerPath, Entry,
    git::Change,
    objects::{
        failure::Failure,
        object::hash,
        tree::{find_answer, find_archived, find_live, is_free, root_of},
    },
};

/// What one answer of a batch is to the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// It is to be written, or an earlier one of the batch with the same id and bytes.
    New,
    /// An earlier one of the batch is to be written under its id, with other bytes.
    Contradicts,
    /// The branch has it.
    There,
    /// The branch has something else under its id.
    Taken,
}

/// What is to be done about a batch.
pub(super) struct Planned {
    /// One for each file, in order.
    pub(super) plans: Vec<Plan>,
    /// What has to be written.
    pub(super) new: Vec<AnswerFile>,
    /// What has to be entered beside those that the branch has or gets.
    pub(super) entries: Vec<Entry>,
}

/// Plans a batch.
pub(super) fn plan(repository: &Repository, commit: ObjectId, files: &[AnswerFile]) -> Result<Planned, Failure> {
    let root = root_of(repository, commit)?;
    let mut entries: Vec<Entry> = Vec::new();
    let mut new: Vec<AnswerFile> = Vec::new();
    let mut plans = Vec::with_capacity(files.len());
    for file in files {
        let earlier = new.iter().find(|earlier| earlier.path == file.path);
        let plan = match (find_answer(repository, commit, &file.path)?, earlier) {
            // Equal ids are equal bytes.
            (Some(there), _) if there == hash(Kind::Blob, &file.bytes)? => Plan::There,
            (Some(_), _) => Plan::Taken,
            (None, Some(earlier)) if earlier.bytes == file.bytes => Plan::New,
            (None, Some(_)) => Plan::Contradicts,
            (None, None) => {
                new.push(file.clone());
                Plan::New
            }
        };
        if let (Plan::New | Plan::There, Some(entry)) = (plan, &file.beside)
            && entries.iter().all(|earlier| earlier.name != entry.name)
            && is_free(repository, root, &entry.name.to_string())?
        {
            entries.push(entry.clone());
        }
        plans.push(plan);
    }
    Ok(Planned { plans, new, entries })
}

/// What moves a batch to the archive. What is not in `answers/`, or lies in the archive with other bytes, stays as it is.
pub(super) fn moves(repository: &Repository, commit: ObjectId, paths: &[AnswerPath]) -> Result<Vec<Change>, Failure> {
    let root = root_of(repository, commit)?;
    let mut changes: Vec<Change> = Vec::new();
    for path in paths {
        let Some(live) = find_live(repository, root, path)? else { continue };
        let from = path.to_string();
        let change = match find_archived(repository, root, path)? {
            None => Change::Move { from, to: path.archived() },
            Some(there) if there == live => Change::Remove { path: from },
            Some(_) => continue,
        };
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    Ok(changes)
}
