//! One service a store: a lock file beside it that names the process which holds it. The system lets go of the lock
//! when that process ends, however it ends.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::open::OpenError;

/// Held for as long as the service has the store.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the store at `path`.
    ///
    /// # Errors
    /// [`OpenError::InUse`] with the holder's process id.
    pub fn take(path: &Path) -> Result<Self, OpenError> {
        let beside = beside(path);
        let io = |error: std::io::Error| OpenError::Unreachable { path: beside.clone(), reason: error.to_string() };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&beside).map_err(io)?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            let mut holder = String::new();
            file.read_to_string(&mut holder).map_err(io)?;
            return Err(OpenError::InUse { path: path.to_owned(), process: holder.trim().to_owned() });
        }
        file.set_len(0).map_err(io)?;
        file.rewind().map_err(io)?;
        write!(file, "{}", std::process::id()).map_err(io)?;
        Ok(Self { _file: file })
    }

    /// The process that holds the lock of the store at `path`; None when nobody does.
    pub fn holder(path: &Path) -> Option<String> {
        let mut file = File::open(beside(path)).ok()?;
        flock(&file, FlockOperation::NonBlockingLockShared).err()?;
        let mut holder = String::new();
        file.read_to_string(&mut holder).ok()?;
        Some(holder.trim().to_owned())
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
