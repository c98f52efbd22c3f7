//! Idempotency keys of owners' writes.

use pager_questions::{Incarnation, Time};
use sqlx::sqlite::SqliteConnection;

use super::apply::Statement;
use super::readers::Readers;
use super::rows::corrupt;
use crate::store::{StoreError, Stored, UsedKey};

pub(super) async fn add(connection: &mut SqliteConnection, key: &UsedKey) -> Result<Stored<()>, sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO used_keys (actor, key, incarnation, kind, digest, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    let query = query.bind(&key.actor).bind(&key.key).bind(key.incarnation.as_str()).bind(&key.kind);
    let is_new = query.bind(&key.digest).bind(key.at.as_millis()).execute(connection).await?.rows_affected() == 1;
    Ok(if is_new { Ok(()) } else { Err(StoreError::KeyUsed) })
}

pub(super) fn forget(before: Time) -> Statement<'static> {
    sqlx::query("DELETE FROM used_keys WHERE at < ?").bind(before.as_millis())
}

pub(super) async fn used(readers: &Readers, actor: &str, key: &str) -> Stored<Option<UsedKey>> {
    let query = sqlx::query_as("SELECT incarnation, kind, digest, at FROM used_keys WHERE actor = ? AND key = ?");
    let query = query.bind(actor).bind(key);
    let row: Option<(String, String, String, i64)> = query.fetch_optional(&mut *readers.one().await?).await?;
    let Some((incarnation, kind, digest, at)) = row else { return Ok(None) };
    let incarnation = Incarnation::parse(&incarnation).map_err(|error| corrupt("a key's incarnation", &error))?;
    let (actor, key, at) = (actor.to_owned(), key.to_owned(), Time::from_millis(at));
    Ok(Some(UsedKey { actor, key, incarnation, kind, digest, at }))
}
