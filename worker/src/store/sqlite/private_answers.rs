//! Which private answers wait for their agents. Their words are never here.

use pager_questions::Incarnation;

use super::apply::Statement;
use super::readers::Readers;
use super::rows;
use crate::store::Stored;

pub(super) fn wait(incarnation: &Incarnation) -> Statement<'_> {
    sqlx::query("INSERT INTO private_answers (incarnation) VALUES (?) ON CONFLICT DO NOTHING").bind(incarnation.as_str())
}

pub(super) fn confirm(incarnation: &Incarnation) -> Statement<'_> {
    sqlx::query("DELETE FROM private_answers WHERE incarnation = ?").bind(incarnation.as_str())
}

pub(super) async fn waits(readers: &Readers, incarnation: &Incarnation) -> Stored<bool> {
    let query = sqlx::query("SELECT 1 FROM private_answers WHERE incarnation = ?").bind(incarnation.as_str());
    Ok(query.fetch_optional(&mut *readers.one().await?).await?.is_some())
}

pub(super) async fn all(readers: &Readers) -> Stored<Vec<Incarnation>> {
    let query = sqlx::query("SELECT incarnation FROM private_answers ORDER BY incarnation");
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::incarnation).collect()
}
