//! Files of events that were dealt with, as statements.

use super::apply::Statement;
use crate::store::EventFile;

pub(super) fn keep(file: &EventFile) -> Statement<'_> {
    let query = sqlx::query(
        "INSERT INTO event_files (name, content, is_refused) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE \
         SET content = excluded.content, is_refused = excluded.is_refused",
    );
    query.bind(&file.name).bind(&file.content).bind(file.is_refused)
}

pub(super) fn forget(name: &str) -> Statement<'_> {
    sqlx::query("DELETE FROM event_files WHERE name = ?").bind(name)
}
