//! The window of each source: who leaves it, when, and for whom. What is in it is counted by triggers.

use pager_questions::{Author, Incarnation, Time};
use sqlx::sqlite::SqliteConnection;

use super::readers::Readers;
use super::{kept, rows};
use crate::store::{Full, Kept, Limits, SETTLED_THAT_STAY, SPARE_BYTES, Stored};

/// Beyond those that stay, so many settled ones are looked at when another ends: the look costs the same whatever there is.
const MOST_LOOKED_AT: u32 = 64;

/// What is still to be done about a question. Deleting its topic in a month is none of it: that needs no place in the window.
const IS_HELD: &str = "EXISTS (SELECT 1 FROM jobs WHERE jobs.incarnation = questions.incarnation AND jobs.state <> 'failed' \
     AND jobs.kind ->> '$.kind' <> 'delete_topic') \
     OR EXISTS (SELECT 1 FROM dispatches WHERE dispatches.state = 'waiting' \
     AND dispatches.kind ->> '$.incarnation' = questions.incarnation)";

/// In the history, and nobody needs its record any more.
const HAS_NOTHING_LEFT: &str = "in_window = 0 \
     AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.incarnation = questions.incarnation AND jobs.state <> 'failed') \
     AND NOT EXISTS (SELECT 1 FROM dispatches WHERE dispatches.state = 'waiting' \
     AND dispatches.kind ->> '$.incarnation' = questions.incarnation)";

/// After a source got a record: pushes out its oldest settled ones until the rest fits; when that is not enough none leaves.
pub(super) async fn make_room(
    connection: &mut SqliteConnection,
    agent: &Author,
    new_bytes: u64,
    limits: Limits,
) -> Result<Result<(), Full>, sqlx::Error> {
    if limits == Limits::NONE {
        return Ok(Ok(()));
    }
    let query = sqlx::query_as("SELECT live, bytes FROM windows WHERE agent = ?").bind(agent.as_str());
    let (live, bytes): (i64, i64) = query.fetch_one(&mut *connection).await?;
    let bytes = bytes + live * i64::from(SPARE_BYTES);
    let above = |most: u32, is: i64| if most == 0 { 0 } else { is - i64::from(most) };
    let (mut records_over, mut bytes_over) = (above(limits.records, live), above(limits.bytes, bytes));
    if records_over <= 0 && bytes_over <= 0 {
        return Ok(Ok(()));
    }
    let statement = format!(
        "SELECT number, length(CAST(record AS BLOB)) FROM questions WHERE agent = ? AND in_window = 1 AND ended_at IS NOT NULL \
         AND NOT ({IS_HELD}) ORDER BY ended_at, number"
    );
    let query = sqlx::query_as(sqlx::AssertSqlSafe(statement)).bind(agent.as_str());
    let settled: Vec<(i64, i64)> = query.fetch_all(&mut *connection).await?;
    let mut leaving = Vec::new();
    for (number, size) in settled {
        if records_over <= 0 && bytes_over <= 0 {
            break;
        }
        records_over -= 1;
        bytes_over -= size + i64::from(SPARE_BYTES);
        leaving.push(number);
    }
    if records_over > 0 || bytes_over > 0 {
        let asked = new_bytes + u64::from(SPARE_BYTES);
        let records = u64::try_from(live - 1).unwrap_or(0);
        return Ok(Err(Full { of: Kept::Records, limits, records, bytes: bytes.unsigned_abs().saturating_sub(asked), asked }));
    }
    let leaving = serde_json::to_string(&leaving).expect("numbers are plain JSON");
    let query = sqlx::query("UPDATE questions SET in_window = 0 WHERE number IN (SELECT value FROM json_each(?))").bind(leaving);
    query.execute(connection).await.map(|_| Ok(()))
}

/// After a record of a source ended: its settled ones beyond the newest leave, but for those that something is still done about.
pub(super) async fn trim(connection: &mut SqliteConnection, agent: &Author) -> Result<(), sqlx::Error> {
    let statement = format!(
        "UPDATE questions SET in_window = 0 WHERE number IN (SELECT number FROM questions WHERE agent = ? AND in_window = 1 \
         AND ended_at IS NOT NULL ORDER BY ended_at DESC, number DESC LIMIT ? OFFSET ?) AND NOT ({IS_HELD})"
    );
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(agent.as_str());
    query.bind(MOST_LOOKED_AT).bind(SETTLED_THAT_STAY).execute(connection).await.map(|_| ())
}

pub(super) async fn forgettable(readers: &Readers, before: Time, woken_since: Time, limit: u32) -> Stored<Vec<Incarnation>> {
    let statement = format!(
        "SELECT incarnation FROM questions WHERE ended_at < ?1 AND {HAS_NOTHING_LEFT} AND NOT {BLOCKS_A_RUN} \
         AND NOT (ended_at >= ?2 AND {IS_TO_WAKE}) ORDER BY ended_at LIMIT ?3"
    );
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(before.as_millis()).bind(woken_since.as_millis()).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::incarnation).collect()
}

/// Its agent keeps a runner, which has not heard of its end yet or is not done with that.
pub(super) const IS_TO_WAKE: &str = "(EXISTS (SELECT 1 FROM wake_causes WHERE subject = questions.incarnation) \
    OR EXISTS (SELECT 1 FROM wakes w WHERE w.agent = questions.agent AND w.state = 'waiting' AND w.id IN (incarnation || '.answered', \
    incarnation || '.picked', incarnation || '.deadline', incarnation || '.late_pick')))";

/// An approval that was not given blocks its run for good: forgotten, it would block no more.
const BLOCKS_A_RUN: &str = "(record ->> '$.question.purpose' = 'approval' AND record ->> '$.question.source.run' IS NOT NULL \
    AND coalesce(record ->> '$.state.ended.answer.choice', '') <> 'approve')";

/// The record, and what only it gave a meaning to.
pub(super) async fn forget(connection: &mut SqliteConnection, incarnation: &Incarnation) -> Result<(), sqlx::Error> {
    let statement = format!("DELETE FROM questions WHERE incarnation = ? AND ended_at IS NOT NULL AND {HAS_NOTHING_LEFT}");
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(incarnation.as_str());
    if query.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(());
    }
    for statement in ["DELETE FROM places WHERE incarnation = ?", "DELETE FROM jobs WHERE incarnation = ?"] {
        sqlx::query(statement).bind(incarnation.as_str()).execute(&mut *connection).await?;
    }
    kept::forget_record(connection, incarnation).await
}
