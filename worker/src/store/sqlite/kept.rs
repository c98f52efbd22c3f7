//! What pagerd keeps for itself, as statements.

use super::apply::Statement;

pub(super) fn keep<'a>(name: &'a str, value: &'a str) -> Statement<'a> {
    let query =
        sqlx::query("INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value");
    query.bind(name).bind(value)
}
