//! Changing one folder in memory, kept in git's order.

use gix::{
    ObjectId,
    objs::{Tree, tree},
};

/// The object that a folder has under a name.
pub(crate) fn find(folder: &Tree, name: &str) -> Option<ObjectId> {
    place(folder, name).map(|place| folder.entries[place].oid)
}

/// Takes what a folder has under a name out of it.
pub(crate) fn take(folder: &mut Tree, name: &str) {
    if let Some(place) = place(folder, name) {
        folder.entries.remove(place);
    }
}

fn place(folder: &Tree, name: &str) -> Option<usize> {
    // A folder sorts as if its name ended with a slash, so a name has two places.
    [tree::EntryKind::Blob, tree::EntryKind::Tree]
        .into_iter()
        .find_map(|kind| folder.entries.binary_search(&entry(name, kind, ObjectId::null(gix::hash::Kind::Sha1))).ok())
}

/// Puts an object into a folder, in the place of what it has under that name.
pub(crate) fn put(folder: &mut Tree, name: &str, kind: tree::EntryKind, id: ObjectId) {
    let new = entry(name, kind, id);
    match folder.entries.binary_search(&new) {
        Ok(place) => folder.entries[place] = new,
        Err(place) => folder.entries.insert(place, new),
    }
}

fn entry(name: &str, kind: tree::EntryKind, id: ObjectId) -> tree::Entry {
    tree::Entry { mode: kind.into(), filename: name.into(), oid: id }
}
