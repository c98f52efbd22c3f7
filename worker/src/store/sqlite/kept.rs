//! What pagerd keeps for itself, as statements.

use pager_questions::{Incarnation, Time};
use sqlx::sqlite::SqliteConnection;

use super::apply::Statement;
use crate::clock;

pub(super) fn keep<'a>(name: &'a str, value: &'a str) -> Statement<'a> {
    let query = sqlx::query(
        "INSERT INTO kept (name, value, kept_at) VALUES (?, ?, ?) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, kept_at = excluded.kept_at",
    );
    query.bind(name).bind(value).bind(clock::now().as_millis())
}

pub(super) fn forget(prefix: &str, before: Time) -> Statement<'_> {
    let query = sqlx::query("DELETE FROM kept WHERE name >= ?1 AND substr(name, 1, length(?1)) = ?1 AND kept_at < ?2");
    query.bind(prefix).bind(before.as_millis())
}

/// What was kept of one record: its name ends with the record's.
pub(super) async fn forget_record(connection: &mut SqliteConnection, incarnation: &Incarnation) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "DELETE FROM kept WHERE name IN \
         ('marks:' || ?1, 'documents:' || ?1, 'topic-anew:' || ?1, 'opened-anew:' || ?1, 'message-anew:' || ?1, \
         'private-lost:' || ?1)",
    );
    query.bind(incarnation.as_str()).execute(connection).await.map(|_| ())
}
