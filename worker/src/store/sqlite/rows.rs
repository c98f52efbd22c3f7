//! Rows to values and back. What does not read back is a corrupt store, and said so.

use pager_questions::{Incarnation, Record, Time};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::store::{Cursor, Job, JobState, Listed, Place, Received, Role, StoreError, Stored, Token};

/// A record as it is stored.
pub(super) fn record_text(record: &Record) -> String {
    serde_json::to_string(record).expect("a record is plain JSON")
}

/// The part of it that says how far it got, exactly as it stands there.
pub(super) fn delivery_text(record: &Record) -> String {
    serde_json::to_string(&record.delivery).expect("a delivery is plain JSON")
}

/// A job's kind as it is stored.
pub(super) fn job_kind(job: &Job) -> String {
    serde_json::to_string(&job.kind).expect("a job's kind is plain JSON")
}

pub(super) fn record(row: &SqliteRow) -> Stored<Record> {
    let text: &str = row.try_get("record")?;
    serde_json::from_str(text).map_err(|error| corrupt("a record", &error))
}

pub(super) fn listed(row: &SqliteRow) -> Stored<Listed> {
    let cursor = Cursor { hard: row.try_get("hard")?, asked_at: row.try_get("asked_at")?, number: row.try_get("number")? };
    Ok(Listed { record: record(row)?, cursor })
}

pub(super) fn job(row: &SqliteRow) -> Stored<Job> {
    let kind: &str = row.try_get("kind")?;
    let state: &str = row.try_get("state")?;
    Ok(Job {
        id: row.try_get("id")?,
        incarnation: if row.try_get::<&str, _>("incarnation")?.is_empty() { None } else { Some(incarnation(row)?) },
        kind: serde_json::from_str(kind).map_err(|error| corrupt("a job", &error))?,
        class: row.try_get("class")?,
        state: JobState::parse(state).ok_or_else(|| corrupt("a job's state", &state))?,
        due_at: Time::from_millis(row.try_get("due_at")?),
        attempts: row.try_get("attempts")?,
    })
}

pub(super) fn place(row: &SqliteRow) -> Stored<Place> {
    Ok(Place {
        incarnation: incarnation(row)?,
        chat: row.try_get("chat")?,
        thread: row.try_get("thread")?,
        message: row.try_get("message")?,
    })
}

pub(super) fn update(row: &SqliteRow) -> Stored<Received> {
    Ok(Received {
        id: row.try_get("id")?,
        received_at: Time::from_millis(row.try_get("received_at")?),
        body: row.try_get("body")?,
        tries: row.try_get("tries")?,
    })
}

pub(super) fn token(row: &SqliteRow) -> Stored<Token> {
    let role: &str = row.try_get("role")?;
    Ok(Token {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        role: Role::parse(role).ok_or_else(|| corrupt("a token's role", &role))?,
        hash: row.try_get("hash")?,
        created_at: Time::from_millis(row.try_get("created_at")?),
        revoked_at: row.try_get::<Option<i64>, _>("revoked_at")?.map(Time::from_millis),
        project: row.try_get("project")?,
    })
}

pub(super) fn incarnation(row: &SqliteRow) -> Stored<Incarnation> {
    let text: &str = row.try_get("incarnation")?;
    Incarnation::parse(text).map_err(|error| corrupt("an incarnation", &error))
}

pub(super) fn corrupt(what: &str, why: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unusable(format!("{what} in it cannot be read: {why}"))
}
