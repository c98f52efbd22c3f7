//! A copy of the store as it was at one moment, also while a service writes to it.

use std::path::Path;

use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

use super::inspect;
use super::open::{self, OpenError, classify};

/// Writes a whole copy to `to`, which must not be there, and checks it.
///
/// # Errors
/// [`OpenError`] when the store cannot be read, or the copy cannot be written.
pub async fn copy(from: &Path, to: &Path) -> Result<(), OpenError> {
    if inspect::file(from)?.is_none() {
        let reason = "there is none; the first start of pagerd makes it".to_owned();
        return Err(OpenError::Unreachable { path: from.to_owned(), reason });
    }
    // Reading alone: another's transactions go on meanwhile, and none of them is seen in part.
    let options = open::options(from).create_if_missing(false).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(|error| classify(from, &error))?;
    let query = sqlx::query("VACUUM INTO ?").bind(to.display().to_string());
    query.execute(&mut connection).await.map_err(|error| classify(to, &error))?;
    connection.close().await.map_err(|error| classify(from, &error))?;
    let options = open::options(to).create_if_missing(false).read_only(true);
    let mut copied = SqliteConnection::connect_with(&options).await.map_err(|error| classify(to, &error))?;
    let verdict: String =
        sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut copied).await.map_err(|error| classify(to, &error))?;
    copied.close().await.map_err(|error| classify(to, &error))?;
    if verdict == "ok" { Ok(()) } else { Err(OpenError::Corrupt { path: to.to_owned(), reason: verdict }) }
}
