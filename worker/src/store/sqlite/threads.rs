//! Requests, what is replied to them and what is asked about them, as statements.

use pager_questions::unanswered::OVER_AFTER_MILLIS;
use pager_questions::{Author, Party, Record, Reply, ReplyId, ReplyKind, Request, RequestId, ThreadId, Time};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::readers::Readers;
use super::rows::{self, corrupt};
use crate::store::{Cursor, Full, Kept, Limits, ListedRequest, RequestListing, StoreError, Stored};

/// How much of what a party asked for is unanswered. It is counted while nobody else can write.
pub(super) const COUNT_UNANSWERED: &str = "SELECT count(*) FROM requests WHERE party = ? AND at > ? AND answered_at IS NULL";
/// What is asked about any of so many threads.
pub(super) const ABOUT_ANY: &str = "\
    SELECT record FROM json_each(?) CROSS JOIN questions ON questions.about = json_each.value ORDER BY questions.number";

/// Stores one of somebody's words; of one origin only the first.
pub(super) async fn add_request(connection: &mut SqliteConnection, request: &Request, origin: &str) -> Result<(), sqlx::Error> {
    if insert_request(connection, request, origin).await? > 0 {
        use_id(connection, request).await?;
    }
    Ok(())
}

/// Stores a new one, when its id and its origin are new and there is room for it.
pub(super) async fn make_request(
    connection: &mut SqliteConnection,
    request: &Request,
    origin: &str,
    most: u32,
) -> Result<Stored<()>, sqlx::Error> {
    let since = request.at.as_millis().saturating_sub(OVER_AFTER_MILLIS);
    let query = sqlx::query_scalar(COUNT_UNANSWERED);
    let count: i64 = query.bind(request.party().to_string()).bind(since).fetch_one(&mut *connection).await?;
    if let Some(full) = full(Kept::Requests, most, count) {
        return Ok(Err(full));
    }
    if use_id(connection, request).await? == 0 {
        return Ok(Err(StoreError::Conflict));
    }
    let stored = insert_request(connection, request, origin).await?;
    Ok(if stored == 0 { Err(StoreError::Conflict) } else { Ok(()) })
}

/// Stores a new one, when its origin is new and there is room for it.
pub(super) async fn add_reply(
    connection: &mut SqliteConnection,
    reply: &Reply,
    origin: &str,
    most: u32,
) -> Result<Stored<()>, sqlx::Error> {
    let party = Party::of(&reply.author).map(|party| party.to_string()).unwrap_or_default();
    let query = sqlx::query_scalar("SELECT count(*) FROM replies WHERE request = ? AND party = ?");
    let count: i64 = query.bind(reply.request.as_str()).bind(&party).fetch_one(&mut *connection).await?;
    if let Some(full) = full(Kept::Replies, most, count) {
        return Ok(Err(full));
    }
    let query = sqlx::query(
        "INSERT INTO replies (id, origin, request, kind, party, at, reply) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    let query = query.bind(reply.id.as_str()).bind(origin).bind(reply.request.as_str()).bind(kind_name(reply.kind)).bind(party);
    let text = serde_json::to_string(reply).expect("a reply is plain JSON");
    if query.bind(reply.at.as_millis()).bind(text).execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(Err(StoreError::Conflict));
    }
    if reply.kind == ReplyKind::Answer {
        let query = sqlx::query("UPDATE requests SET answered_at = ? WHERE id = ? AND answered_at IS NULL");
        query.bind(reply.at.as_millis()).bind(reply.request.as_str()).execute(&mut *connection).await?;
    }
    Ok(Ok(()))
}

fn full(of: Kept, most: u32, count: i64) -> Option<StoreError> {
    let records = count.unsigned_abs();
    let limits = Limits { records: most, ..Limits::NONE };
    (most > 0 && records >= u64::from(most)).then_some(StoreError::Full(Full { of, limits, records, bytes: 0, asked: 0 }))
}

async fn insert_request(connection: &mut SqliteConnection, request: &Request, origin: &str) -> Result<u64, sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO requests (id, origin, at, party, request) VALUES (?, ?, ?, ?, ?) ON CONFLICT (origin) DO NOTHING",
    );
    let text = serde_json::to_string(request).expect("a request is plain JSON");
    let query = query.bind(request.id.as_str()).bind(origin).bind(request.at.as_millis());
    Ok(query.bind(request.party().to_string()).bind(text).execute(connection).await?.rows_affected())
}

/// Requests and questions have one name space.
async fn use_id(connection: &mut SqliteConnection, request: &Request) -> Result<u64, sqlx::Error> {
    let query = sqlx::query("INSERT INTO used_ids (id) VALUES (?) ON CONFLICT DO NOTHING").bind(request.id.as_str());
    Ok(query.execute(connection).await?.rows_affected())
}

fn kind_name(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::Answer => "answer",
        ReplyKind::Message => "message",
        ReplyKind::LatePick => "late_pick",
    }
}

pub(super) async fn request(readers: &Readers, id: &RequestId) -> Stored<Option<Request>> {
    let query = sqlx::query("SELECT request FROM requests WHERE id = ?").bind(id.as_str());
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(read_request).transpose()
}

pub(super) async fn request_from(readers: &Readers, origin: &str) -> Stored<Option<Request>> {
    let query = sqlx::query("SELECT request FROM requests WHERE origin = ?").bind(origin);
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(read_request).transpose()
}

pub(super) async fn requests(readers: &Readers, listing: &RequestListing) -> Stored<Vec<ListedRequest>> {
    let of_party = if listing.party.is_some() { "party = ?1" } else { "?1 IS NULL" };
    let tagged = match listing.tag {
        Some(_) => "EXISTS (SELECT 1 FROM json_each(request, '$.tags') WHERE value = ?2)",
        None => "?2 IS NULL",
    };
    let answered = match listing.answered {
        None => "1",
        Some(true) => "answered_at IS NOT NULL",
        Some(false) => "answered_at IS NULL",
    };
    let statement = format!(
        "SELECT number, at, answered_at, request FROM requests WHERE {of_party} AND {tagged} AND {answered} \
         AND (at, number) < (?3, ?4) ORDER BY at DESC, number DESC LIMIT ?5"
    );
    let (at, number) = listing.after.as_ref().map_or((i64::MAX, i64::MAX), |cursor| (cursor.asked_at, cursor.number));
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(listing.party.as_ref().map(Party::to_string));
    let query = query.bind(listing.tag.as_deref()).bind(at).bind(number).bind(listing.limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(listed).collect()
}

pub(super) async fn unanswered(readers: &Readers, party: Option<&Party>, since: Time, limit: u32) -> Stored<Vec<Request>> {
    let query = sqlx::query(sqlx::AssertSqlSafe(unanswered_statement(party.is_some())))
        .bind(party.map(Party::to_string))
        .bind(since.as_millis())
        .bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(read_request).collect()
}

pub(super) fn unanswered_statement(of_one_party: bool) -> String {
    let of_party = if of_one_party { "party = ?1" } else { "?1 IS NULL" };
    format!("SELECT request FROM requests WHERE {of_party} AND at > ?2 AND answered_at IS NULL ORDER BY at, number LIMIT ?3")
}

pub(super) async fn replies(readers: &Readers, request: &RequestId) -> Stored<Vec<Reply>> {
    let query = sqlx::query("SELECT reply FROM replies WHERE request = ? ORDER BY number").bind(request.as_str());
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(read_reply).collect()
}

pub(super) async fn answers(readers: &Readers, request: &RequestId) -> Stored<u64> {
    let query = sqlx::query_scalar("SELECT count(*) FROM replies WHERE request = ? AND kind = ?");
    let query = query.bind(request.as_str()).bind(kind_name(ReplyKind::Answer));
    let count: i64 = query.fetch_one(&mut *readers.one().await?).await?;
    Ok(count.unsigned_abs())
}

pub(super) async fn reply(readers: &Readers, id: &ReplyId) -> Stored<Option<Reply>> {
    let query = sqlx::query("SELECT reply FROM replies WHERE id = ?").bind(id.as_str());
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(read_reply).transpose()
}

pub(super) async fn reply_from(readers: &Readers, origin: &str) -> Stored<Option<Reply>> {
    let query = sqlx::query("SELECT reply FROM replies WHERE origin = ?").bind(origin);
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(read_reply).transpose()
}

pub(super) async fn about(readers: &Readers, thread: &ThreadId) -> Stored<Vec<Record>> {
    let query = sqlx::query("SELECT record FROM questions WHERE about = ? ORDER BY number").bind(thread.as_str());
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) async fn about_any(readers: &Readers, threads: &[ThreadId]) -> Stored<Vec<Record>> {
    let threads: Vec<&str> = threads.iter().map(ThreadId::as_str).collect();
    let query = sqlx::query(ABOUT_ANY).bind(serde_json::to_string(&threads).expect("texts are plain JSON"));
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) async fn put_to(readers: &Readers, agent: &Author, limit: u32) -> Stored<Vec<Record>> {
    let query = sqlx::query("SELECT record FROM questions WHERE state = 'open' AND put_to = ? ORDER BY asked_at, number LIMIT ?");
    let query = query.bind(agent.as_str()).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) async fn opened_by(readers: &Readers, agent: &Author, since: Time, limit: u32) -> Stored<Vec<Record>> {
    let query = sqlx::query(
        "SELECT record FROM questions WHERE state = 'open' AND agent = ? AND asked_at > ? AND about IS NULL \
         ORDER BY asked_at, number LIMIT ?",
    );
    let query = query.bind(agent.as_str()).bind(since.as_millis()).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}

pub(super) fn read_request(row: &SqliteRow) -> Stored<Request> {
    let text: &str = row.try_get("request")?;
    serde_json::from_str(text).map_err(|error| corrupt("a request", &error))
}

fn read_reply(row: &SqliteRow) -> Stored<Reply> {
    let text: &str = row.try_get("reply")?;
    serde_json::from_str(text).map_err(|error| corrupt("a reply", &error))
}

fn listed(row: &SqliteRow) -> Stored<ListedRequest> {
    let cursor = Cursor { hard: false, asked_at: row.try_get("at")?, number: row.try_get("number")? };
    let answered_at: Option<i64> = row.try_get("answered_at")?;
    Ok(ListedRequest { request: read_request(row)?, answered_at: answered_at.map(Time::from_millis), cursor })
}
