//! The schema, version by version. A version that was released is never edited; a change is a new one.

use std::path::Path;

use sqlx::SqliteConnection;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::SqlStr;

use super::open::{OpenError, classify};

/// Every version: its number, its name and its statements.
const VERSIONS: [(i64, &str, &str); 1] = [(1, "first", include_str!("../migrations/0001-first.sql"))];

/// Brings the store to the newest version.
pub(super) async fn run(path: &Path, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let known = VERSIONS[VERSIONS.len() - 1].0;
    let migrations = VERSIONS
        .iter()
        .map(|(version, name, statements)| {
            Migration::new(*version, (*name).into(), MigrationType::Simple, SqlStr::from_static(statements), false)
        })
        .collect();
    let migrator = Migrator::with_migrations(migrations);
    migrator.run_direct(None, connection, false).await.map_err(|error| match error {
        MigrateError::VersionMissing(found) => OpenError::Newer { path: path.to_owned(), found, known },
        MigrateError::VersionMismatch(version) => OpenError::Corrupt {
            path: path.to_owned(),
            reason: format!("its schema {version} is not the one that this program knows"),
        },
        MigrateError::Execute(error) => classify(path, &error),
        other => OpenError::Corrupt { path: path.to_owned(), reason: other.to_string() },
    })
}
