//! Moves answers out of `answers/` into the archive, many in one commit. Their bytes are not touched: a tree names the
//! same objects in another place.

use std::collections::BTreeMap;

use gix::{
    ObjectId, Repository,
    objs::{Tree, tree::EntryKind},
};

use super::{
    commit::{Committer, Folders},
    failure::Failure,
    lock::{BranchMove, WriterLock},
    object::Objects,
    tree::{ANSWERS, ARCHIVE, load},
};
use crate::AnswerPath;
use crate::objects::{
    commit::commit,
    folder::{find, put, take},
};

/// The archive's folders, those that a batch goes into.
struct Archive {
    top: Tree,
    parts: BTreeMap<String, Tree>,
}

impl Committer {
    /// Moves a batch; what is not in `answers/`, or lies in the archive with other bytes, stays as it is.
    pub(super) fn archive(&mut self, paths: &[AnswerPath]) -> Result<(), Failure> {
        self.with_right(|committer, repository, right| committer.try_archive(repository, right, paths))
    }

    fn try_archive(&mut self, repository: &Repository, right: &WriterLock, paths: &[AnswerPath]) -> Result<(), Failure> {
        let head = self.head(repository)?;
        let mut folders = self.folders_at(repository, head)?;
        let mut archive = Archive::load(repository, &folders)?;
        let mut moved = 0;
        for path in paths {
            let Some(id) = find(&folders.answers, &path.file_name()) else { continue };
            if archive.part(repository, path)?.put_unless_taken(path, id) {
                take(&mut folders.answers, &path.file_name());
                moved += 1;
            }
        }
        if moved == 0 {
            return Ok(());
        }
        let mut objects = Objects::new(repository.objects.store_ref().path().to_owned());
        for (name, part) in &archive.parts {
            let id = objects.add(part)?;
            put(&mut archive.top, name, EntryKind::Tree, id);
        }
        let archived = objects.add(&archive.top)?;
        put(&mut folders.root, ARCHIVE, EntryKind::Tree, archived);
        let answers = objects.add(&folders.answers)?;
        put(&mut folders.root, ANSWERS, EntryKind::Tree, answers);
        folders.root_id = objects.add(&folders.root)?;
        let message = format!("archive {moved} answers\n");
        folders.commit = objects.add(&commit(folders.root_id, Some(head), message))?;
        let moving = BranchMove::prepare(repository, &self.branch, folders.commit, right)?;
        objects.publish(Some(moving.file()))?;
        moving.lock()?.advance(Some(head))?;
        self.newest = Some(folders);
        Ok(())
    }
}

/// One folder of the archive.
struct Part<'a>(&'a mut Tree);

impl Part<'_> {
    /// False when other bytes lie there.
    fn put_unless_taken(&mut self, path: &AnswerPath, id: ObjectId) -> bool {
        match find(self.0, &path.file_name()) {
            Some(there) => there == id,
            None => {
                put(self.0, &path.file_name(), EntryKind::Blob, id);
                true
            }
        }
    }
}

impl Archive {
    fn load(repository: &Repository, folders: &Folders) -> Result<Self, Failure> {
        let top = match find(&folders.root, ARCHIVE) {
            Some(id) => load(repository, id)?,
            None => Tree { entries: Vec::new() },
        };
        Ok(Self { top, parts: BTreeMap::new() })
    }

    /// The folder that this answer goes into.
    fn part(&mut self, repository: &Repository, path: &AnswerPath) -> Result<Part<'_>, Failure> {
        let name = path.archive_part();
        if !self.parts.contains_key(&name) {
            let part = match find(&self.top, &name) {
                Some(id) => load(repository, id)?,
                None => Tree { entries: Vec::new() },
            };
            self.parts.insert(name.clone(), part);
        }
        Ok(Part(self.parts.entry(name).or_insert_with(|| Tree { entries: Vec::new() })))
    }
}
