//! Looking into the folders of one commit. Nothing here writes.

use std::collections::HashMap;

use gix::{
    ObjectId, Repository,
    bstr::BString,
    objs::{Tree, TreeRefIter, tree::EntryKind},
};

use super::{failure::Failure, known::ArchivePart};
use crate::{AnswerPath, EntryName};

/// The folder of answers that a new answer goes into.
pub(crate) const ANSWERS: &str = "answers";
/// The folder that settled answers are moved to.
pub(crate) const ARCHIVE: &str = "archive";

/// A file, by what is known without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Its name in its folder.
    pub name: String,
    /// The name of its bytes, in hex.
    pub id: String,
    /// How many bytes it has.
    pub size: u64,
}

/// One thing in a folder.
pub(crate) struct Entry {
    pub(crate) name: BString,
    pub(crate) kind: EntryKind,
    pub(crate) id: ObjectId,
}

/// The object that `commit` has for an answer: in `answers/`, else in the archive.
pub(crate) fn find_answer(repository: &Repository, commit: ObjectId, path: &AnswerPath) -> Result<Option<ObjectId>, Failure> {
    let root = root_of(repository, commit)?;
    match find(repository, root, &path.to_string())? {
        Some(id) => Ok(Some(id)),
        None => find_archived(repository, root, path),
    }
}

/// The object that `answers/` has for an answer.
pub(crate) fn find_live(repository: &Repository, root: ObjectId, path: &AnswerPath) -> Result<Option<ObjectId>, Failure> {
    find(repository, root, &path.to_string())
}

/// The object that the archive has for an answer.
pub(crate) fn find_archived(repository: &Repository, root: ObjectId, path: &AnswerPath) -> Result<Option<ObjectId>, Failure> {
    find(repository, root, &path.archived())
}

/// The ids of all answers that `commit` has, sorted.
pub(crate) fn list_answers(repository: &Repository, commit: ObjectId) -> Result<Vec<String>, Failure> {
    let root = root_of(repository, commit)?;
    let mut ids = Vec::new();
    for folder in entries(repository, root)? {
        if folder.kind != EntryKind::Tree {
            continue;
        }
        if folder.name == ANSWERS {
            collect_ids(repository, folder.id, &mut ids)?;
        } else if folder.name == ARCHIVE {
            for part in entries(repository, folder.id)? {
                if part.kind == EntryKind::Tree {
                    collect_ids(repository, part.id, &mut ids)?;
                }
            }
        }
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// The folders of the archive, by name.
pub(crate) type ArchiveParts = HashMap<String, ArchivePart>;

/// The ids of the answers in `answers/`, the archived ones left out, sorted.
pub(crate) fn live_answers(repository: &Repository, commit: ObjectId) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    if let Some((folder, EntryKind::Tree)) = find_entry(repository, root_of(repository, commit)?, ANSWERS)? {
        collect_ids(repository, folder, &mut ids)?;
    }
    ids.sort_unstable();
    Ok(ids)
}

/// The folders of the archive. Those that are the same as `before` are not read.
pub(crate) fn archive_parts(repository: &Repository, commit: ObjectId, before: &ArchiveParts) -> Result<ArchiveParts, Failure> {
    let Some((archive, EntryKind::Tree)) = find_entry(repository, root_of(repository, commit)?, ARCHIVE)? else {
        return Ok(ArchiveParts::new());
    };
    let mut parts = ArchiveParts::new();
    for folder in entries(repository, archive)? {
        if folder.kind != EntryKind::Tree {
            continue;
        }
        let name = folder.name.to_string();
        let part = match before.get(&name).filter(|part| part.tree == folder.id) {
            Some(part) => part.clone(),
            None => {
                let mut ids = Vec::new();
                collect_ids(repository, folder.id, &mut ids)?;
                ArchivePart::new(folder.id, &ids)
            }
        };
        parts.insert(name, part);
    }
    Ok(parts)
}

/// The names in a folder of `commit`, sorted; none when there is no such folder.
pub(crate) fn names(repository: &Repository, commit: ObjectId, folder: &str) -> Result<Vec<String>, Failure> {
    let Some(id) = find(repository, root_of(repository, commit)?, folder)? else { return Ok(Vec::new()) };
    let mut names: Vec<String> = entries(repository, id)?.into_iter().map(|entry| entry.name.to_string()).collect();
    names.sort_unstable();
    Ok(names)
}

/// The files in a folder of `commit`, sorted by name; none when there is no such folder.
pub(crate) fn files(repository: &Repository, commit: ObjectId, folder: &str) -> Result<Vec<ListedFile>, Failure> {
    let Some(id) = find(repository, root_of(repository, commit)?, folder)? else { return Ok(Vec::new()) };
    let listed = |entry: Entry| {
        let header =
            repository.find_header(entry.id).map_err(|error| Failure::from_git(&format!("look at {}", entry.name), &error))?;
        Ok(ListedFile { name: entry.name.to_string(), id: entry.id.to_string(), size: header.size() })
    };
    let is_file = |entry: &Entry| matches!(entry.kind, EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link);
    let mut files: Vec<ListedFile> =
        entries(repository, id)?.into_iter().filter(is_file).map(listed).collect::<Result<_, Failure>>()?;
    files.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// Whether nothing is at a path of two parts, and something could be: its folder is one, or is not there.
pub(crate) fn is_free(repository: &Repository, root: ObjectId, path: &str) -> Result<bool, Failure> {
    let (folder, name) = path.split_once('/').unwrap_or(("", path));
    match find_entry(repository, root, folder)? {
        None => Ok(true),
        Some((folder, EntryKind::Tree)) => Ok(find_entry(repository, folder, name)?.is_none()),
        Some(_) => Ok(false),
    }
}

/// Of these names of the decision log those that nothing has and something could.
pub(crate) fn lacking(repository: &Repository, commit: ObjectId, names: &[EntryName]) -> Result<Vec<EntryName>, Failure> {
    let root = root_of(repository, commit)?;
    let mut lacking = Vec::new();
    for name in names {
        if is_free(repository, root, &name.to_string())? {
            lacking.push(name.clone());
        }
    }
    Ok(lacking)
}

/// The file that `commit` has at a path.
pub(crate) fn file(repository: &Repository, commit: ObjectId, path: &str) -> Result<Option<Vec<u8>>, Failure> {
    find(repository, root_of(repository, commit)?, path)?.map(|id| bytes(repository, id, path)).transpose()
}

/// The bytes of a file.
pub(crate) fn bytes(repository: &Repository, id: ObjectId, path: &str) -> Result<Vec<u8>, Failure> {
    let mut object = repository.find_object(id).map_err(|error| Failure::from_git(&format!("read {path}"), &error))?;
    if object.kind != gix::objs::Kind::Blob {
        return Err(Failure::Refused(format!("{path} is not a file")));
    }
    Ok(std::mem::take(&mut object.data))
}

/// The top folder of a commit.
pub(crate) fn root_of(repository: &Repository, commit: ObjectId) -> Result<ObjectId, Failure> {
    let object = repository.find_object(commit).map_err(|error| Failure::from_git("read the head of the branch", &error))?;
    let decoded = gix::objs::CommitRefIter::from_bytes(&object.data, repository.object_hash())
        .tree_id()
        .map_err(|error| Failure::from_git(&format!("read commit {commit}"), &error))?;
    Ok(decoded)
}

/// A folder, to be changed and written again.
pub(crate) fn load(repository: &Repository, tree: ObjectId) -> Result<Tree, Failure> {
    Ok(Tree {
        entries: entries(repository, tree)?
            .into_iter()
            .map(|entry| gix::objs::tree::Entry { mode: entry.kind.into(), filename: entry.name, oid: entry.id })
            .collect(),
    })
}

fn find(repository: &Repository, root: ObjectId, path: &str) -> Result<Option<ObjectId>, Failure> {
    let mut id = root;
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        match find_entry(repository, id, part)? {
            None => return Ok(None),
            Some((found, kind)) => {
                let more = parts.peek().is_some();
                if more && kind != EntryKind::Tree {
                    return Ok(None);
                }
                id = found;
            }
        }
    }
    Ok(Some(id))
}

fn find_entry(repository: &Repository, tree: ObjectId, name: &str) -> Result<Option<(ObjectId, EntryKind)>, Failure> {
    let broken = |error: gix::Error| Failure::from_git(&format!("read the folder {tree}"), &error);
    let object = repository.find_object(tree).map_err(broken)?;
    for entry in TreeRefIter::from_bytes(&object.data, repository.object_hash()) {
        let entry = entry.map_err(broken)?;
        if entry.filename == name {
            return Ok(Some((entry.oid.to_owned(), entry.mode.kind())));
        }
    }
    Ok(None)
}

fn entries(repository: &Repository, tree: ObjectId) -> Result<Vec<Entry>, Failure> {
    let broken = |error: gix::Error| Failure::from_git(&format!("read the folder {tree}"), &error);
    let object = repository.find_object(tree).map_err(broken)?;
    TreeRefIter::from_bytes(&object.data, repository.object_hash())
        .map(|entry| {
            let entry = entry.map_err(broken)?;
            Ok(Entry { name: entry.filename.to_owned(), kind: entry.mode.kind(), id: entry.oid.to_owned() })
        })
        .collect()
}

fn collect_ids(repository: &Repository, tree: ObjectId, ids: &mut Vec<String>) -> Result<(), Failure> {
    for entry in entries(repository, tree)? {
        let path = std::str::from_utf8(&entry.name).ok().and_then(AnswerPath::from_file_name);
        ids.extend(path.map(|path| path.id().to_owned()));
    }
    Ok(())
}
