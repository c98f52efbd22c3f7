//! Wakes of agents that keep a runner, as statements.

use pager_questions::{Author, Party, Request, Time, WakeId};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::apply::Statement;
use super::readers::Readers;
use super::rows::corrupt;
use super::threads;
use crate::store::{CauseKind, OfInterest, Runner, Stored, StoredWake, WakeCause, WakeState};

/// What happened to an agent since this moment (`?3`), before it kept a runner; a deadline that passed, since an earlier one (`?4`).
pub(super) const BEFORE: &str = "\
    INSERT INTO wake_causes (agent, kind, subject, at) SELECT agent, kind, subject, at FROM ( \
    SELECT agent, 'ended' AS kind, incarnation AS subject, ended_at AS at FROM questions WHERE agent = ?1 AND ended_at > ?4 \
    AND (ended_at > ?3 OR state IN ('defaulted', 'expired')) \
    UNION ALL SELECT put_to, 'awaiting', incarnation, asked_at FROM questions WHERE state = 'open' AND put_to = ?1 AND asked_at > ?3 \
    UNION ALL SELECT ?1, 'reply', r.id, r.at FROM requests q JOIN replies r ON r.request = q.id \
    WHERE q.party = ?2 AND r.party <> q.party AND r.kind <> 'late_pick' AND r.at > ?3 \
    UNION ALL SELECT q.agent, 'late_pick', q.incarnation, r.at FROM replies r \
    JOIN questions q ON q.id = json_extract(r.reply, '$.offer') WHERE r.kind = 'late_pick' AND r.at > ?3 AND q.agent = ?1 \
    ) ORDER BY at";

/// A deadline wakes however old it is. What passed longer than this before the agent kept a runner was never meant for one.
const OLDEST_DEADLINE: i64 = 30 * 24 * 3600 * 1000;

/// A cause of a deadline that passed, or one from after this moment (`?1`): a deadline is woken for however old it is.
const STILL_WAKES: &str = "(at > ?1 OR kind = 'ended' AND EXISTS \
    (SELECT 1 FROM questions q WHERE q.incarnation = subject AND q.state IN ('defaulted', 'expired')))";

/// Registers a runner, once, with what happened since.
pub(super) async fn register(connection: &mut SqliteConnection, runner: &Runner) -> Result<(), sqlx::Error> {
    let query = sqlx::query("INSERT INTO runners (agent, since) VALUES (?, ?) ON CONFLICT DO NOTHING");
    let query = query.bind(runner.agent.as_str()).bind(runner.since.as_millis());
    if query.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(());
    }
    let query = sqlx::query(BEFORE).bind(runner.agent.as_str()).bind(Party::Agent(runner.agent.clone()).to_string());
    let query = query.bind(runner.since.as_millis()).bind(runner.since.as_millis() - OLDEST_DEADLINE);
    query.execute(connection).await.map(|_| ())
}

/// Lists one; one that there is stays as it is.
pub(super) fn add(wake: &StoredWake) -> Statement<'_> {
    let query = sqlx::query("INSERT INTO wakes (agent, id, author, at, state) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
    let query = query.bind(wake.agent.as_str()).bind(wake.id.to_string()).bind(wake.author.as_deref());
    query.bind(wake.at.as_millis()).bind(wake.state.as_str())
}

pub(super) fn settle_causes(agent: &Author, since: Time, up_to: i64) -> Statement<'_> {
    let statement = format!("DELETE FROM wake_causes WHERE agent = ?2 AND number <= ?3 AND {STILL_WAKES}");
    sqlx::query(sqlx::AssertSqlSafe(statement)).bind(since.as_millis()).bind(agent.as_str()).bind(up_to)
}

/// How many rows that changed: none when it does not wait any more, or has another mark.
pub(super) async fn change(connection: &mut SqliteConnection, next: &StoredWake, from: Option<&str>) -> Result<u64, sqlx::Error> {
    let query = sqlx::query(
        "UPDATE wakes SET state = ?, mark = ?, lease_until = ?, times = ? \
         WHERE agent = ? AND id = ? AND state = 'waiting' AND mark IS ?",
    );
    let query = query.bind(next.state.as_str()).bind(next.mark.as_deref()).bind(next.lease_until.map(Time::as_millis));
    let query = query.bind(next.times).bind(next.agent.as_str()).bind(next.id.to_string()).bind(from);
    Ok(query.execute(connection).await?.rows_affected())
}

pub(super) fn acknowledge(wake: &StoredWake) -> Statement<'_> {
    let query = sqlx::query(
        "INSERT INTO wakes (agent, id, author, at, state) VALUES (?, ?, ?, ?, 'done') \
         ON CONFLICT DO UPDATE SET state = 'done', mark = NULL, lease_until = NULL",
    );
    query.bind(wake.agent.as_str()).bind(wake.id.to_string()).bind(wake.author.as_deref()).bind(wake.at.as_millis())
}

/// Forgets what is over, and causes that nobody listed in time. A deadline that passed is woken for however old it is.
pub(super) async fn forget(connection: &mut SqliteConnection, wakes: Time, causes: Time) -> Result<(), sqlx::Error> {
    let query = sqlx::query("DELETE FROM wakes WHERE state <> 'waiting' AND at < ?").bind(wakes.as_millis());
    query.execute(&mut *connection).await?;
    sqlx::query(sqlx::AssertSqlSafe(causes_before())).bind(causes.as_millis()).execute(connection).await.map(|_| ())
}

/// Takes causes from before the moment `?1` away.
pub(super) fn causes_before() -> String {
    format!("DELETE FROM wake_causes WHERE at < ?1 AND NOT {STILL_WAKES}")
}

pub(super) async fn runner(readers: &Readers, agent: &Author) -> Stored<Option<Runner>> {
    let query = sqlx::query_scalar("SELECT since FROM runners WHERE agent = ?").bind(agent.as_str());
    let since: Option<i64> = query.fetch_optional(&mut *readers.one().await?).await?;
    Ok(since.map(|since| Runner { agent: agent.clone(), since: Time::from_millis(since) }))
}

pub(super) async fn causes(readers: &Readers, agent: &Author, since: Time, limit: u32) -> Stored<Vec<WakeCause>> {
    let statement =
        format!("SELECT number, kind, subject, at FROM wake_causes WHERE agent = ?2 AND {STILL_WAKES} ORDER BY number LIMIT ?3");
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(since.as_millis()).bind(agent.as_str()).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(read_cause).collect()
}

/// Past the limit the agent's own come first, then those of each author in turn: nobody who asks a lot hides what others ask.
pub(super) async fn waiting(readers: &Readers, agent: &Author, limit: u32) -> Stored<Vec<StoredWake>> {
    let query = sqlx::query(
        "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY author ORDER BY at, number) AS turn FROM wakes \
         WHERE agent = ? AND state = 'waiting' ORDER BY author IS NOT NULL, turn, at, number LIMIT ?) ORDER BY at, number",
    );
    let query = query.bind(agent.as_str()).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(|row| read(row, agent)).collect()
}

pub(super) async fn one(readers: &Readers, agent: &Author, id: &WakeId) -> Stored<Option<StoredWake>> {
    let query = sqlx::query("SELECT * FROM wakes WHERE agent = ? AND id = ?").bind(agent.as_str()).bind(id.to_string());
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(|row| read(row, agent)).transpose()
}

pub(super) async fn of_interest(readers: &Readers, wanted: &OfInterest) -> Stored<Vec<Request>> {
    let query = sqlx::query(
        "SELECT q.request FROM requests q WHERE q.answered_at IS NULL AND q.at > ?1 AND q.at <= ?2 AND q.party <> ?3 \
         AND (?5 = '[]' OR json_array_length(q.request, '$.tags') = 0 \
         OR EXISTS (SELECT 1 FROM json_each(q.request, '$.tags') t JOIN json_each(?5) s ON s.value = t.value)) \
         AND NOT EXISTS (SELECT 1 FROM wakes w WHERE w.agent = ?4 AND w.id = q.id || ?6) \
         AND NOT EXISTS (SELECT 1 FROM replies r WHERE r.request = q.id AND r.party = ?3) \
         AND NOT EXISTS (SELECT 1 FROM questions o WHERE o.about = q.id AND o.agent = ?4) \
         ORDER BY q.at, q.number LIMIT ?7",
    );
    let skills = serde_json::to_string(&wanted.skills).expect("texts are plain JSON");
    let query = query.bind(wanted.since.as_millis()).bind(wanted.until.as_millis());
    let query = query.bind(Party::Agent(wanted.agent.clone()).to_string()).bind(wanted.agent.as_str());
    let query = query.bind(skills).bind(format!(".{}", wanted.reason.as_str())).bind(wanted.limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(threads::read_request).collect()
}

/// Did nobody else answer this request, and did the agent not post in its thread?
pub(super) async fn is_of_interest_still(readers: &Readers, agent: &Author, request: &str) -> Stored<bool> {
    let query = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM requests q WHERE q.id = ?1 AND q.answered_at IS NULL \
         AND NOT EXISTS (SELECT 1 FROM replies r WHERE r.request = q.id AND r.party = ?2) \
         AND NOT EXISTS (SELECT 1 FROM questions o WHERE o.about = q.id AND o.agent = ?3))",
    );
    let query = query.bind(request).bind(Party::Agent(agent.clone()).to_string()).bind(agent.as_str());
    Ok(query.fetch_one(&mut *readers.one().await?).await?)
}

fn read_cause(row: &SqliteRow) -> Stored<WakeCause> {
    let kind: &str = row.try_get("kind")?;
    Ok(WakeCause {
        number: row.try_get("number")?,
        kind: CauseKind::parse(kind).ok_or_else(|| corrupt("the cause of a wake", &kind))?,
        subject: row.try_get("subject")?,
        at: Time::from_millis(row.try_get("at")?),
    })
}

fn read(row: &SqliteRow, agent: &Author) -> Stored<StoredWake> {
    let (id, state): (&str, &str) = (row.try_get("id")?, row.try_get("state")?);
    Ok(StoredWake {
        agent: agent.clone(),
        id: WakeId::parse(id).map_err(|error| corrupt("a wake", &error))?,
        author: row.try_get("author")?,
        at: Time::from_millis(row.try_get("at")?),
        state: WakeState::parse(state).ok_or_else(|| corrupt("a wake's state", &state))?,
        mark: row.try_get("mark")?,
        lease_until: row.try_get::<Option<i64>, _>("lease_until")?.map(Time::from_millis),
        times: row.try_get("times")?,
    })
}
