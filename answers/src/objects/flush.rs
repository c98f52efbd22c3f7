//! Makes writes outlast a loss of power, several at a time.
//!
//! Each flush waits for the disk. A journalling file system answers all those that wait at the same moment with
//! one write of its journal, so flushing side by side costs a fraction of flushing one after the other.

use std::{fs::File, io, path::Path, thread};

use super::failure::Failure;

/// The most flushes under way at once.
const SIDE_BY_SIDE: usize = 8;

/// Flushes files, or folders (which makes the names in them last). The order among them is left open.
pub(crate) fn flush_all<'a>(files: &[(&'a File, &'a Path)]) -> Result<(), Failure> {
    for group in files.chunks(SIDE_BY_SIDE) {
        let Some((&first, others)) = group.split_first() else { continue };
        thread::scope(|scope| {
            let others: Vec<_> = others
                .iter()
                .map(|&other| thread::Builder::new().spawn_scoped(scope, move || flush(other)).map_err(|_| other))
                .collect();
            let mut result = flush(first);
            for other in others {
                let flushed = match other {
                    Ok(thread) => thread
                        .join()
                        .unwrap_or_else(|_| Err(Failure::Unknown("a flushing thread ended before its time".to_owned()))),
                    // No thread to be had: then here.
                    Err(other) => flush(other),
                };
                result = result.and(flushed);
            }
            result
        })?;
    }
    Ok(())
}

/// Flushes the names in folders.
pub(crate) fn flush_folders<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    let folders: Vec<&Path> = folders.into_iter().collect();
    for group in folders.chunks(SIDE_BY_SIDE) {
        let open = |folder: &&Path| File::open(folder).map_err(|error| Failure::from_io("open", folder, &error));
        let opened = group.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        flush_all(&opened.iter().zip(group.iter().copied()).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn flush((file, path): (&File, &Path)) -> Result<(), Failure> {
    file.sync_all().map_err(|error: io::Error| Failure::from_io("flush", path, &error))
}
