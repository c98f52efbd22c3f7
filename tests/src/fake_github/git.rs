//! One real bare repository: what the API reads and writes in it. A real push may race with every call here.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use gix::actor::Signature;
use gix::objs::{Commit, Kind, Tree, tree};
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use gix::{ObjectId, Repository, ThreadSafeRepository};

/// A repository on disk.
pub(super) struct Git {
    folder: PathBuf,
    repository: ThreadSafeRepository,
}

impl std::fmt::Debug for Git {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Git").field(&self.folder).finish()
    }
}

/// Something in a folder.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) mode: tree::EntryMode,
    pub(super) id: ObjectId,
}

impl Git {
    /// Makes an empty one.
    pub(super) fn make(folder: &Path, default_branch: &str) -> Result<Self> {
        for part in ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"] {
            std::fs::create_dir_all(folder.join(part)).context("cannot make a repository")?;
        }
        std::fs::write(folder.join("HEAD"), format!("ref: refs/heads/{default_branch}\n"))?;
        std::fs::write(folder.join("config"), "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n")?;
        let repository = gix::open::Options::isolated().open_path_as_is(true).open(folder)?;
        Ok(Self { folder: folder.to_owned(), repository })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn open(&self) -> Repository {
        self.repository.to_thread_local()
    }

    /// What a reference such as `refs/heads/main` names.
    pub(super) fn reference(&self, name: &str) -> Option<ObjectId> {
        let repository = self.open();
        let found = repository.try_find_reference(name).ok()??;
        found.target().try_id().map(ToOwned::to_owned)
    }

    pub(super) fn head(&self, branch: &str) -> Option<ObjectId> {
        self.reference(&format!("refs/heads/{branch}"))
    }

    /// Every branch with its commit, by name.
    pub(super) fn branches(&self) -> Vec<(String, ObjectId)> {
        let repository = self.open();
        let Ok(platform) = repository.references() else { return Vec::new() };
        let Ok(branches) = platform.local_branches() else { return Vec::new() };
        let named =
            |branch: gix::Reference<'_>| Some((branch.name().shorten().to_string(), branch.target().try_id()?.to_owned()));
        branches.flatten().filter_map(named).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.branches().is_empty()
    }

    /// Moves a reference; `from` is what it must name, `None` for one that must not exist.
    ///
    /// # Errors
    /// What it names instead.
    pub(super) fn set(&self, name: &str, from: Option<ObjectId>, to: Option<ObjectId>) -> Result<(), Option<ObjectId>> {
        let expected = match from {
            Some(from) => PreviousValue::MustExistAndMatch(gix::refs::Target::Object(from)),
            None => PreviousValue::MustNotExist,
        };
        let change = match to {
            Some(to) => Change::Update { log: LogChange::default(), expected, new: gix::refs::Target::Object(to) },
            None => Change::Delete { expected, log: RefLog::AndReference },
        };
        let Ok(full) = gix::refs::FullName::try_from(name) else { return Err(self.reference(name)) };
        let edit = RefEdit { change, name: full, deref: false };
        let changed = self.open().edit_references_as([edit], None);
        changed.map(|_| ()).map_err(|_| self.reference(name))
    }

    pub(super) fn kind(&self, id: ObjectId) -> Option<Kind> {
        self.open().try_find_header(id).ok()?.map(|header| header.kind())
    }

    /// The bytes of a blob.
    pub(super) fn blob(&self, id: ObjectId) -> Option<Vec<u8>> {
        let repository = self.open();
        let object = repository.try_find_object(id).ok()??;
        (object.kind == Kind::Blob).then(|| object.detach().data)
    }

    pub(super) fn write_blob(&self, bytes: &[u8]) -> Result<ObjectId> {
        Ok(self.open().write_blob(bytes)?.detach())
    }

    pub(super) fn commit(&self, id: ObjectId) -> Option<Commit> {
        let repository = self.open();
        let object = repository.try_find_object(id).ok()??;
        if object.kind != Kind::Commit {
            return None;
        }
        object.into_commit().decode().ok()?.try_into().ok()
    }

    pub(super) fn write_commit(
        &self,
        tree: ObjectId,
        parents: Vec<ObjectId>,
        author: Signature,
        committer: Signature,
        message: &str,
    ) -> Result<ObjectId> {
        let parents = parents.into();
        let message = message.into();
        let commit = Commit { tree, parents, author, committer, encoding: None, message, extra_headers: Vec::new() };
        Ok(self.open().write_object(&commit)?.detach())
    }

    /// Is `old` the same as `new` or before it?
    pub(super) fn is_before(&self, old: ObjectId, new: ObjectId) -> bool {
        let (mut seen, mut waiting) = (std::collections::BTreeSet::new(), vec![new]);
        while let Some(id) = waiting.pop() {
            if id == old {
                return true;
            }
            if seen.insert(id) {
                waiting.extend(self.commit(id).into_iter().flat_map(|commit| commit.parents));
            }
        }
        false
    }

    /// What lies in a folder, in git's order; empty for what is none.
    pub(super) fn entries(&self, tree: ObjectId) -> Vec<Entry> {
        self.tree(tree)
            .entries
            .into_iter()
            .map(|entry| Entry { name: entry.filename.to_string(), mode: entry.mode, id: entry.oid })
            .collect()
    }

    /// What lies at a path below a folder.
    pub(super) fn find(&self, tree: ObjectId, path: &str) -> Option<Entry> {
        let (mut folder, mut found) = (tree, None);
        for part in path.split('/') {
            let entry = self.tree(folder).entries.into_iter().find(|entry| entry.filename == part)?;
            folder = entry.oid;
            found = Some(Entry { name: part.to_owned(), mode: entry.mode, id: entry.oid });
        }
        found
    }

    fn tree(&self, id: ObjectId) -> Tree {
        let repository = self.open();
        let decoded = repository.find_tree(id).ok().and_then(|tree| tree.decode().ok().map(Into::into));
        decoded.unwrap_or(Tree { entries: Vec::new() })
    }

    /// Puts something at a path below a folder, or takes it away; folders come and go with what is in them.
    pub(super) fn put(&self, tree: Option<ObjectId>, path: &str, what: Option<(tree::EntryMode, ObjectId)>) -> Result<ObjectId> {
        let mut folder = tree.map_or(Tree { entries: Vec::new() }, |id| self.tree(id));
        let (name, rest) = path.split_once('/').map_or((path, None), |(name, rest)| (name, Some(rest)));
        if name.is_empty() || matches!(name, "." | "..") || name.eq_ignore_ascii_case(".git") {
            bail!("path contains a malformed path component");
        }
        let place = folder.entries.iter().position(|entry| entry.filename == name);
        let there = place.map(|place| folder.entries.remove(place));
        let new = match rest {
            None => what,
            Some(rest) => {
                let inner = there.as_ref().filter(|entry| entry.mode.is_tree()).map(|entry| entry.oid);
                if there.is_some() && inner.is_none() {
                    bail!("path {name} is a file");
                }
                let inner = self.put(inner, rest, what)?;
                (!self.tree(inner).entries.is_empty()).then(|| (tree::EntryKind::Tree.into(), inner))
            }
        };
        folder.entries.extend(new.map(|(mode, oid)| tree::Entry { mode, filename: name.into(), oid }));
        folder.entries.sort();
        Ok(self.open().write_object(&folder)?.detach())
    }
}
