//! What one commit of the branch has: the ids in `answers/` and in the archive, each with the name of its bytes.
//! Folders are shared between one commit and the next, so that a change costs what changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use gix::ObjectId;

use crate::AnswerPath;

/// The answers at one commit.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) commit: ObjectId,
    /// Its top folder.
    pub(super) root: ObjectId,
    pub(super) answers: Folder,
    pub(super) archive: Archive,
}

/// A folder with answers in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    /// Its own name in git; None when there is no such folder, or when our own commits have changed it since.
    pub(super) tree: Option<ObjectId>,
    /// By id.
    pub(super) files: Arc<BTreeMap<String, ObjectId>>,
}

/// The folders of the archive, by the two digits.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    pub(super) tree: Option<ObjectId>,
    pub(super) parts: BTreeMap<String, Folder>,
}

/// What has an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The name of the bytes.
    pub(super) blob: ObjectId,
}

impl Folder {
    /// A folder as it was read: `name` and object of each entry.
    pub(super) fn read(tree: ObjectId, entries: impl IntoIterator<Item = (String, ObjectId)>) -> Self {
        let files = entries.into_iter().filter_map(|(name, blob)| {
            let path = AnswerPath::from_file_name(&name)?;
            Some((path.id().to_owned(), blob))
        });
        Self { tree: Some(tree), files: Arc::new(files.collect()) }
    }

    fn put(&mut self, id: &str, blob: ObjectId) {
        self.tree = None;
        Arc::make_mut(&mut self.files).insert(id.to_owned(), blob);
    }

    fn take(&mut self, id: &str) {
        self.tree = None;
        Arc::make_mut(&mut self.files).remove(id);
    }
}

impl Contents {
    /// What has this id: in `answers/`, else in the archive.
    pub(super) fn find(&self, path: &AnswerPath) -> Option<Place> {
        let live = self.answers.files.get(path.id()).copied();
        live.or_else(|| self.archived(path)).map(|blob| Place { blob })
    }

    /// What the archive has for an id.
    pub(super) fn archived(&self, path: &AnswerPath) -> Option<ObjectId> {
        self.archive.parts.get(&path.archive_part())?.files.get(path.id()).copied()
    }

    /// What it has after these answers were added by one commit of ours.
    pub(super) fn with(&self, commit: ObjectId, root: ObjectId, added: &[(AnswerPath, ObjectId)]) -> Self {
        let mut after = Self { commit, root, ..self.clone() };
        for (path, blob) in added {
            after.answers.put(path.id(), *blob);
        }
        after
    }

    /// What it has after these answers were moved to the archive by one commit of ours.
    pub(super) fn with_archived(&self, commit: ObjectId, root: ObjectId, moved: &[(AnswerPath, ObjectId)]) -> Self {
        let mut after = Self { commit, root, ..self.clone() };
        for (path, blob) in moved {
            after.answers.take(path.id());
            after.archive.tree = None;
            after.archive.parts.entry(path.archive_part()).or_default().put(path.id(), *blob);
        }
        after
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    fn name(digit: char) -> ObjectId {
        ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap()
    }

    #[test]
    fn an_answer_is_found_where_it_lies_and_where_it_was_moved_to() {
        let (path, other) = (AnswerPath::new("rel-42").unwrap(), AnswerPath::new("rel-43").unwrap());
        let answers = Folder::read(name('2'), [("README.md".to_owned(), name('3'))]);
        let empty = Contents { commit: name('0'), root: name('1'), answers, archive: Archive::default() };
        assert_eq!(empty.find(&path), None);
        let added = [(path.clone(), name('a')), (other.clone(), name('b'))];
        let saved = empty.with(name('4'), name('5'), &added);
        assert_eq!(saved.find(&path), Some(Place { blob: name('a') }));
        assert_eq!((saved.answers.tree, empty.answers.files.len()), (None, 0), "the old one stays as it was");
        let moved = saved.with_archived(name('6'), name('7'), &added[..1]);
        assert_eq!((moved.find(&path), moved.archived(&path)), (Some(Place { blob: name('a') }), Some(name('a'))));
        assert_eq!(moved.answers.files.keys().collect::<Vec<_>>(), ["rel-43"]);
    }
}
