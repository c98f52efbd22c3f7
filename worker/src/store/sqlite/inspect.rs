//! Looks at a file before anything is written into it: only a whole store of this program may be opened. SQLite by
//! itself begins anew in a file that was cut short, and adds its tables to another program's.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sqlx::SqliteConnection;

use super::open::{OpenError, classify};

/// Above this size the whole-file check at start would delay it noticeably; SQLite still checks each page it reads.
const CHECKED_WHOLE_BYTES: u64 = 16 * 1024 * 1024;
/// What each SQLite file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The smallest page there is, and so the smallest file.
const LEAST_BYTES: u64 = 512;

/// The size of the file at `path`, when there is one and it begins and ends as a SQLite file does.
pub(super) fn file(path: &Path) -> Result<Option<u64>, OpenError> {
    let Ok(mut file) = File::open(path) else { return Ok(None) };
    let told = |error: std::io::Error| OpenError::Unreachable { path: path.to_owned(), reason: error.to_string() };
    let size = file.metadata().map_err(told)?.len();
    if size == 0 {
        return Err(corrupt(path, "the file is empty"));
    }
    if size < LEAST_BYTES {
        return Err(corrupt(path, &format!("the file has only {size} bytes")));
    }
    let mut header = [0; 18];
    file.read_exact(&mut header).map_err(told)?;
    if !header.starts_with(MAGIC) {
        return Err(corrupt(path, "the file is not a database"));
    }
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        page => u64::from(page),
    };
    if page < LEAST_BYTES || (size % page != 0 && !has_log(path)) {
        return Err(corrupt(path, "the file's last page is cut off"));
    }
    Ok(Some(size))
}

/// Refuses what is damaged inside, and what another program keeps in this file.
pub(super) async fn contents(path: &Path, size: u64, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let told = |error: sqlx::Error| classify(path, &error);
    if size <= CHECKED_WHOLE_BYTES {
        let verdict: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut *connection).await.map_err(told)?;
        if verdict != "ok" {
            return Err(corrupt(path, &verdict));
        }
    }
    // No table at all is a store whose first start was cut short, before it had a log.
    let tables = "SELECT count(*), count(*) FILTER (WHERE name = '_sqlx_migrations') FROM sqlite_master WHERE type = 'table'";
    let (all, ours): (i64, i64) = sqlx::query_as(tables).fetch_one(connection).await.map_err(told)?;
    if all == 0 && has_log_mode(path) {
        return Err(corrupt(path, "its write-ahead log, the file beside it that ends in -wal, is missing"));
    }
    if all > 0 && ours == 0 { Err(corrupt(path, "it is another program's database")) } else { Ok(()) }
}

/// Does the file say that its newest pages may be in a write-ahead log?
fn has_log_mode(path: &Path) -> bool {
    let mut header = [0; 20];
    File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok_and(|()| header[18] == 2)
}

/// Is there a write-ahead log with something in it? It then holds the pages whose copying was cut short.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

fn corrupt(path: &Path, reason: &str) -> OpenError {
    OpenError::Corrupt { path: path.to_owned(), reason: reason.to_owned() }
}
