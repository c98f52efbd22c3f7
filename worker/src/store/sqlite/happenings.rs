//! The log of what happened, as statements and questions to it.

use pager_questions::{Author, Incarnation, ReplyId, RequestId, Time, UpdateId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::apply::Statement;
use super::readers::Readers;
use super::{reads, rows, threads, updates};
use crate::store::{Happened, Happening, HappeningKind, Mark, Stored, Subject};

pub(super) fn tell(happening: &Happening) -> Statement<'_> {
    sqlx::query("INSERT INTO happenings (kind, agent, about, at) VALUES (?, ?, ?, ?)")
        .bind(happening.kind.as_str())
        .bind(happening.agent.as_ref().map_or("", Author::as_str))
        .bind(&happening.about)
        .bind(happening.at.as_millis())
}

/// The rows to go are the oldest ones, so nothing behind them is looked at.
pub(super) fn forget(before: Time, keep: u32, most: u32) -> Statement<'static> {
    sqlx::query(
        "DELETE FROM happenings WHERE number < min( \
         (SELECT coalesce(min(number), 0) FROM happenings) + ?, \
         (SELECT coalesce(max(number), 0) FROM happenings) - ? + 1, \
         coalesce((SELECT number FROM happenings WHERE at >= ? ORDER BY number LIMIT 1), 9223372036854775807))",
    )
    .bind(most)
    .bind(keep)
    .bind(before.as_millis())
}

pub(super) async fn after(readers: &Readers, number: i64, limit: u32) -> Stored<Vec<Happened>> {
    let query = sqlx::query(
        "SELECT h.number, h.at, h.kind, h.agent, h.about, q.record FROM happenings h \
         LEFT JOIN questions q ON q.incarnation = h.about WHERE h.number > ? ORDER BY h.number LIMIT ?",
    );
    let found = query.bind(number).bind(limit).fetch_all(&mut *readers.one().await?).await?;
    let mut happened = Vec::with_capacity(found.len());
    for row in &found {
        happened.push(one(readers, row).await?);
    }
    Ok(happened)
}

async fn one(readers: &Readers, row: &SqliteRow) -> Stored<Happened> {
    let kind: &str = row.try_get("kind")?;
    let kind = HappeningKind::parse(kind).ok_or_else(|| rows::corrupt("what happened", &kind))?;
    let agent = match row.try_get("agent")? {
        "" => None,
        name => Some(Author::parse(name).map_err(|error| rows::corrupt("an agent's name", &error))?),
    };
    let mark = Mark { number: row.try_get("number")?, at: row.try_get("at")? };
    let subject = subject(readers, kind, row).await?;
    Ok(Happened { mark, kind, agent, subject })
}

async fn subject(readers: &Readers, kind: HappeningKind, row: &SqliteRow) -> Stored<Option<Subject>> {
    let about: &str = row.try_get("about")?;
    match kind {
        HappeningKind::Requested => {
            let Ok(id) = RequestId::parse(about) else { return Ok(None) };
            return Ok(threads::request(readers, &id).await?.map(|request| Subject::Request(Box::new(request))));
        }
        HappeningKind::Replied => {
            let Ok(id) = ReplyId::parse(about) else { return Ok(None) };
            return Ok(threads::reply(readers, &id).await?.map(|reply| Subject::Reply(Box::new(reply))));
        }
        _ => {}
    }
    if matches!(kind, HappeningKind::Published | HappeningKind::Read | HappeningKind::Dismissed) {
        let Ok(id) = UpdateId::parse(about) else { return Ok(None) };
        return Ok(updates::one(readers, &id).await?.map(|update| Subject::Update(Box::new(update))));
    }
    let record = match row.try_get::<Option<&str>, _>("record")? {
        Some(_) => Some(rows::record(row)?),
        // It may have left the window.
        None => match Incarnation::parse(about) {
            Ok(incarnation) => reads::record_of(readers, &incarnation).await?,
            Err(_) => None,
        },
    };
    Ok(record.map(|record| Subject::Question(Box::new(record))))
}

pub(super) async fn last(readers: &Readers) -> Stored<Mark> {
    let query = sqlx::query_as("SELECT number, at FROM happenings ORDER BY number DESC LIMIT 1");
    let found: Option<(i64, i64)> = query.fetch_optional(&mut *readers.one().await?).await?;
    Ok(found.map_or_else(Mark::default, |(number, at)| Mark { number, at }))
}

pub(super) async fn remembers(readers: &Readers, mark: Mark) -> Stored<bool> {
    // Nothing is missing after the beginning as long as the first entry is there, or none ever was.
    let statement = match mark.number {
        0 => "SELECT ?1 = ?2 AND (SELECT coalesce(min(number), 1) FROM happenings) = 1",
        _ => "SELECT EXISTS (SELECT 1 FROM happenings WHERE number = ?1 AND at = ?2)",
    };
    Ok(sqlx::query_scalar(statement).bind(mark.number).bind(mark.at).fetch_one(&mut *readers.one().await?).await?)
}
