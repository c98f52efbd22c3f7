//! The schema, version by version. A version that was released is never edited; a change is a new one.

use std::path::Path;

use sqlx::SqlStr;
use sqlx::SqliteConnection;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use super::open::{OpenError, classify};

/// A version: its number, its name and its statements.
pub(super) type Version = (i64, &'static str, &'static str);

/// Every version.
pub(super) const VERSIONS: &[Version] = &[
    (1, "first", include_str!("../migrations/0001-first.sql")),
    (2, "age of jobs", include_str!("../migrations/0002-age-of-jobs.sql")),
    (3, "requests", include_str!("../migrations/0003-requests.sql")),
    (4, "control", include_str!("../migrations/0004-control.sql")),
    (5, "dispatches", include_str!("../migrations/0005-dispatches.sql")),
    (6, "event files", include_str!("../migrations/0006-event-files.sql")),
    (7, "window", include_str!("../migrations/0007-window.sql")),
    (8, "updates", include_str!("../migrations/0008-updates.sql")),
    (9, "happenings", include_str!("../migrations/0009-happenings.sql")),
    (10, "gates", include_str!("../migrations/0010-gates.sql")),
    (11, "private answers", include_str!("../migrations/0011-private-answers.sql")),
    (12, "deadlines", include_str!("../migrations/0012-deadlines.sql")),
    (13, "age of kept", include_str!("../migrations/0013-age-of-kept.sql")),
    (14, "threads", include_str!("../migrations/0014-threads.sql")),
    (15, "wakes", include_str!("../migrations/0015-wakes.sql")),
    (16, "reminders", include_str!("../migrations/0016-reminders.sql")),
    (17, "unanswered", include_str!("../migrations/0017-unanswered.sql")),
];

/// Brings the store to the newest version.
pub(super) async fn run(path: &Path, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    run_versions(path, connection, VERSIONS).await
}

/// Brings the store to the last of these versions.
pub(super) async fn run_versions(path: &Path, connection: &mut SqliteConnection, versions: &[Version]) -> Result<(), OpenError> {
    let known = versions.last().map_or(0, |version| version.0);
    let migrations = versions
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
