//! Telegram's updates, as statements.

use pager_questions::Time;
use sqlx::sqlite::SqliteConnection;

use super::apply::Statement;
use crate::store::Received;

/// How many rows that made: none when it was received before.
pub(super) async fn receive(connection: &mut SqliteConnection, update: &Received) -> Result<u64, sqlx::Error> {
    let query =
        sqlx::query("INSERT INTO updates (id, received_at, body, state) VALUES (?, ?, ?, 'new') ON CONFLICT (id) DO NOTHING");
    let query = query.bind(update.id).bind(update.received_at.as_millis()).bind(&update.body);
    Ok(query.execute(connection).await?.rows_affected())
}

pub(super) fn handled(update: i64) -> Statement<'static> {
    sqlx::query("UPDATE updates SET state = 'handled' WHERE id = ?").bind(update)
}

pub(super) fn poison(update: i64, tries: u32, aside: bool) -> Statement<'static> {
    let query = sqlx::query("UPDATE updates SET tries = ?, state = ? WHERE id = ?");
    query.bind(tries).bind(if aside { "aside" } else { "new" }).bind(update)
}

pub(super) fn forget(before: Time) -> Statement<'static> {
    sqlx::query("DELETE FROM updates WHERE state = 'handled' AND received_at < ?").bind(before.as_millis())
}
