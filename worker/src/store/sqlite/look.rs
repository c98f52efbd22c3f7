//! Looking at a store without a change to it, while a service may be using it: for `pagerd doctor`.

use std::collections::BTreeMap;
use std::path::Path;

use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

use super::inspect;
use super::lock::Lock;
use super::migrate::VERSIONS;
use super::open::{self, OpenError, classify};

/// What was seen.
#[derive(Debug)]
pub struct Looked {
    /// The schema it has.
    pub schema: i64,
    /// The newest schema of this program.
    pub known: i64,
    /// The process that serves on it.
    pub served_by: Option<String>,
    /// What pagerd keeps for itself.
    pub kept: BTreeMap<String, String>,
}

/// Checks the whole file and reads what is asked most.
///
/// # Errors
/// [`OpenError`] when it is corrupt, newer than this program, or cannot be reached.
pub async fn look(path: &Path) -> Result<Looked, OpenError> {
    inspect::file(path)?;
    let told = |error: sqlx::Error| classify(path, &error);
    let options = open::options(path).create_if_missing(false).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(told)?;
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut connection).await.map_err(told)?;
    if verdict != "ok" {
        return Err(OpenError::Corrupt { path: path.to_owned(), reason: verdict });
    }
    let query = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success");
    let schema: Option<i64> = query.fetch_one(&mut connection).await.map_err(told)?;
    let (schema, known) = (schema.unwrap_or(0), VERSIONS.last().map_or(0, |version| version.0));
    if schema > known {
        return Err(OpenError::Newer { path: path.to_owned(), found: schema, known });
    }
    let kept: Vec<(String, String)> =
        sqlx::query_as("SELECT name, value FROM kept").fetch_all(&mut connection).await.map_err(told)?;
    connection.close().await.map_err(told)?;
    Ok(Looked { schema, known, served_by: Lock::holder(path), kept: kept.into_iter().collect() })
}
