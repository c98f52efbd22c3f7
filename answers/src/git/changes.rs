//! What a commit changes, and the folders that come of it. Only folders on the way to a change are read and written.

use std::collections::BTreeMap;

use gix::{
    ObjectId, Repository,
    objs::{Kind, Tree, tree::EntryKind},
};

use crate::objects::{
    failure::Failure,
    folder::{put, take},
    object::Objects,
    tree::load,
};

/// One change of a commit. Paths are relative, with slashes: `events/a.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A file with these bytes, in the place of whatever is there.
    Add {
        /// Where.
        path: String,
        /// The whole file.
        bytes: Vec<u8>,
    },
    /// What is at one path goes to another, byte for byte. Nothing happens when it is not there.
    Move {
        /// From where.
        from: String,
        /// Where to, in the place of whatever is there.
        to: String,
    },
    /// What is at a path goes. Nothing happens when it is not there.
    Remove {
        /// Where.
        path: String,
    },
}

/// The top folder after the changes, written to `objects` with all that is new in it.
pub(super) fn apply(
    repository: &Repository,
    objects: &mut Objects,
    root: Option<ObjectId>,
    changes: &[Change],
) -> Result<ObjectId, Failure> {
    let mut root = Folder::load(repository, root)?;
    for change in changes {
        match change {
            Change::Add { path, bytes } => {
                let id = objects.add_bytes(Kind::Blob, bytes)?;
                root.put(repository, &parts(path)?, EntryKind::Blob, id)?;
            }
            Change::Move { from, to } => {
                if let Some((kind, id)) = root.take(repository, &parts(from)?)? {
                    root.put(repository, &parts(to)?, kind, id)?;
                }
            }
            Change::Remove { path } => {
                root.take(repository, &parts(path)?)?;
            }
        }
    }
    root.write(objects)
}

/// A folder that is being changed, with those of its folders that are, too.
struct Folder {
    tree: Tree,
    opened: BTreeMap<String, Folder>,
}

impl Folder {
    fn load(repository: &Repository, id: Option<ObjectId>) -> Result<Self, Failure> {
        let tree = match id {
            Some(id) => load(repository, id)?,
            None => Tree { entries: Vec::new() },
        };
        Ok(Self { tree, opened: BTreeMap::new() })
    }

    fn put(&mut self, repository: &Repository, parts: &[&str], kind: EntryKind, id: ObjectId) -> Result<(), Failure> {
        match parts {
            [] => {}
            [name] => {
                self.opened.remove(*name);
                take(&mut self.tree, name);
                put(&mut self.tree, name, kind, id);
            }
            [folder, rest @ ..] => self.open(repository, folder)?.put(repository, rest, kind, id)?,
        }
        Ok(())
    }

    fn take(&mut self, repository: &Repository, parts: &[&str]) -> Result<Option<(EntryKind, ObjectId)>, Failure> {
        match parts {
            [] => Ok(None),
            [name] => {
                let there = self.tree.entries.iter().find(|entry| entry.filename == *name);
                let there = there.map(|entry| (entry.mode.kind(), entry.oid));
                self.opened.remove(*name);
                take(&mut self.tree, name);
                Ok(there)
            }
            [folder, rest @ ..] => self.open(repository, folder)?.take(repository, rest),
        }
    }

    fn open(&mut self, repository: &Repository, name: &str) -> Result<&mut Self, Failure> {
        if !self.opened.contains_key(name) {
            let there = self.tree.entries.iter().find(|entry| entry.filename == name);
            let id = match there {
                Some(entry) if !entry.mode.is_tree() => {
                    return Err(Failure::Refused(format!(
                        "{name} is a file in this repository, and has to be a folder; rename it there"
                    )));
                }
                there => there.map(|entry| entry.oid),
            };
            let folder = Self::load(repository, id)?;
            self.opened.insert(name.to_owned(), folder);
        }
        Ok(self
            .opened
            .entry(name.to_owned())
            .or_insert_with(|| Self { tree: Tree { entries: Vec::new() }, opened: BTreeMap::new() }))
    }

    fn write(mut self, objects: &mut Objects) -> Result<ObjectId, Failure> {
        for (name, folder) in std::mem::take(&mut self.opened) {
            let id = folder.write_unless_empty(objects)?;
            take(&mut self.tree, &name);
            if let Some(id) = id {
                put(&mut self.tree, &name, EntryKind::Tree, id);
            }
        }
        objects.add(&self.tree)
    }

    /// Git knows no empty folders.
    fn write_unless_empty(self, objects: &mut Objects) -> Result<Option<ObjectId>, Failure> {
        if self.tree.entries.is_empty() && self.opened.values().all(Self::is_empty) {
            return Ok(None);
        }
        self.write(objects).map(Some)
    }

    fn is_empty(&self) -> bool {
        self.tree.entries.is_empty() && self.opened.values().all(Self::is_empty)
    }
}

fn parts(path: &str) -> Result<Vec<&str>, Failure> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_fine = |part: &str| {
        !part.is_empty() && !matches!(part, "." | "..") && !part.eq_ignore_ascii_case(".git") && !part.contains('\0')
    };
    if parts.iter().copied().all(is_fine) {
        Ok(parts)
    } else {
        Err(Failure::Refused(format!("{path:?} is no path in a repository")))
    }
}
