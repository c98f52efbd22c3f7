//! Writes loose objects so that they outlast a loss of power.
//!
//! An object is written under a temporary name, flushed, and only then given its own name: a half-written object
//! under its own name would be taken for a whole one by the next attempt. The branch may move only after `publish`.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use gix::{
    ObjectId,
    objs::{Kind, WriteTo},
    zlib::{Compression, stream::deflate},
};

use super::{
    failure::Failure,
    flush::{flush_all, flush_folders},
    random,
};

/// From so many bytes on a folder is large: about 350 answers.
const LARGE_FOLDER: usize = 16 * 1024;
/// The most files kept open for the flush, so that a large batch cannot use up what a process may have open.
const MOST_OPEN: usize = 64;

/// Objects on their way into the repository. What was not published is removed when this is dropped; after a crash
/// the temporary files stay, which harms nobody: git ignores them and `git gc` removes them.
pub(crate) struct Objects {
    folder: PathBuf,
    staged: Vec<Staged>,
    unflushed: Vec<(File, PathBuf)>,
}

struct Staged {
    temporary: PathBuf,
    target: PathBuf,
}

impl Objects {
    /// Objects for the repository whose objects lie in `folder`.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, staged: Vec::new(), unflushed: Vec::new() }
    }

    /// Writes a folder or a commit under a temporary name.
    pub(crate) fn add(&mut self, object: &dyn WriteTo) -> Result<ObjectId, Failure> {
        let mut bytes = Vec::new();
        object
            .write_to(&mut bytes)
            .map_err(|error| Failure::Refused(format!("cannot put the {} together: {error}", object.kind())))?;
        self.add_bytes(object.kind(), &bytes)
    }

    /// Writes an object under a temporary name.
    ///
    /// It is written even when the repository has it: that costs little, and repairs one that a crash has broken.
    pub(crate) fn add_bytes(&mut self, kind: Kind, bytes: &[u8]) -> Result<ObjectId, Failure> {
        let id = hash(kind, bytes)?;
        let name = id.to_hex().to_string();
        let folder = self.folder.join(&name[..2]);
        let target = folder.join(&name[2..]);
        let temporary = folder.join(format!("tmp_obj_{:016x}", random()));
        let failed = |error: io::Error| Failure::from_io("write", &temporary, &error);
        let file = create(&folder, &temporary).map_err(failed)?;
        self.staged.push(Staged { temporary: temporary.clone(), target });
        let mut packed = deflate::Write::new(&file, compression(kind, bytes.len()));
        packed
            .write_all(&gix::objs::encode::loose_header(kind, bytes.len() as u64))
            .and_then(|()| packed.write_all(bytes))
            .and_then(|()| packed.flush())
            .map_err(failed)?;
        if self.unflushed.len() == MOST_OPEN {
            self.flush(None)?;
        }
        self.unflushed.push((file, temporary));
        Ok(id)
    }

    /// Flushes the objects and, if there is one, an `other` file, gives the objects their names and flushes those.
    pub(crate) fn publish(mut self, other: Option<(&File, &Path)>) -> Result<(), Failure> {
        self.flush(other)?;
        let mut folders = BTreeSet::new();
        for staged in std::mem::take(&mut self.staged) {
            if let Err(error) = fs::rename(&staged.temporary, &staged.target) {
                let _ = fs::remove_file(&staged.temporary);
                return Err(Failure::from_io("write", &staged.target, &error));
            }
            folders.extend(staged.target.parent().map(Path::to_owned));
        }
        // A name is in its folder for good only once the folder is flushed, and the folder in the one above it.
        folders.insert(self.folder.clone());
        flush_folders(folders.iter().map(PathBuf::as_path))
    }

    fn flush(&mut self, other: Option<(&File, &Path)>) -> Result<(), Failure> {
        let unflushed = std::mem::take(&mut self.unflushed);
        let files = unflushed.iter().map(|(file, path)| (file, path.as_path()));
        flush_all(&files.chain(other).collect::<Vec<_>>())
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        for staged in &self.staged {
            let _ = fs::remove_file(&staged.temporary);
        }
    }
}

/// A large folder is mostly names of objects, which hardly shrink, and is written anew with each answer: packing it would
/// cost more than all the rest that grows with it. `git gc` packs it.
fn compression(kind: Kind, bytes: usize) -> Compression {
    if kind == Kind::Tree && bytes > LARGE_FOLDER { Compression::NONE } else { Compression::BEST_SPEED }
}

/// The id that git gives to these bytes.
pub(crate) fn hash(kind: Kind, bytes: &[u8]) -> Result<ObjectId, Failure> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, bytes).map_err(|error| Failure::from_git("name the object", &error))
}

fn create(folder: &Path, file: &Path) -> io::Result<File> {
    // Read-only for everybody, as git's own objects are.
    let open = || OpenOptions::new().write(true).create_new(true).mode(0o444).open(file);
    match open() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            open()
        }
        other => other,
    }
}
