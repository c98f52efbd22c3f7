//! Questions, as statements: a new one, and the next version of one.

use pager_questions::view::state_name;
use pager_questions::{Record, Time};
use sqlx::sqlite::SqliteConnection;

use super::rows::{delivery_text, record_text};
use super::window;
use crate::store::{Limits, StoreError, Stored};

/// The next version of a record behind what it tells, which is read off the version that is there: the conditions are the
/// same, so that both are stored or neither.
const CHANGE: &str = "\
    INSERT INTO happenings (kind, agent, about, at) SELECT CASE \
    WHEN ? AND ended_at IS NULL THEN 'question.ended' \
    WHEN ? AND state <> 'answering' THEN 'question.answering' \
    WHEN record -> '$.delivery' <> ? THEN 'question.delivery' \
    ELSE 'question.changed' END, agent, incarnation, ? FROM questions WHERE incarnation = ? AND revision = ?; \
    INSERT INTO happenings (kind, agent, about, at) SELECT 'answer.shown', agent, incarnation, ? FROM questions \
    WHERE incarnation = ? AND revision = ? AND ? AND state <> 'answered'; \
    UPDATE questions SET state = ?, ended_at = ?, revision = ?, record = ? WHERE incarnation = ? AND revision = ?";

/// Stores a new one. Its row tells by itself that it was asked.
pub(super) async fn create(
    connection: &mut SqliteConnection,
    record: &Record,
    fingerprint: &str,
    is_unnamed: bool,
    limits: Limits,
) -> Result<Stored<()>, sqlx::Error> {
    let question = &record.question;
    let used = sqlx::query("INSERT INTO used_ids (id) VALUES (?) ON CONFLICT DO NOTHING").bind(question.id.as_str());
    if used.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(Err(StoreError::Conflict));
    }
    let insert = sqlx::query(
        "INSERT INTO questions \
         (id, incarnation, agent, publication, fingerprint, is_unnamed, state, hard, asked_at, revision, record) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    let insert = insert.bind(question.id.as_str()).bind(question.incarnation.as_str()).bind(question.source.agent.as_str());
    let insert = insert.bind(question.publication_id.as_deref()).bind(fingerprint).bind(is_unnamed);
    let insert = insert
        .bind(state_name(&record.state))
        .bind(question.is_hard_to_reverse())
        .bind(question.asked_at.as_millis())
        .bind(number(record.revision));
    let text = record_text(record);
    let bytes = text.len() as u64;
    if insert.bind(text).execute(&mut *connection).await?.rows_affected() == 0 {
        // The publication is taken.
        forget_id(connection, record).await?;
        return Ok(Err(StoreError::Conflict));
    }
    match window::make_room(connection, &question.source.agent, bytes, limits).await? {
        Ok(()) => Ok(Ok(())),
        Err(full) => {
            let undone = sqlx::query("DELETE FROM questions WHERE incarnation = ?").bind(question.incarnation.as_str());
            undone.execute(&mut *connection).await?;
            forget_id(connection, record).await?;
            Ok(Err(StoreError::Full(full)))
        }
    }
}

/// The id was marked used a moment ago, by this list alone.
async fn forget_id(connection: &mut SqliteConnection, record: &Record) -> Result<(), sqlx::Error> {
    let query = sqlx::query("DELETE FROM used_ids WHERE id = ?").bind(record.question.id.as_str());
    query.execute(connection).await.map(|_| ())
}

/// How many rows that made: none when the stored record has another revision.
pub(super) async fn change(connection: &mut SqliteConnection, record: &Record, from: u64, at: Time) -> Result<u64, sqlx::Error> {
    let state = state_name(&record.state);
    let (incarnation, from) = (record.question.incarnation.as_str(), number(from));
    let query = sqlx::query(CHANGE).bind(record.is_over()).bind(state == "answering").bind(delivery_text(record));
    let query = query.bind(at.as_millis()).bind(incarnation).bind(from);
    let query = query.bind(at.as_millis()).bind(incarnation).bind(from).bind(state == "answered");
    let query = query.bind(state).bind(record.ended_at().map(Time::as_millis)).bind(number(record.revision));
    let query = query.bind(record_text(record)).bind(incarnation).bind(from);
    let changed = query.execute(&mut *connection).await?.rows_affected();
    if changed > 0 && record.is_over() {
        window::trim(connection, &record.question.source.agent).await?;
    }
    Ok(changed)
}

fn number(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}
