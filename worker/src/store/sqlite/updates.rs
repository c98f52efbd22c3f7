//! Published updates, as statements: a new one within its source's limits, a mark, lists.

use pager_questions::{Author, Incarnation, Time, Update, UpdateId};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::readers::Readers;
use super::rows::corrupt;
use crate::store::{
    Cursor, Full, Kept, Limits, ListedUpdate, SETTLED_THAT_STAY, SPARE_BYTES, ShownUpdates, StoreError, Stored, UpdateListing,
};

/// Dismissed updates of a source of which nothing is left to be shown in Telegram; the one dismissed last comes first.
const SETTLED: &str =
    "NOT EXISTS (SELECT 1 FROM jobs WHERE incarnation = substr(published_updates.id, 3) AND jobs.state <> 'failed')";

/// Stores a new one. The oldest dismissed ones of its source make room for it, as far as it takes.
pub(super) async fn publish(
    connection: &mut SqliteConnection,
    update: &Update,
    limits: Limits,
) -> Result<Stored<()>, sqlx::Error> {
    let (agent, publication) = (update.source.agent.as_str(), update.publication_id.as_deref());
    let known = sqlx::query("SELECT 1 FROM published_updates WHERE agent = ? AND publication = ?").bind(agent).bind(publication);
    if known.fetch_optional(&mut *connection).await?.is_some() {
        return Ok(Err(StoreError::Conflict));
    }
    let content = text(update);
    let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
    let gone = match room(connection, agent, bytes, limits).await? {
        Ok(gone) => gone,
        Err(full) => return Ok(Err(StoreError::Full(full))),
    };
    forget(connection, &gone).await?;
    let query = sqlx::query(
        "INSERT INTO published_updates (id, agent, publication, state, at, bytes, content) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    let query = query.bind(update.id.as_str()).bind(agent).bind(publication).bind(update.state.name());
    query.bind(update.at.as_millis()).bind(bytes).bind(content).execute(connection).await?;
    Ok(Ok(()))
}

/// Stores its next state. How many rows that changed: none when it is not in the state that this was made from.
pub(super) async fn mark(connection: &mut SqliteConnection, update: &Update, from: &str) -> Result<u64, sqlx::Error> {
    let dismissed_at = update.state.dismissed_at();
    let query = sqlx::query("UPDATE published_updates SET state = ?, dismissed_at = ?, content = ? WHERE id = ? AND state = ?");
    let query = query.bind(update.state.name()).bind(dismissed_at.map(Time::as_millis)).bind(text(update));
    let rows = query.bind(update.id.as_str()).bind(from).execute(&mut *connection).await?.rows_affected();
    if rows > 0 && dismissed_at.is_some() {
        let statement = format!(
            "SELECT id FROM (SELECT id FROM published_updates WHERE agent = ? AND state = 'dismissed' \
             ORDER BY dismissed_at DESC, number DESC LIMIT -1 OFFSET {SETTLED_THAT_STAY}) AS published_updates WHERE {SETTLED}"
        );
        let query = sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).bind(update.source.agent.as_str());
        let gone: Vec<String> = query.fetch_all(&mut *connection).await?;
        forget(connection, &gone).await?;
    }
    Ok(rows)
}

/// The ids of dismissed ones that have to go so that one more of so many bytes fits; when that is not enough none goes.
async fn room(
    connection: &mut SqliteConnection,
    agent: &str,
    bytes: i64,
    limits: Limits,
) -> Result<Result<Vec<String>, Full>, sqlx::Error> {
    if limits == Limits::NONE {
        return Ok(Ok(Vec::new()));
    }
    let counted = |bytes: i64| bytes.unsigned_abs() + u64::from(SPARE_BYTES);
    let fits = |most: u32, count: u64| most == 0 || count <= u64::from(most);
    let query = sqlx::query_as("SELECT count(*), coalesce(sum(bytes), 0) FROM published_updates WHERE agent = ?").bind(agent);
    let (count, sum): (i64, i64) = query.fetch_one(&mut *connection).await?;
    let (records, size) = (count.unsigned_abs(), sum.unsigned_abs() + count.unsigned_abs() * u64::from(SPARE_BYTES));
    let (mut with_it, mut size_with_it, mut gone) = (records + 1, size + counted(bytes), Vec::new());
    if fits(limits.records, with_it) && fits(limits.bytes, size_with_it) {
        return Ok(Ok(gone));
    }
    let statement = format!(
        "SELECT id, bytes FROM published_updates WHERE agent = ? AND state = 'dismissed' AND {SETTLED} ORDER BY dismissed_at, number"
    );
    let settled: Vec<(String, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(statement)).bind(agent).fetch_all(connection).await?;
    for (id, bytes) in settled {
        (with_it, size_with_it) = (with_it - 1, size_with_it.saturating_sub(counted(bytes)));
        gone.push(id);
        if fits(limits.records, with_it) && fits(limits.bytes, size_with_it) {
            return Ok(Ok(gone));
        }
    }
    Ok(Err(Full { of: Kept::Records, limits, records, bytes: size, asked: counted(bytes) }))
}

/// They are gone, and so is what is known of where they are shown.
async fn forget(connection: &mut SqliteConnection, ids: &[String]) -> Result<(), sqlx::Error> {
    for id in ids {
        sqlx::query("DELETE FROM places WHERE incarnation = substr(?, 3)").bind(id).execute(&mut *connection).await?;
        sqlx::query("DELETE FROM published_updates WHERE id = ?").bind(id).execute(&mut *connection).await?;
    }
    Ok(())
}

pub(super) async fn one(readers: &Readers, id: &UpdateId) -> Stored<Option<Update>> {
    let query = sqlx::query("SELECT content FROM published_updates WHERE id = ?").bind(id.as_str());
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(update).transpose()
}

pub(super) async fn published(readers: &Readers, agent: &Author, publication: &str) -> Stored<Option<Update>> {
    let query = sqlx::query("SELECT content FROM published_updates WHERE agent = ? AND publication = ?");
    let query = query.bind(agent.as_str()).bind(publication);
    query.fetch_optional(&mut *readers.one().await?).await?.as_ref().map(update).transpose()
}

pub(super) async fn newest(readers: &Readers, listing: &UpdateListing) -> Stored<Vec<ListedUpdate>> {
    let of_source = if listing.source.is_some() { "agent = ?1" } else { "?1 IS NULL" };
    let in_state = match listing.shown {
        ShownUpdates::NotDismissed => "state <> 'dismissed'",
        ShownUpdates::Unread => "state = 'unread'",
        ShownUpdates::Read => "state = 'read'",
        ShownUpdates::Dismissed => "state = 'dismissed'",
        ShownUpdates::All => "1",
    };
    let statement = format!(
        "SELECT number, at, content FROM published_updates WHERE {of_source} AND {in_state} AND (at, number) < (?2, ?3) \
         ORDER BY at DESC, number DESC LIMIT ?4"
    );
    let (at, number) = listing.after.as_ref().map_or((i64::MAX, i64::MAX), |after| (after.asked_at, after.number));
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(listing.source.as_ref().map(Author::as_str));
    let query = query.bind(at).bind(number).bind(listing.limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(listed).collect()
}

pub(super) async fn count_unread(readers: &Readers) -> Stored<u64> {
    let query = sqlx::query_scalar("SELECT count(*) FROM published_updates WHERE state = 'unread'");
    let count: i64 = query.fetch_one(&mut *readers.one().await?).await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Unread ones whose message stands nowhere, oldest first.
pub(super) async fn unshown(readers: &Readers) -> Stored<Vec<Incarnation>> {
    let query = sqlx::query(
        "SELECT substr(id, 3) AS incarnation FROM published_updates WHERE state = 'unread' AND NOT EXISTS \
         (SELECT 1 FROM places WHERE places.incarnation = substr(published_updates.id, 3) AND message <> 0) ORDER BY number",
    );
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(super::rows::incarnation).collect()
}

fn text(update: &Update) -> String {
    serde_json::to_string(update).expect("an update is plain JSON")
}

fn update(row: &SqliteRow) -> Stored<Update> {
    let text: &str = row.try_get("content")?;
    serde_json::from_str(text).map_err(|error| corrupt("an update", &error))
}

fn listed(row: &SqliteRow) -> Stored<ListedUpdate> {
    let cursor = Cursor { hard: false, asked_at: row.try_get("at")?, number: row.try_get("number")? };
    Ok(ListedUpdate { update: update(row)?, cursor })
}
