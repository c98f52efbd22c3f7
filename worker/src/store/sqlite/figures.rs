//! Counting what the store holds.

use pager_questions::Time;

use super::readers::Readers;
use super::updates;
use crate::store::{Figures, Stored};

pub(super) async fn all(readers: &Readers) -> Stored<Figures> {
    let oldest_job = oldest_job(readers).await?;
    let unread = updates::count_unread(readers).await?;
    let mut connection = readers.one().await?;
    let open = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM questions WHERE state = 'open'");
    let open = open.fetch_one(&mut *connection).await?;
    let answering = sqlx::query_as(
        "SELECT count(*), count(json_extract(record, '$.state.answering.uncertain')) FROM questions WHERE state = 'answering'",
    );
    let (answering, uncertain): (i64, i64) = answering.fetch_one(&mut *connection).await?;
    let jobs = sqlx::query_as(
        "SELECT json_extract(kind, '$.kind'), state, count(*) FROM jobs GROUP BY json_extract(kind, '$.kind'), state ORDER BY 1, 2",
    );
    let jobs: Vec<(String, String, i64)> = jobs.fetch_all(&mut *connection).await?;
    let received = sqlx::query_as("SELECT state, count(*) FROM updates GROUP BY state ORDER BY state");
    let received: Vec<(String, i64)> = received.fetch_all(&mut *connection).await?;
    let dispatches = sqlx::query_as(
        "SELECT 'pager-' || json_extract(kind, '$.kind'), state, count(*) FROM dispatches GROUP BY 1, 2 ORDER BY 1, 2",
    );
    let dispatches: Vec<(String, String, i64)> = dispatches.fetch_all(&mut *connection).await?;
    let oldest = sqlx::query_scalar("SELECT min(made_at) FROM dispatches WHERE state = 'waiting'");
    let oldest_dispatch: Option<i64> = oldest.fetch_one(&mut *connection).await?;
    Ok(Figures {
        open: open.unsigned_abs(),
        answering: answering.unsigned_abs(),
        uncertain: uncertain.unsigned_abs(),
        unread,
        jobs: jobs.into_iter().map(|(kind, state, count)| (kind, state, count.unsigned_abs())).collect(),
        oldest_job,
        dispatches: dispatches.into_iter().map(|(kind, state, count)| (kind, state, count.unsigned_abs())).collect(),
        oldest_dispatch: oldest_dispatch.map(Time::from_millis),
        updates: received.into_iter().map(|(state, count)| (state, count.unsigned_abs())).collect(),
    })
}

pub(super) async fn oldest_job(readers: &Readers) -> Stored<Option<Time>> {
    let query = sqlx::query_scalar("SELECT min(COALESCE(made_at, due_at)) FROM jobs WHERE state <> 'failed'");
    let made_at: Option<i64> = query.fetch_one(&mut *readers.one().await?).await?;
    Ok(made_at.map(Time::from_millis))
}
