//! What git fetched, kept between runs in a folder of this user's own. It holds nothing that could not be fetched again, and
//! one process works in it at a time.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::Address;
use super::program::Program;
use crate::distant::Trouble;

const MAKES_WITHIN: Duration = Duration::from_secs(20);

/// A bare repository for one remote one.
pub struct Cache {
    folder: PathBuf,
}

/// A cache that nobody else works in.
pub struct Locked {
    folder: PathBuf,
    _lock: File,
}

impl Cache {
    /// The one for this address and use. Makes nothing.
    pub fn of(folder: &Path, name: &str, address: &Address) -> Self {
        let hash: String = Sha256::digest(address.shown()).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { folder: folder.join(format!("{name}-{hash}.git")) }
    }

    /// Waits until nobody works in it, and makes it when it is absent.
    ///
    /// # Errors
    /// When the folder cannot be used.
    pub fn lock(&self, program: &Program) -> Result<Locked, Trouble> {
        let wrong = |error: io::Error| {
            Trouble::Refused(format!(
                "{} cannot be used for what git fetches: {error}; set XDG_CACHE_HOME to a folder that can be written",
                self.folder.display()
            ))
        };
        let parent = self.folder.parent().unwrap_or(&self.folder);
        DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(wrong)?;
        let path = self.folder.with_extension("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(wrong)?;
        lock.lock().map_err(wrong)?;
        let locked = Locked { folder: self.folder.clone(), _lock: lock };
        if !self.folder.join("HEAD").exists() {
            locked.make(program)?;
        }
        Ok(locked)
    }
}

impl Locked {
    /// The repository.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Throws away what is there and begins anew: a process that was killed in it may have left anything.
    ///
    /// # Errors
    /// When that cannot be done.
    pub fn renew(&self, program: &Program) -> Result<(), Trouble> {
        std::fs::remove_dir_all(&self.folder)
            .map_err(|error| Trouble::Refused(format!("{} cannot be removed: {error}", self.folder.display())))?;
        self.make(program)
    }

    fn make(&self, program: &Program) -> Result<(), Trouble> {
        let parent = self.folder.parent().unwrap_or(&self.folder);
        let folder = self.folder.to_string_lossy();
        let ended = program.run(parent, &["init", "--quiet", "--bare", "--template=", "--", &folder], &[], MAKES_WITHIN)?;
        if ended.is_success { Ok(()) } else { Err(Trouble::Refused(format!("{folder} cannot be made: {}", ended.why()))) }
    }
}
