//! Opening the file: what is corrupt, newer or not a store stops the start. It never begins empty in its place.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::readers::Readers;
use super::{inspect, migrate};

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

/// The connection that writes and those that read.
pub(super) async fn connect(path: &Path) -> Result<(SqliteConnection, Readers), OpenError> {
    let size = inspect::file(path)?;
    let options = options(path);
    let mut writing = SqliteConnection::connect_with(&options).await.map_err(|error| classify(path, &error))?;
    if let Some(size) = size {
        inspect::contents(path, size, &mut writing).await?;
    }
    // The tables first: a file that says it has a log but has no table is one whose log was lost.
    migrate::run(path, &mut writing).await?;
    use_wal(path, &mut writing).await?;
    Ok((writing, Readers::new(options.read_only(true).pragma("cache_size", "-2000"))))
}

/// How each connection is set up. Nothing here writes into the file: that waits until it is known to be ours.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(10))
        .foreign_keys(true)
        .pragma("cache_size", "-8000")
        .statement_cache_capacity(64)
        .disable_statement_logging()
}

async fn use_wal(path: &Path, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode = WAL").fetch_one(connection).await.map_err(|error| classify(path, &error))?;
    if mode == "wal" {
        return Ok(());
    }
    let reason = "its file system cannot share memory between processes, which the write-ahead log needs".to_owned();
    Err(OpenError::Unreachable { path: path.to_owned(), reason })
}

pub(super) fn classify(path: &Path, error: &sqlx::Error) -> OpenError {
    let reason = match error {
        sqlx::Error::Database(database) => database.message().to_owned(),
        other => other.to_string(),
    };
    let damaged =
        ["not a database", "malformed", "corrupt", "vtable constructor failed"].iter().any(|sign| reason.contains(sign));
    if damaged {
        OpenError::Corrupt { path: path.to_owned(), reason }
    } else {
        OpenError::Unreachable { path: path.to_owned(), reason }
    }
}
