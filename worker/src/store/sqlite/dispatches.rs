//! The outbox for the control repository, as statements.

use pager_questions::Time;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::apply::Statement;
use super::readers::Readers;
use super::rows::corrupt;
use crate::store::{Dispatch, Stored};

/// The first of each line that waits.
const FIRST_OF_EACH_LINE: &str = "number IN (SELECT min(number) FROM dispatches WHERE state = 'waiting' GROUP BY line)";

pub(super) fn add(dispatch: &Dispatch) -> Statement<'_> {
    let kind = serde_json::to_string(&dispatch.kind).expect("what to send is plain JSON");
    let query = sqlx::query(
        "INSERT INTO dispatches (id, line, kind, state, made_at, due_at, attempts) VALUES (?, ?, ?, 'waiting', ?, ?, ?) \
         ON CONFLICT (id) DO NOTHING",
    );
    let query = query.bind(&dispatch.id).bind(&dispatch.line).bind(kind);
    query.bind(dispatch.made_at.as_millis()).bind(dispatch.due_at.as_millis()).bind(dispatch.attempts)
}

pub(super) fn retry<'a>(id: &'a str, due_at: Time, attempts: u32) -> Statement<'a> {
    let query = sqlx::query("UPDATE dispatches SET due_at = ?, attempts = ? WHERE id = ?");
    query.bind(due_at.as_millis()).bind(attempts).bind(id)
}

pub(super) fn set_aside<'a>(id: &'a str, due_at: Time, attempts: u32) -> Statement<'a> {
    let query = sqlx::query("UPDATE dispatches SET due_at = ?, attempts = ?, line = id WHERE id = ?");
    query.bind(due_at.as_millis()).bind(attempts).bind(id)
}

pub(super) fn finish(id: &str) -> Statement<'_> {
    sqlx::query("DELETE FROM dispatches WHERE id = ?").bind(id)
}

pub(super) fn fail<'a>(id: &'a str, reason: &'a str) -> Statement<'a> {
    sqlx::query("UPDATE dispatches SET state = 'failed', reason = ? WHERE id = ?").bind(reason).bind(id)
}

pub(super) async fn next(readers: &Readers, now: Time) -> Stored<Option<Dispatch>> {
    let statement = format!("SELECT * FROM dispatches WHERE due_at <= ? AND {FIRST_OF_EACH_LINE} ORDER BY number LIMIT 1");
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(now.as_millis());
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(row).transpose()
}

pub(super) async fn next_due(readers: &Readers) -> Stored<Option<Time>> {
    let statement = format!("SELECT min(due_at) FROM dispatches WHERE {FIRST_OF_EACH_LINE}");
    let query = sqlx::query_scalar(sqlx::AssertSqlSafe(statement));
    let due: Option<i64> = query.fetch_one(&mut *readers.one().await?).await?;
    Ok(due.map(Time::from_millis))
}

fn row(row: &SqliteRow) -> Stored<Dispatch> {
    let kind: &str = row.try_get("kind")?;
    Ok(Dispatch {
        id: row.try_get("id")?,
        line: row.try_get("line")?,
        kind: serde_json::from_str(kind).map_err(|error| corrupt("an event to send", &error))?,
        made_at: Time::from_millis(row.try_get("made_at")?),
        due_at: Time::from_millis(row.try_get("due_at")?),
        attempts: row.try_get("attempts")?,
    })
}
