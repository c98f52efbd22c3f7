//! Who may move the branch, and moving it.
//!
//! Two locks. `pager-writer.lock` is held through the kernel, among processes of this program only, and goes when
//! its holder dies. `refs/heads/<branch>.lock` is git's own and keeps `git push` away; it is a file that outlives
//! its holder, so two kinds of leftover are cleared away:
//!
//! - Ours is a hard link to `pager-next`, hence known by its inode and removed at once: whoever made it is dead, or
//!   we would not hold the first lock.
//! - Git's is waited for. Git holds it for milliseconds, so one that is older than [`ABANDONED_AFTER`], by its
//!   date or by our own watch, belongs to a program that died.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use gix::{ObjectId, Repository};
use rustix::fs::FlockOperation;

use super::{branch::Branch, failure::Failure, flush::flush_folders, random};

/// How old a lock of git's has to be to count as left behind by a program that died.
pub(super) const ABANDONED_AFTER: Duration = Duration::from_secs(5);
/// How long a lock is waited for. Longer than the above, so that one call outlasts an abandoned lock.
const WAIT: Duration = Duration::from_secs(8);

/// The right to write, among the processes of this program on this machine.
pub(super) struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Waits for the right to write.
    pub(super) fn acquire(git_folder: &Path) -> Result<Self, Failure> {
        let path = git_folder.join("pager-writer.lock");
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| Failure::from_io("open", &path, &error))?;
        let began = Instant::now();
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(rustix::io::Errno::WOULDBLOCK) if began.elapsed() < WAIT => pause(),
                Err(rustix::io::Errno::WOULDBLOCK) => {
                    return Err(Failure::Unknown(format!("another process holds {}", path.display())));
                }
                Err(error) => return Err(Failure::from_io("lock", &path, &error.into())),
            }
        }
    }
}

/// A move of the branch that is under way. Given up when dropped.
pub(super) struct BranchMove<'a> {
    repository: &'a Repository,
    branch: &'a Branch,
    next: File,
    next_path: PathBuf,
    lock: PathBuf,
}

impl<'a> BranchMove<'a> {
    /// Writes down that the branch is to move to `to`. Whoever goes on has to flush [`BranchMove::file`] first.
    ///
    /// `_right` shows that no other process of this program is at it.
    pub(super) fn prepare(
        repository: &'a Repository,
        branch: &'a Branch,
        to: ObjectId,
        _right: &WriterLock,
    ) -> Result<Self, Failure> {
        let next_path = repository.git_dir().join("pager-next");
        let mut lock = branch.file(repository.git_dir()).into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        remove_own_leftover(&next_path, &lock)
            .map_err(|error| Failure::from_io("clear away what a crash left of", &next_path, &error))?;
        let failed = |error: io::Error| Failure::from_io("write", &next_path, &error);
        let next = File::create_new(&next_path).map_err(failed)?;
        let mut prepared = Self { repository, branch, next, next_path: next_path.clone(), lock };
        writeln!(prepared.next, "{to}").map_err(failed)?;
        Ok(prepared)
    }

    /// The file that becomes the branch's. It is whole and flushed before it does, so that a loss of power can
    /// never leave the branch as an empty file.
    pub(super) fn file(&self) -> (&File, &Path) {
        (&self.next, &self.next_path)
    }

    /// Locks the branch against git, waiting for whoever holds it.
    pub(super) fn lock(self) -> Result<LockedBranch<'a>, Failure> {
        self.wait()?;
        Ok(LockedBranch { moving: self })
    }

    fn wait(&self) -> Result<(), Failure> {
        let began = Instant::now();
        let mut watched: Option<(u64, Instant)> = None;
        loop {
            let error = match fs::hard_link(&self.next_path, &self.lock) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            match error.kind() {
                io::ErrorKind::AlreadyExists => {}
                // A branch with slashes, whose folder git has removed since the branch is packed.
                io::ErrorKind::NotFound if began.elapsed() < WAIT => {
                    self.make_folder()?;
                    pause();
                    continue;
                }
                _ => return Err(Failure::from_io("lock the branch with", &self.lock, &error)),
            }
            if began.elapsed() > WAIT {
                return Err(Failure::Unknown(format!("another program holds {}", self.lock.display())));
            }
            if let Ok(found) = fs::symlink_metadata(&self.lock) {
                let since = match watched {
                    Some((inode, since)) if inode == found.ino() => since,
                    _ => watched.insert((found.ino(), Instant::now())).1,
                };
                let age = found.modified().ok().and_then(|date| date.elapsed().ok()).unwrap_or_default();
                if age.max(since.elapsed()) > ABANDONED_AFTER {
                    self.break_abandoned(found.ino())?;
                    continue;
                }
            }
            pause();
        }
    }

    /// Takes the lock away under another name first: its holder may have come back, and another may hold it.
    fn break_abandoned(&self, inode: u64) -> Result<(), Failure> {
        let aside = self.repository.git_dir().join(format!("pager-abandoned-{:016x}", random()));
        match fs::rename(&self.lock, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Failure::from_io("remove the abandoned lock", &self.lock, &error)),
            Ok(()) => {}
        }
        if fs::symlink_metadata(&aside).is_ok_and(|moved| moved.ino() == inode) {
            tracing::warn!(lock = %self.lock.display(), "removed a lock that another program had left behind");
        } else {
            let _ = fs::hard_link(&aside, &self.lock);
        }
        fs::remove_file(&aside).map_err(|error| Failure::from_io("remove", &aside, &error))
    }

    fn make_folder(&self) -> Result<(), Failure> {
        let heads = self.repository.git_dir().join("refs/heads");
        // Only below `refs/heads`: a repository that is gone must not come back as a few empty folders.
        heads.symlink_metadata().map_err(|error| Failure::from_io("find", &heads, &error))?;
        let folder = self.lock.parent().unwrap_or(&heads);
        fs::create_dir_all(folder).map_err(|error| Failure::from_io("make", folder, &error))?;
        flush_folders(folder.ancestors().skip(1).take_while(|above| above.starts_with(&heads)))
    }
}

impl Drop for BranchMove<'_> {
    fn drop(&mut self) {
        // The lock goes first: without `pager-next` it could not be told from a foreign one.
        let _ = remove_own_leftover(&self.next_path, &self.lock);
    }
}

/// The branch, locked against git. Unlocked when dropped.
pub(super) struct LockedBranch<'a> {
    moving: BranchMove<'a>,
}

impl LockedBranch<'_> {
    /// Moves the branch when it still stands at `expected`, and flushes its name.
    pub(super) fn advance(self, expected: Option<ObjectId>) -> Result<(), Failure> {
        let BranchMove { repository, branch, ref lock, .. } = self.moving;
        if branch.head(repository)? != expected {
            return Err(Failure::HeadMoved);
        }
        let file = branch.file(repository.git_dir());
        if let Err(error) = fs::rename(lock, &file) {
            let words = format!("cannot write {}: {error}", file.display());
            return match branch.head(repository) {
                Ok(head) if head == expected => Err(Failure::Refused(words)),
                _ => Err(Failure::Unknown(words)),
            };
        }
        // The branch has moved, so what fails from here on leaves it open whether that lasts.
        flush_folders(file.parent()).map_err(|failure| Failure::Unknown(failure.reason()))
    }
}

/// Flushes where the branch stands. What fails here leaves the move undecided.
pub(super) fn flush_branch(repository: &Repository, branch: &Branch) -> Result<(), Failure> {
    let file = branch.file(repository.git_dir());
    match File::open(&file).and_then(|opened| opened.sync_all()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Failure::Unknown(format!("cannot flush {}: {error}", file.display())));
        }
        // Absent when packed: git flushes the packed file itself.
        _ => {}
    }
    flush_folders(file.parent().filter(|folder| folder.is_dir())).map_err(|failure| Failure::Unknown(failure.reason()))
}

/// A moment, different each time, so that two who wait do not keep meeting.
pub(super) fn pause() {
    std::thread::sleep(Duration::from_micros(500 + random() % 4_500));
}

fn remove_own_leftover(next: &Path, lock: &Path) -> io::Result<()> {
    let inode = |path: &Path| fs::symlink_metadata(path).map(|found| (found.dev(), found.ino())).ok();
    let Some(ours) = inode(next) else { return Ok(()) };
    if inode(lock) == Some(ours) {
        fs::remove_file(lock)?;
    }
    fs::remove_file(next)
}
