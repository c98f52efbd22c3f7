//! Requests that are old, and how they are forgotten with their threads. Their ids stay used.

use pager_questions::{RequestId, Time};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::readers::Readers;
use super::rows::corrupt;
use super::window::IS_TO_WAKE;
use crate::store::{OldRequests, Stored};

/// Requests of which all that [`OldRequests`] names holds, the oldest first.
pub(super) async fn list(readers: &Readers, old: OldRequests, limit: u32) -> Stored<Vec<RequestId>> {
    let [quiet, made, woken] = moments(old);
    let query = sqlx::query(sqlx::AssertSqlSafe(listed())).bind(quiet).bind(made).bind(woken).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(id).collect()
}

/// The request, where all of that still holds, and what only it gave a meaning to.
pub(super) async fn forget(connection: &mut SqliteConnection, request: &RequestId, old: OldRequests) -> Result<(), sqlx::Error> {
    let statement = format!("DELETE FROM requests WHERE id = ?4 AND {}", is_old());
    let [quiet, made, woken] = moments(old);
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(quiet).bind(made).bind(woken).bind(request.as_str());
    if query.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(());
    }
    for statement in OF_THREAD {
        sqlx::query(statement).bind(request.as_str()).execute(&mut *connection).await?;
    }
    for statement in OF_KEY {
        sqlx::query(statement).bind(request.key().as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// What goes with a request, in this order: wakes are found by the replies.
pub(super) const OF_THREAD: [&str; 5] = [
    "DELETE FROM wakes WHERE agent IN (SELECT agent FROM runners) AND id IN (SELECT ?1 || '.request' UNION ALL SELECT ?1 || '.older' \
     UNION ALL SELECT id || '.reply' FROM replies WHERE request = ?1 \
     UNION ALL SELECT incarnation || '.late_pick' FROM questions WHERE about = ?1)",
    "DELETE FROM wake_causes WHERE subject IN (SELECT id FROM replies WHERE request = ?1)",
    "DELETE FROM wake_causes WHERE kind = 'late_pick' AND subject IN (SELECT incarnation FROM questions WHERE about = ?1)",
    "DELETE FROM replies WHERE request = ?1",
    "DELETE FROM kept WHERE name IN ('written:' || ?1, 'thread-deleted:' || ?1)",
];

/// What stands under its key: where it is in a chat, and calls that were given up.
pub(super) const OF_KEY: [&str; 3] = [
    "DELETE FROM places WHERE incarnation = ?1",
    "DELETE FROM jobs WHERE incarnation = ?1",
    "DELETE FROM kept WHERE name = 'thread-of:' || ?1",
];

/// What is asked of the database for the list.
pub(super) fn listed() -> String {
    format!("SELECT id FROM requests WHERE {} ORDER BY at, number LIMIT ?4", is_old())
}

/// The condition, with the three moments as `?1` to `?3`.
fn is_old() -> String {
    format!(
        "at < ?1 AND (answered_at IS NOT NULL OR at < ?2) \
         AND NOT EXISTS (SELECT 1 FROM replies WHERE replies.request = requests.id AND replies.at >= ?1) \
         AND NOT EXISTS (SELECT 1 FROM questions WHERE questions.about = requests.id AND (ended_at IS NULL OR ended_at >= ?1 \
         OR ended_at >= ?3 AND {IS_TO_WAKE} OR EXISTS (SELECT 1 FROM dispatches WHERE dispatches.state = 'waiting' \
         AND dispatches.kind ->> '$.incarnation' = questions.incarnation))) \
         AND NOT EXISTS (SELECT 1 FROM replies WHERE replies.request = requests.id AND replies.at >= ?3 AND {REPLY_IS_TO_WAKE}) \
         AND id NOT IN (SELECT kind ->> '$.request' FROM jobs WHERE state <> 'failed' AND kind ->> '$.request' IS NOT NULL) \
         AND id NOT IN (SELECT kind ->> '$.request' FROM dispatches WHERE state = 'waiting' AND kind ->> '$.request' IS NOT NULL)"
    )
}

/// Whoever asked keeps a runner, which has not heard of this reply yet or is not done with it.
const REPLY_IS_TO_WAKE: &str = "(EXISTS (SELECT 1 FROM wake_causes WHERE subject = replies.id) \
    OR EXISTS (SELECT 1 FROM wakes w WHERE w.agent = substr(requests.party, length('agent:') + 1) AND w.state = 'waiting' \
    AND w.id = replies.id || '.reply'))";

fn moments(old: OldRequests) -> [i64; 3] {
    [old.quiet_since, old.made_before, old.woken_since].map(Time::as_millis)
}

fn id(row: &SqliteRow) -> Stored<RequestId> {
    let text: &str = row.try_get("id")?;
    RequestId::parse(text).map_err(|error| corrupt("a request's id", &error))
}
