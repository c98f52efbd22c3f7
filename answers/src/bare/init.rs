//! Opens the bare repository, makes it when absent, and begins the branch when there is none.
//! Never touches a folder that holds something else.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use gix::{
    Repository, ThreadSafeRepository,
    objs::{Kind, Tree, tree},
};

use super::{
    branch::Branch,
    failure::Failure,
    flush::flush_folders,
    lock::{BranchMove, WriterLock},
    object::Objects,
    random,
};
use crate::OpenError;
use crate::objects::commit::{README, commit};

/// Opens the repository at `path`, with `branch` ready to be written to.
pub(super) fn open_or_make(path: &Path, branch: &Branch) -> Result<ThreadSafeRepository, OpenError> {
    let system = |error: io::Error| OpenError::System { path: path.to_owned(), reason: error.to_string() };
    let absent = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(OpenError::NotARepository { path: path.to_owned() });
        }
        Err(error) => return Err(system(error)),
    };
    if absent {
        make(path, branch)?;
    }
    let repository = open(path)?;
    begin_branch(&repository.to_thread_local(), branch)
        .map_err(|failure| OpenError::NotWritable { path: path.to_owned(), reason: failure.reason() })?;
    Ok(repository)
}

fn open(path: &Path) -> Result<ThreadSafeRepository, OpenError> {
    let path = path.to_owned();
    if path.join(".git").symlink_metadata().is_ok() {
        return Err(OpenError::NotBare { path });
    }
    if !path.join("HEAD").is_file() || !path.join("objects").is_dir() {
        return Err(OpenError::NotARepository { path });
    }
    // Isolated: the settings and the environment of whoever runs the service have no say in how answers are kept.
    let opened = match gix::open::Options::isolated().open_path_as_is(true).open(path.as_path()) {
        Ok(opened) => opened,
        Err(error) => {
            let reason = Failure::from_git("read the repository", &error).reason();
            return Err(OpenError::Format { path, reason });
        }
    };
    let repository = opened.to_thread_local();
    if !repository.is_bare() {
        return Err(OpenError::NotBare { path });
    }
    match repository.config_snapshot().string("extensions.refStorage") {
        Some(format) if format != "files" => {
            Err(OpenError::Format { path, reason: format!("it keeps its branches as {format}") })
        }
        _ => Ok(opened),
    }
}

/// Makes the repository beside its place and moves it there whole, so that a crash leaves no half-made one behind.
fn make(path: &Path, branch: &Branch) -> Result<(), OpenError> {
    let failed = |reason: String| OpenError::System { path: path.to_owned(), reason };
    let system = |error: io::Error| failed(error.to_string());
    let path = std::path::absolute(path).map_err(system)?;
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(OpenError::NotARepository { path });
    };
    fs::create_dir_all(parent).map_err(system)?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".new-{:016x}", random()));
    let beside = parent.join(beside);
    let made = gix::create::into(&beside, gix::create::Kind::Bare, gix::create::Options::default())
        .map_err(|error| failed(Failure::from_git("make the repository", &error).reason()))
        .and_then(|_| point_head(&beside, branch).map_err(system))
        .and_then(|()| flush_tree(&beside).map_err(system))
        .and_then(|()| match fs::rename(&beside, &path) {
            // Another process was faster: its repository is as good.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            other => other.map_err(system),
        })
        .and_then(|()| flush_folders([parent]).map_err(|failure| failed(failure.reason())));
    // Gone already when all went well.
    let _ = fs::remove_dir_all(&beside);
    made
}

/// Begins the branch with a commit that explains the repository, unless it exists.
fn begin_branch(repository: &Repository, branch: &Branch) -> Result<(), Failure> {
    let right = WriterLock::acquire(repository.git_dir())?;
    if branch.head(repository)?.is_some() {
        return Ok(());
    }
    let mut objects = Objects::new(repository.objects.store_ref().path().to_owned());
    let readme = objects.add_bytes(Kind::Blob, README.as_bytes())?;
    let root = objects.add(&Tree {
        entries: vec![tree::Entry { mode: tree::EntryKind::Blob.into(), filename: "README.md".into(), oid: readme }],
    })?;
    let first = objects.add(&commit(root, None, "begin to keep answers\n".to_owned()))?;
    let moving = BranchMove::prepare(repository, branch, first, &right)?;
    objects.publish(Some(moving.file()))?;
    match moving.lock()?.advance(None) {
        // Somebody pushed the branch this very moment: theirs it is.
        Err(Failure::HeadMoved) => {}
        other => other?,
    }
    // A repository whose HEAD names no existing branch looks empty to whoever clones it.
    let unborn = repository.head().is_ok_and(|head| head.is_unborn());
    if unborn {
        let git_folder = repository.git_dir();
        point_head(git_folder, branch).map_err(|error| Failure::from_io("write HEAD in", git_folder, &error))?;
        flush_folders([git_folder])?;
    }
    Ok(())
}

fn point_head(git_folder: &Path, branch: &Branch) -> io::Result<()> {
    let next = git_folder.join(format!("pager-head-{:016x}", random()));
    let mut file = File::create_new(&next)?;
    writeln!(file, "ref: {}", branch.full_name())?;
    file.sync_all()?;
    fs::rename(next, git_folder.join("HEAD"))
}

fn flush_tree(folder: &Path) -> io::Result<()> {
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                File::open(entry.path())?.sync_all()?;
            }
        }
        File::open(&folder)?.sync_all()?;
    }
    Ok(())
}
