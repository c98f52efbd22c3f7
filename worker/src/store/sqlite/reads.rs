//! Questions to the store, one function each.

use pager_questions::{Author, Incarnation, QuestionId, Record, Time};

use super::readers::Readers;
use super::rows;
use crate::store::{Cursor, EventFile, Job, Listed, Listing, LoginLink, Place, Received, Session, StoreError, Stored, Token};

/// Another index of open ones would read each record for whom it is put to.
pub(super) const COUNT_OPEN: &str =
    "SELECT count(*) FROM questions INDEXED BY questions_open WHERE state = 'open' AND put_to IS NULL";

pub(super) async fn record(readers: &Readers, id: &QuestionId) -> Stored<Option<Record>> {
    let row = sqlx::query("SELECT record FROM questions WHERE id = ?")
        .bind(id.as_str())
        .fetch_optional(&mut *readers.one().await?)
        .await?;
    row.as_ref().map(rows::record).transpose()
}

pub(super) async fn record_of(readers: &Readers, incarnation: &Incarnation) -> Stored<Option<Record>> {
    let query = sqlx::query("SELECT record FROM questions WHERE incarnation = ?").bind(incarnation.as_str());
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(rows::record).transpose()
}

pub(super) async fn published(readers: &Readers, agent: &Author, publication: &str) -> Stored<Option<Record>> {
    let query = sqlx::query("SELECT record FROM questions WHERE agent = ? AND publication = ?");
    query
        .bind(agent.as_str())
        .bind(publication)
        .fetch_optional(&mut *readers.one().await?)
        .await?
        .as_ref()
        .map(rows::record)
        .transpose()
}

pub(super) async fn pending_like(readers: &Readers, agent: &Author, fingerprint: &str) -> Stored<Option<Record>> {
    let query = sqlx::query(
        "SELECT record FROM questions WHERE agent = ? AND fingerprint = ? AND state IN ('open', 'answering') \
         ORDER BY number LIMIT 1",
    );
    query
        .bind(agent.as_str())
        .bind(fingerprint)
        .fetch_optional(&mut *readers.one().await?)
        .await?
        .as_ref()
        .map(rows::record)
        .transpose()
}

pub(super) async fn is_used(readers: &Readers, id: &QuestionId) -> Stored<bool> {
    let query = sqlx::query("SELECT 1 FROM used_ids WHERE id = ?").bind(id.as_str());
    Ok(query.fetch_optional(&mut *readers.one().await?).await?.is_some())
}

pub(super) async fn newest(readers: &Readers, listing: &Listing) -> Stored<Vec<Listed>> {
    // Absent conditions are written so that the index on the agent is still used when there is one.
    let statement = match listing.agent {
        Some(_) => {
            "SELECT number, hard, asked_at, record FROM questions WHERE agent = ?1 AND (?2 IS NULL OR state = ?2) \
             AND (asked_at, number) < (?3, ?4) ORDER BY asked_at DESC, number DESC LIMIT ?5"
        }
        None => {
            "SELECT number, hard, asked_at, record FROM questions WHERE ?1 IS NULL AND (?2 IS NULL OR state = ?2) \
             AND (asked_at, number) < (?3, ?4) ORDER BY asked_at DESC, number DESC LIMIT ?5"
        }
    };
    let (asked_at, number) = listing.after.as_ref().map_or((i64::MAX, i64::MAX), |after| (after.asked_at, after.number));
    let query = sqlx::query(statement).bind(listing.agent.as_ref().map(Author::as_str)).bind(listing.state.as_deref());
    query
        .bind(asked_at)
        .bind(number)
        .bind(listing.limit)
        .fetch_all(&mut *readers.one().await?)
        .await?
        .iter()
        .map(rows::listed)
        .collect()
}

pub(super) async fn open(readers: &Readers, limit: u32, after: Option<Cursor>) -> Stored<Vec<Listed>> {
    let after = after.unwrap_or(Cursor { hard: true, asked_at: i64::MIN, number: i64::MIN });
    let query = sqlx::query(
        "SELECT number, hard, asked_at, record FROM questions WHERE state = 'open' AND put_to IS NULL \
         AND (hard < ?1 OR (hard = ?1 AND (asked_at, number) > (?2, ?3))) \
         ORDER BY hard DESC, asked_at, number LIMIT ?4",
    );
    let query = query.bind(after.hard).bind(after.asked_at).bind(after.number).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::listed).collect()
}

pub(super) async fn with_key(readers: &Readers, key: &str, limit: u32) -> Stored<Vec<Record>> {
    // No hex digit sorts behind 'g', so this is every incarnation that begins so, and its index serves it.
    let query = sqlx::query(
        "SELECT record FROM questions WHERE incarnation >= ?1 AND incarnation < ?1 || 'g' \
         ORDER BY state IN ('open', 'answering') DESC, number DESC LIMIT ?2",
    );
    let query = query.bind(key).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) async fn count_open(readers: &Readers) -> Stored<u64> {
    let count: i64 = sqlx::query_scalar(COUNT_OPEN).fetch_one(&mut *readers.one().await?).await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

pub(super) async fn answering(readers: &Readers) -> Stored<Vec<Record>> {
    let query = sqlx::query("SELECT record FROM questions WHERE state = 'answering' ORDER BY number");
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) async fn ended_since(readers: &Readers, since: Time) -> Stored<Vec<Record>> {
    let query = sqlx::query("SELECT record FROM questions WHERE ended_at >= ? ORDER BY ended_at").bind(since.as_millis());
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) async fn ended_at(readers: &Readers, ids: &[QuestionId]) -> Stored<Vec<(QuestionId, Time)>> {
    let ids: Vec<&str> = ids.iter().map(QuestionId::as_str).collect();
    let ids = serde_json::to_string(&ids).map_err(|error| StoreError::Unusable(error.to_string()))?;
    let query = sqlx::query_as(
        "SELECT questions.id, ended_at FROM json_each(?) CROSS JOIN questions ON questions.id = json_each.value \
         WHERE ended_at IS NOT NULL",
    );
    let found: Vec<(String, i64)> = query.bind(ids).fetch_all(&mut *readers.one().await?).await?;
    let parsed = found.into_iter().filter_map(|(id, at)| Some((QuestionId::parse(&id).ok()?, Time::from_millis(at))));
    Ok(parsed.collect())
}

pub(super) async fn recently_ended(readers: &Readers, limit: u32) -> Stored<Vec<Record>> {
    let query = sqlx::query(
        "SELECT record FROM questions WHERE ended_at IS NOT NULL AND put_to IS NULL ORDER BY ended_at DESC, number DESC LIMIT ?",
    )
    .bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) async fn next_job(readers: &Readers, now: Time) -> Stored<Option<Job>> {
    let query = sqlx::query("SELECT * FROM jobs WHERE state = 'waiting' AND due_at <= ? ORDER BY class, number LIMIT 1");
    query.bind(now.as_millis()).fetch_optional(&mut *readers.one().await?).await?.as_ref().map(rows::job).transpose()
}

pub(super) async fn next_due(readers: &Readers) -> Stored<Option<Time>> {
    let due: Option<i64> =
        sqlx::query_scalar("SELECT min(due_at) FROM jobs WHERE state = 'waiting'").fetch_one(&mut *readers.one().await?).await?;
    Ok(due.map(Time::from_millis))
}

pub(super) async fn tried_jobs(readers: &Readers) -> Stored<Vec<Job>> {
    let query = sqlx::query("SELECT * FROM jobs WHERE state <> 'failed' AND attempts > 0 ORDER BY number");
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::job).collect()
}

pub(super) async fn unshown(readers: &Readers, now: Time) -> Stored<Vec<Incarnation>> {
    let query = sqlx::query(
        "SELECT incarnation FROM jobs WHERE state = 'waiting' AND kind ->> 'kind' IN ('create_topic', 'send_question') \
         AND (attempts > 0 OR due_at <= ?) GROUP BY incarnation ORDER BY min(class), min(number)",
    );
    query.bind(now.as_millis()).fetch_all(&mut *readers.one().await?).await?.iter().map(rows::incarnation).collect()
}

pub(super) async fn update_jobs(readers: &Readers) -> Stored<Vec<Job>> {
    let query =
        sqlx::query("SELECT * FROM jobs WHERE state = 'waiting' AND kind ->> 'kind' = 'send_update' ORDER BY class, number");
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::job).collect()
}

pub(super) async fn thread_jobs(readers: &Readers) -> Stored<Vec<Job>> {
    let query =
        sqlx::query("SELECT * FROM jobs WHERE state <> 'failed' AND kind ->> 'kind' = 'show_reply' ORDER BY class, number");
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::job).collect()
}

pub(super) async fn parked_jobs(readers: &Readers) -> Stored<Vec<Job>> {
    let query = sqlx::query("SELECT * FROM jobs WHERE state = 'parked' ORDER BY number");
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::job).collect()
}

pub(super) async fn jobs_of(readers: &Readers, incarnation: &Incarnation) -> Stored<Vec<Job>> {
    let query = sqlx::query("SELECT * FROM jobs WHERE incarnation = ? ORDER BY number").bind(incarnation.as_str());
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::job).collect()
}

pub(super) async fn event_files(readers: &Readers) -> Stored<Vec<EventFile>> {
    let query = sqlx::query_as("SELECT name, content, is_refused FROM event_files ORDER BY name");
    let rows: Vec<(String, String, bool)> = query.fetch_all(&mut *readers.one().await?).await?;
    Ok(rows.into_iter().map(|(name, content, is_refused)| EventFile { name, content, is_refused }).collect())
}

pub(super) async fn places(readers: &Readers, incarnation: &Incarnation) -> Stored<Vec<Place>> {
    let query = sqlx::query("SELECT * FROM places WHERE incarnation = ? ORDER BY thread, message").bind(incarnation.as_str());
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::place).collect()
}

pub(super) async fn place_in(readers: &Readers, chat: i64, thread: i64) -> Stored<Option<Place>> {
    let query = sqlx::query("SELECT * FROM places WHERE chat = ? AND thread = ? LIMIT 1").bind(chat).bind(thread);
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(rows::place).transpose()
}

pub(super) async fn unhandled_updates(readers: &Readers, limit: u32) -> Stored<Vec<Received>> {
    let query = sqlx::query("SELECT * FROM updates WHERE state = 'new' ORDER BY number LIMIT ?").bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::update).collect()
}

pub(super) async fn updates_with(readers: &Readers, words: &str, since: Time) -> Stored<Vec<Received>> {
    let query = sqlx::query("SELECT * FROM updates WHERE received_at >= ? AND instr(body, ?) > 0 ORDER BY number");
    query.bind(since.as_millis()).bind(words).fetch_all(&mut *readers.one().await?).await?.iter().map(rows::update).collect()
}

pub(super) async fn token(readers: &Readers, hash: &str) -> Stored<Option<Token>> {
    let query = sqlx::query("SELECT * FROM tokens WHERE hash = ? AND revoked_at IS NULL").bind(hash);
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(rows::token).transpose()
}

pub(super) async fn token_by_id(readers: &Readers, id: &str) -> Stored<Option<Token>> {
    let query = sqlx::query("SELECT * FROM tokens WHERE id = ? AND revoked_at IS NULL").bind(id);
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(rows::token).transpose()
}

pub(super) async fn tokens(readers: &Readers) -> Stored<Vec<Token>> {
    let query = sqlx::query("SELECT * FROM tokens ORDER BY created_at, id");
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::token).collect()
}

pub(super) async fn session(readers: &Readers, hash: &str, now: Time) -> Stored<Option<Session>> {
    let query = sqlx::query_as(
        "SELECT s.hash, s.token, t.name, s.csrf, s.expires_at FROM sessions s JOIN tokens t ON t.id = s.token \
         WHERE s.hash = ? AND s.expires_at > ? AND t.revoked_at IS NULL",
    );
    let row: Option<(String, String, String, String, i64)> =
        query.bind(hash).bind(now.as_millis()).fetch_optional(&mut *readers.one().await?).await?;
    Ok(row.map(|(hash, token, name, csrf, expires)| Session { hash, token, name, csrf, expires_at: Time::from_millis(expires) }))
}

pub(super) async fn login_link(readers: &Readers, hash: &str, now: Time) -> Stored<Option<LoginLink>> {
    let query = sqlx::query_as(
        "SELECT l.hash, l.token, l.expires_at FROM login_links l JOIN tokens t ON t.id = l.token \
         WHERE l.hash = ? AND l.expires_at > ? AND l.spent = 0 AND t.revoked_at IS NULL",
    );
    let row: Option<(String, String, i64)> =
        query.bind(hash).bind(now.as_millis()).fetch_optional(&mut *readers.one().await?).await?;
    Ok(row.map(|(hash, token, expires)| LoginLink { hash, token, expires_at: Time::from_millis(expires) }))
}

pub(super) async fn kept(readers: &Readers, name: &str) -> Stored<Option<String>> {
    Ok(sqlx::query_scalar("SELECT value FROM kept WHERE name = ?").bind(name).fetch_optional(&mut *readers.one().await?).await?)
}
