//! Where a runner's settings are, and where it keeps what it did: a folder for each file of settings, of this user's own.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::access::Access;
use super::settings::RunnerSettings;
use crate::failure::Failure;
use crate::output;
use crate::settings::Sources;

/// The two places.
pub struct Place {
    /// The settings.
    pub config: PathBuf,
    /// What is kept.
    pub state: PathBuf,
}

/// Says that a runner with these settings is here, until it is dropped.
pub struct Here {
    _lock: File,
}

impl Place {
    /// The file that was named, else the usual one.
    ///
    /// # Errors
    /// Code 1 when no home folder is known.
    pub fn of(config: Option<&Path>) -> Result<Self, Failure> {
        let sources = Sources::of_process(None)?;
        let homeless = || Failure::failed("no home folder is known: set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME");
        let config = match config {
            Some(path) => path.to_owned(),
            None => sources.folder("XDG_CONFIG_HOME", ".config").ok_or_else(homeless)?.join("pager/runner.toml"),
        };
        let config = std::path::absolute(&config).unwrap_or(config);
        let state = sources.folder("XDG_STATE_HOME", ".local/state").ok_or_else(homeless)?;
        let state = state.join("pager/runner").join(name(&config));
        Ok(Self { config, state })
    }

    /// Says so when another runner with these settings is here already.
    ///
    /// # Errors
    /// When the folder cannot be used.
    pub fn claim(&self) -> Result<Here, Failure> {
        let wrong = |error: std::io::Error| Failure::failed(format!("{} cannot be used: {error}", self.state.display()));
        let path = self.state.join("here");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path).map_err(wrong)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => output::say(
                &"another `ask run` with these settings runs on this machine; each wake goes to one of them, and both count for the limits",
            ),
            Err(TryLockError::Error(error)) => return Err(wrong(error)),
        }
        Ok(Here { _lock: lock })
    }

    /// Where the command runs: where it was said; a locked one in an empty folder; else where the runner does.
    ///
    /// # Errors
    /// When that folder cannot be made.
    pub fn folder(&self, settings: &RunnerSettings) -> Result<PathBuf, Failure> {
        match (&settings.workdir, settings.access) {
            (Some(folder), _) => Ok(folder.clone()),
            (None, Access::Locked) => {
                let empty = self.state.join("empty");
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(&empty)
                    .map_err(|error| Failure::failed(format!("{} cannot be made: {error}", empty.display())))?;
                Ok(empty)
            }
            (None, Access::Workspace | Access::Inherit) => std::env::current_dir()
                .map_err(|error| Failure::failed(format!("the current folder is not known: {error}; set workdir"))),
        }
    }
}

/// For people first, and a hash that tells files of the same name apart.
fn name(config: &Path) -> String {
    let stem: String = config.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let hash = Sha256::digest(config.as_os_str().as_encoded_bytes());
    let digits: String = hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{stem}-{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_same_name_keep_apart() {
        assert_ne!(name(Path::new("/a/runner.toml")), name(Path::new("/b/runner.toml")));
        assert!(name(Path::new("/a/runner.toml")).starts_with("runner-"));
    }
}
