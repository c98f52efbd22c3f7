//! The folder of a private clone: made whole beside its place and moved there, thrown away when it is broken. What was
//! seen last is a ref, written by rename, so that no lock of a git that died can stand in the way.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use gix::{ObjectId, ThreadSafeRepository};
use sha2::{Digest, Sha256};

use super::{CommitId, PrivateClone};
use crate::{
    git::{GitFailure, GitRemote},
    objects::{failure::Failure, random},
};

/// The ref of the head that was seen last. It also tells git what need not be fetched again.
const SEEN: &str = "refs/pager/seen";
/// What crashes left behind is cleared away when it is older than any call.
const LEFT_BEHIND_AFTER: Duration = Duration::from_secs(24 * 3600);

/// The name of the clone's folder: for people the last part of the address, and what tells one remote and branch from all others.
pub(super) fn name(remote: &GitRemote, branch: &str) -> String {
    let digest = Sha256::digest(format!("{}\n{branch}", remote.address()).as_bytes());
    let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let last = remote.address().trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
    let plain: String = last.trim_end_matches(".git").chars().filter(|letter| letter.is_ascii_alphanumeric()).take(40).collect();
    format!("{plain}-{digest}.git")
}

impl PrivateClone {
    /// The clone, made when absent.
    pub(super) fn repository(&self) -> Result<ThreadSafeRepository, GitFailure> {
        let mut state = self.state();
        if let Some(repository) = state.repository.as_ref().filter(|_| self.folder.join("HEAD").exists()) {
            return Ok(repository.clone());
        }
        state.repository = None;
        let opened = match self.opened() {
            Ok(opened) => opened,
            Err(_) => {
                throw_away(&self.folder)?;
                self.make()?;
                self.opened().map_err(GitFailure::from)?
            }
        };
        self.clear_leftovers();
        state.seen = seen(&opened);
        state.repository = Some(opened.clone());
        Ok(opened)
    }

    /// Throws the clone away and begins a new one.
    pub(super) fn renew(&self) -> Result<(), GitFailure> {
        let mut state = self.state();
        state.repository = None;
        state.seen = None;
        state.is_damaged = false;
        drop(state);
        throw_away(&self.folder)?;
        self.repository().map(drop)
    }

    /// Whether something in the clone could not be read; the next fetch makes it anew.
    pub(crate) fn is_damaged(&self) -> bool {
        self.state().is_damaged
    }

    pub(super) fn damaged(&self) {
        self.state().is_damaged = true;
    }

    /// The commit that the last fetch brought.
    pub(super) fn landed(&self) -> Result<CommitId, GitFailure> {
        let repository = self.repository()?.to_thread_local();
        let found = repository.refs.try_find(self.landing.as_str()).ok().flatten();
        let id = found.and_then(|found| found.target.try_into_id().ok());
        id.map(CommitId).ok_or_else(|| GitFailure::Unknown("git fetched and brought nothing".to_owned()))
    }

    /// Writes down where the branch stood.
    pub(super) fn saw(&self, head: Option<CommitId>) -> Result<(), GitFailure> {
        self.state().seen = head;
        let file = self.folder.join(SEEN);
        let written = match head {
            Some(head) => fs::create_dir_all(file.parent().unwrap_or(&self.folder)).and_then(|()| {
                let next = file.with_file_name(format!("next-{:016x}", random()));
                fs::write(&next, format!("{head}\n")).and_then(|()| fs::rename(&next, &file))
            }),
            None => Ok(()),
        };
        written.map_err(|error| GitFailure::from(Failure::from_io("write", &file, &error)))
    }

    fn opened(&self) -> Result<ThreadSafeRepository, Failure> {
        gix::open::Options::isolated()
            .open_path_as_is(true)
            .open(self.folder.as_path())
            .map_err(|error| Failure::from_git("read the private clone", &error))
    }

    fn make(&self) -> Result<(), GitFailure> {
        let failed = |error: &io::Error| GitFailure::from(Failure::from_io("make", &self.folder, error));
        let beside = self.beside("new");
        let made = gix::create::into(&beside, gix::create::Kind::Bare, gix::create::Options::default())
            .map_err(|error| GitFailure::from(Failure::from_git("make a private clone", &error)))
            .and_then(|_| match fs::rename(&beside, &self.folder) {
                // Another process was faster: its clone is as good.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
                moved => moved.map_err(|error| failed(&error)),
            });
        let _ = fs::remove_dir_all(&beside);
        made
    }

    fn beside(&self, what: &str) -> PathBuf {
        let mut name = self.folder.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{what}-{:016x}", random()));
        self.folder.with_file_name(name)
    }

    /// What processes that died left in the clone and beside it.
    fn clear_leftovers(&self) {
        let own = self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let beside = self.folder.parent().map(Path::to_owned).unwrap_or_default();
        for (folder, prefix) in [
            (self.folder.join("refs/pager"), "landing-"),
            (self.folder.join("refs/pager"), "next-"),
            (beside, &format!("{own}.")),
        ] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let changed = entry.metadata().and_then(|found| found.modified()).unwrap_or_else(|_| SystemTime::now());
                let is_old = changed.elapsed().is_ok_and(|age| age > LEFT_BEHIND_AFTER);
                if is_old && entry.file_name().to_string_lossy().starts_with(prefix) {
                    let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
                }
            }
        }
        // Nobody but git's own tidying packs refs here, and it never takes this long.
        for lock in ["packed-refs.lock", "gc.pid.lock", "config.lock", "shallow.lock", "HEAD.lock"] {
            let lock = self.folder.join(lock);
            let age = lock.metadata().and_then(|found| found.modified()).ok().and_then(|changed| changed.elapsed().ok());
            if age.is_some_and(|age| age > LEFT_BEHIND_AFTER) {
                let _ = fs::remove_file(lock);
            }
        }
    }
}

/// The head that was written down last. One that cannot be read was not seen.
fn seen(repository: &ThreadSafeRepository) -> Option<CommitId> {
    let repository = repository.to_thread_local();
    let found = repository.refs.try_find(SEEN).ok()??;
    let id: ObjectId = found.target.try_into_id().ok()?;
    repository.find_object(id).is_ok().then_some(CommitId(id))
}

fn throw_away(folder: &Path) -> Result<(), GitFailure> {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(format!(".gone-{:016x}", random()));
    let aside = folder.with_file_name(name);
    match fs::rename(folder, &aside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::from_io("throw away", folder, &error).into()),
        Ok(()) => {}
    }
    // What cannot be removed this time is removed later.
    let _ = fs::remove_dir_all(&aside).or_else(|_| fs::remove_file(&aside));
    Ok(())
}
