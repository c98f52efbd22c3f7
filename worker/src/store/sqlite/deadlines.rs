//! Open questions that their deadline ends, earliest first. The condition is that of the index, word for word.

use pager_questions::{Record, Time};

use super::readers::Readers;
use super::rows;
use crate::store::{StoreError, Stored};

const NEXT: &str = "\
    SELECT json_extract(record, '$.question.deadline') FROM questions \
    WHERE state = 'open' AND json_extract(record, '$.question.deadline') IS NOT NULL \
    AND (json_extract(record, '$.question.default') IS NOT NULL OR json_extract(record, '$.question.purpose') = 'approval') \
    ORDER BY json_extract(record, '$.question.deadline') LIMIT 1";
const DUE: &str = "\
    SELECT record FROM questions \
    WHERE state = 'open' AND json_extract(record, '$.question.deadline') IS NOT NULL \
    AND (json_extract(record, '$.question.default') IS NOT NULL OR json_extract(record, '$.question.purpose') = 'approval') \
    AND json_extract(record, '$.question.deadline') <= ? ORDER BY json_extract(record, '$.question.deadline') LIMIT ?";

pub(super) async fn next(readers: &Readers) -> Stored<Option<Time>> {
    let next: Option<String> = sqlx::query_scalar(NEXT).fetch_optional(&mut *readers.one().await?).await?;
    let read = |text: String| Time::parse(&text).ok_or_else(|| StoreError::Unusable(format!("{text} is no deadline")));
    next.map(read).transpose()
}

pub(super) async fn due(readers: &Readers, now: Time, limit: u32) -> Stored<Vec<Record>> {
    let query = sqlx::query(DUE).bind(now.to_string()).bind(limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(rows::record).collect()
}
