//! The data folder, the room on its disk, and the key file. Nothing is made but a probe that goes at once.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Report;
use crate::commands::key;
use crate::configuration::General;

/// What the probe writes: more than a save needs.
static PROBE: [u8; 64 * 1024] = [0; 64 * 1024];
/// Below this much room somebody should know.
const LITTLE_ROOM: u64 = 100 * 1024 * 1024;

/// Looks at the folder, its disk and the key.
pub(super) fn check(general: &General, has_store: bool, report: &mut Report) {
    let folder = &general.data_dir;
    if folder.exists() {
        data_folder(folder, report)
    } else {
        absent(folder, report)
    }
    key_file(&general.key_file, has_store, report);
}

fn data_folder(folder: &Path, report: &mut Report) {
    match probe(folder) {
        Ok(()) => report.ok("data folder", format!("{} can be written to", folder.display())),
        Err(error) if is_full(&error) => report.fail(
            "data folder",
            format!("{} has no room left on its disk ({error})", folder.display()),
            "free some room there; nothing that was acknowledged is lost meanwhile",
        ),
        Err(error) => report.fail(
            "data folder",
            format!("{} cannot be written to: {error}", folder.display()),
            "give this user the right to write there, or set another data_dir",
        ),
    }
    if let Ok(disk) = rustix::fs::statvfs(folder) {
        let room = disk.f_bavail.saturating_mul(disk.f_frsize);
        if room > 0 && room < LITTLE_ROOM {
            report.warn("disk", format!("{} MB are left in {}", room >> 20, folder.display()), "free some room there soon");
        }
    }
}

fn absent(folder: &Path, report: &mut Report) {
    match folder.ancestors().find(|parent| parent.exists()) {
        Some(parent) if parent.is_dir() && probe(parent).is_ok() => {
            report.ok("data folder", format!("{} is not there yet; the first start makes it", folder.display()));
        }
        _ => report.fail(
            "data folder",
            format!("{} is not there and cannot be made", folder.display()),
            "make it and give it to this user, or set another data_dir",
        ),
    }
}

/// Writes and flushes a file that has no name any more when this returns.
fn probe(folder: &Path) -> std::io::Result<()> {
    let path: PathBuf = folder.join(format!(".pager-doctor-{}", std::process::id()));
    let written = File::create_new(&path).and_then(|mut file| file.write_all(&PROBE).and_then(|()| file.sync_all()));
    let _ = std::fs::remove_file(&path);
    written
}

/// Is it for want of room that this failed?
fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

fn key_file(path: &Path, has_store: bool, report: &mut Report) {
    let place = path.display();
    let mode = match path.metadata() {
        Ok(file) => file.permissions().mode() & 0o777,
        Err(error) if error.kind() == ErrorKind::NotFound && has_store => {
            return report.warn(
                "key",
                format!("{place} is gone, though there is a store"),
                "put it back from a backup; else the next start makes a new one, and whoever verifies needs that one too",
            );
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return report.ok("key", format!("{place} is not there yet; the first start makes it"));
        }
        Err(error) => {
            return report.fail("key", format!("{place} cannot be looked at: {error}"), "give this user the right to read it");
        }
    };
    match key::read(path) {
        Err(error) => report.fail("key", format!("{error:#}"), "put the right file there from a backup, or correct key_file"),
        Ok(_) if mode & 0o077 != 0 => {
            report.fail("key", format!("{place} can be read by others (mode {mode:03o})"), format!("chmod 600 {place}"));
        }
        Ok(_) => report.ok("key", format!("{place} is there, for its user alone")),
    }
}
