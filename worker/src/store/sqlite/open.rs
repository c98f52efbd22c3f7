//! Opening the file: what is corrupt, newer or not a store stops the start. It never begins empty in its place.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqlitePool};

use super::migrate;

/// Above this size the whole-file check at start would delay it noticeably; SQLite still checks each page it reads.
const CHECKED_WHOLE_BYTES: u64 = 16 * 1024 * 1024;

/// Why the store cannot be opened. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another service has it.
    #[error("the store {} is in use by process {process}; stop that pagerd first, or set another data_dir", path.display())]
    InUse {
        /// The store.
        path: PathBuf,
        /// The other's process id.
        process: String,
    },
    /// It is damaged, or something else altogether.
    #[error("the store {} is corrupt ({reason}); nothing was changed. Restore it from a backup, or move it away to begin a new one", path.display())]
    Corrupt {
        /// The store.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// A later version of pagerd wrote it.
    #[error("the store {} was written by a newer pagerd (schema {found}, this one knows {known}); use that version or a later one", path.display())]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema of this program.
        known: i64,
    },
    /// The file system refused.
    #[error("the store {} cannot be opened: {reason}; check that the folder exists and may be written", path.display())]
    Unreachable {
        /// The store or its lock.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}

/// The connection that writes and the pool that reads.
pub(super) async fn connect(path: &Path) -> Result<(SqliteConnection, SqlitePool), OpenError> {
    let size = std::fs::metadata(path).ok().map(|metadata| metadata.len());
    if size == Some(0) {
        return Err(OpenError::Corrupt { path: path.to_owned(), reason: "the file is empty".to_owned() });
    }
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(10))
        .foreign_keys(true)
        .pragma("cache_size", "-8000")
        .statement_cache_capacity(64)
        .disable_statement_logging();
    let told = |error: sqlx::Error| classify(path, &error);
    let mut writing = SqliteConnection::connect_with(&options).await.map_err(told)?;
    if size.is_some_and(|size| size <= CHECKED_WHOLE_BYTES) {
        check_whole(path, &mut writing).await?;
    }
    migrate::run(path, &mut writing).await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(4)
        .connect_lazy_with(options.read_only(true).pragma("cache_size", "-2000"));
    Ok((writing, readers))
}

async fn check_whole(path: &Path, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let verdict: String =
        sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(connection).await.map_err(|error| classify(path, &error))?;
    if verdict == "ok" { Ok(()) } else { Err(OpenError::Corrupt { path: path.to_owned(), reason: verdict }) }
}

pub(super) fn classify(path: &Path, error: &sqlx::Error) -> OpenError {
    let reason = match error {
        sqlx::Error::Database(database) => database.message().to_owned(),
        other => other.to_string(),
    };
    let damaged = ["not a database", "malformed", "corrupt"].iter().any(|sign| reason.contains(sign));
    if damaged {
        OpenError::Corrupt { path: path.to_owned(), reason }
    } else {
        OpenError::Unreachable { path: path.to_owned(), reason }
    }
}
