//! Open questions of the owner whose deadline is half gone and of which nobody was reminded, earliest first. The condition is that of
//! the index, word for word.

use pager_questions::{Record, Time};

use super::readers::Readers;
use super::rows;
use crate::store::Stored;

const NEXT: &str = "\
    SELECT remind_at FROM questions WHERE state = 'open' AND put_to IS NULL AND remind_at IS NOT NULL AND deadline > ? \
    ORDER BY remind_at LIMIT 1";
const DUE: &str = "\
    SELECT record FROM questions WHERE state = 'open' AND put_to IS NULL AND remind_at IS NOT NULL AND deadline > ? \
    AND remind_at <= ? ORDER BY remind_at LIMIT ?";

pub(super) async fn next(readers: &Readers, now: Time) -> Stored<Option<Time>> {
    let query = sqlx::query_scalar(NEXT).bind(now.to_string());
    let next: Option<i64> = query.fetch_optional(&mut *readers.one().await?).await?;
    Ok(next.map(Time::from_millis))
}

pub(super) async fn due(readers: &Readers, now: Time, limit: u32) -> Stored<Vec<Record>> {
    let query = sqlx::query(DUE).bind(now.to_string()).bind(now.as_millis()).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}
