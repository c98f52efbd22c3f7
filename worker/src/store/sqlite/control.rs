//! Events of the control repository, their proofs, and withdrawals that came before their questions.

use pager_questions::{Author, EventId, QuestionId, Time};
use sqlx::sqlite::SqliteConnection;

use super::readers::Readers;
use super::rows::corrupt;
use crate::store::{EarlyWithdrawal, HandledEvent, Stored};

/// How many rows that made: none when it was handled before.
pub(super) async fn handle(connection: &mut SqliteConnection, event: &HandledEvent) -> Result<u64, sqlx::Error> {
    let query =
        sqlx::query("INSERT INTO control_events (id, digest, status, reply, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
    let query = query.bind(event.id.as_str()).bind(&event.digest).bind(event.status).bind(&event.reply);
    Ok(query.bind(event.at.as_millis()).execute(connection).await?.rows_affected())
}

/// How many rows that made: none when it was used before.
pub(super) async fn use_proof(
    connection: &mut SqliteConnection,
    proof: &str,
    event: &EventId,
    at: Time,
) -> Result<u64, sqlx::Error> {
    let query = sqlx::query("INSERT INTO control_proofs (proof, event, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
    Ok(query.bind(proof).bind(event.as_str()).bind(at.as_millis()).execute(connection).await?.rows_affected())
}

pub(super) async fn remember(connection: &mut SqliteConnection, early: &EarlyWithdrawal) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO control_withdrawals (author, question, sent_at, reason, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE \
         SET sent_at = excluded.sent_at, reason = excluded.reason, at = excluded.at WHERE excluded.sent_at >= sent_at",
    );
    let query = query.bind(early.author.as_str()).bind(early.question.as_str()).bind(early.sent_at.as_millis());
    query.bind(&early.reason).bind(early.at.as_millis()).execute(connection).await.map(|_| ())
}

pub(super) async fn forget(connection: &mut SqliteConnection, before: Time, early: Time) -> Result<(), sqlx::Error> {
    for (statement, before) in [
        ("DELETE FROM control_events WHERE at < ?", before),
        ("DELETE FROM control_proofs WHERE at < ? AND proof NOT LIKE 'body:%'", before),
        ("DELETE FROM control_withdrawals WHERE at < ?", early),
    ] {
        sqlx::query(statement).bind(before.as_millis()).execute(&mut *connection).await?;
    }
    Ok(())
}

pub(super) async fn event(readers: &Readers, id: &EventId) -> Stored<Option<HandledEvent>> {
    let query = sqlx::query_as("SELECT digest, status, reply, at FROM control_events WHERE id = ?").bind(id.as_str());
    let row: Option<(String, u16, String, i64)> = query.fetch_optional(&mut *readers.one().await?).await?;
    let handled = |(digest, status, reply, at)| HandledEvent { id: id.clone(), digest, status, reply, at: Time::from_millis(at) };
    Ok(row.map(handled))
}

pub(super) async fn proof(readers: &Readers, proof: &str) -> Stored<Option<EventId>> {
    let query = sqlx::query_scalar("SELECT event FROM control_proofs WHERE proof = ?").bind(proof);
    let row: Option<String> = query.fetch_optional(&mut *readers.one().await?).await?;
    row.map(|event| EventId::parse(&event).map_err(|error| corrupt("an event's id", &error))).transpose()
}

pub(super) async fn early(
    readers: &Readers,
    author: &Author,
    question: &QuestionId,
    since: Time,
) -> Stored<Option<EarlyWithdrawal>> {
    let query =
        sqlx::query_as("SELECT sent_at, reason, at FROM control_withdrawals WHERE author = ? AND question = ? AND at >= ?");
    let query = query.bind(author.as_str()).bind(question.as_str()).bind(since.as_millis());
    let row: Option<(i64, Option<String>, i64)> = query.fetch_optional(&mut *readers.one().await?).await?;
    Ok(row.map(|(sent_at, reason, at)| EarlyWithdrawal {
        author: author.clone(),
        question: question.clone(),
        sent_at: Time::from_millis(sent_at),
        reason,
        at: Time::from_millis(at),
    }))
}
