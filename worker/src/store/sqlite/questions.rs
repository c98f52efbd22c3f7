//! Questions, as statements: a new one, and the next version of one.

use pager_questions::view::state_name;
use pager_questions::{Record, Time};
use sqlx::sqlite::SqliteConnection;

use super::rows::{delivery_text, record_text};
use crate::store::{StoreError, Stored};

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
    if insert.bind(record_text(record)).execute(&mut *connection).await?.rows_affected() == 1 {
        return Ok(Ok(()));
    }
    // The publication is taken: the id was marked used a moment ago, by this list alone.
    sqlx::query("DELETE FROM used_ids WHERE id = ?").bind(question.id.as_str()).execute(connection).await?;
    Ok(Err(StoreError::Conflict))
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
    Ok(query.execute(connection).await?.rows_affected())
}

fn number(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}
