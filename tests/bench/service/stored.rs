//! Fills a store with many questions and requests: copies of a few that the service itself stored, made in the store, since asking a
//! million takes an hour.

use anyhow::Context;
use sqlx::sqlite::SqliteConnection;
use sqlx::{query, query_scalar};

use super::daemon::Daemon;
use super::questions::{self, FIRST_OPTION};
use super::runners;

/// How many copies of each.
#[derive(Debug)]
pub struct Amount {
    /// Open ones of the agent, an hour old.
    pub questions: usize,
    /// Answered ones, ten to forty days old: no answer is looked for in the repository any more.
    pub ended: usize,
    /// Open ones of an owner, an hour old.
    pub requests: usize,
    /// Answered ones, of the last two days, as young as those that are looked through.
    pub answered: usize,
}

/// The most rows of one transaction.
const AT_ONCE: usize = 50_000;

const QUESTIONS: &str = "\
    INSERT INTO questions (id, incarnation, agent, fingerprint, state, hard, asked_at, ended_at, revision, record, in_window) \
    WITH RECURSIVE counted (nth) AS (SELECT ?2 UNION ALL SELECT nth + 1 FROM counted WHERE nth < ?3), \
    made AS (SELECT nth, printf('%08x%08x', length(?1), nth) AS key, ?4 + (nth * 7919 % 1000) * ?5 / 1000 AS age FROM counted) \
    SELECT q.id || '-' || nth, key, agent, fingerprint || nth, state, hard, asked_at - age, ended_at - age, revision, \
    json_set(replace(record, incarnation, key), '$.question.id', q.id || '-' || nth, \
    '$.question.asked_at', strftime('%Y-%m-%dT%H:%M:%S.000Z', (asked_at - age) / 1000, 'unixepoch')), ended_at IS NULL \
    FROM questions q, made WHERE q.id = ?1";

const REQUESTS: &str = "\
    INSERT INTO requests (id, origin, at, party, answered_at, request) \
    WITH RECURSIVE counted (nth) AS (SELECT ?2 UNION ALL SELECT nth + 1 FROM counted WHERE nth < ?3), \
    made AS (SELECT nth, ?4 + (nth * 7919 % 1000) * ?5 / 1000 AS age FROM counted) \
    SELECT id || '-' || ?6 || nth, id || '-' || ?6 || nth, at - age, party, iif(?6 = 'answered', at, NULL), \
    json_set(request, '$.id', id || '-' || ?6 || nth, '$.at', strftime('%Y-%m-%dT%H:%M:%S.000Z', (at - age) / 1000, 'unixepoch')) \
    FROM requests, made WHERE id = ?1";

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// Fills the store and starts the service anew, so that it has nothing of it in memory.
///
/// # Errors
/// When the service or the store refuses.
pub async fn fill(daemon: &mut Daemon, amount: &Amount) -> anyhow::Result<()> {
    let (open, ended, request) = originals(daemon).await?;
    let mut store = daemon.open_store().await?;
    for pragma in ["PRAGMA synchronous = OFF", "PRAGMA cache_size = -400000"] {
        query(pragma).execute(&mut store).await?;
    }
    copies(&mut store, QUESTIONS, &open, amount.questions, (60 * MINUTE, MINUTE), "").await?;
    copies(&mut store, QUESTIONS, &ended, amount.ended, (10 * DAY, 30 * DAY), "").await?;
    copies(&mut store, REQUESTS, &request, amount.requests, (60 * MINUTE, MINUTE), "open").await?;
    copies(&mut store, REQUESTS, &request, amount.answered, (2 * 60 * MINUTE, 2 * DAY), "answered").await?;
    for statement in [
        "INSERT INTO used_ids (id) SELECT id FROM questions WHERE true ON CONFLICT DO NOTHING",
        "DELETE FROM happenings WHERE number < (SELECT max(number) FROM happenings)",
        "PRAGMA wal_checkpoint(TRUNCATE)",
    ] {
        query(statement).execute(&mut store).await?;
    }
    drop(store);
    daemon.restart().await.map(|_| ())
}

/// An open question, an answered one and a request.
async fn originals(daemon: &Daemon) -> anyhow::Result<(String, String, String)> {
    let (mut agent, mut owner) = (daemon.agent().await?, daemon.owner().await?);
    let (open, ended) = (questions::ask(&mut agent).await?, questions::ask(&mut agent).await?);
    owner.post(&format!("/v1/questions/{ended}/answer"), FIRST_OPTION).await?.with(200)?;
    owner.post("/v1/requests", &runners::request(Some(runners::OWN))).await?.with(201)?;
    let mut store = daemon.open_store().await?;
    let request = query_scalar("SELECT id FROM requests").fetch_one(&mut store).await?;
    // The two must differ in length: the keys of their copies begin with it.
    query("UPDATE questions SET id = id || '-ended' WHERE id = ?").bind(&ended).execute(&mut store).await?;
    Ok((open, format!("{ended}-ended"), request))
}

/// So many copies: of an age of `first` milliseconds, and up to `first + spread`.
async fn copies(
    store: &mut SqliteConnection,
    statement: &'static str,
    original: &str,
    count: usize,
    (first, spread): (i64, i64),
    kind: &str,
) -> anyhow::Result<()> {
    for from in (0..count).step_by(AT_ONCE) {
        let (from, to) = (i64::try_from(from)? + 1, i64::try_from((from + AT_ONCE).min(count))?);
        let made = query(statement).bind(original).bind(from).bind(to).bind(first).bind(spread).bind(kind);
        made.execute(&mut *store).await.with_context(|| format!("copies {from} to {to} of {original}"))?;
    }
    Ok(())
}
