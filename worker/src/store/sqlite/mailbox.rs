//! The mailbox: every record, newest first. Each of the four ways to narrow it walks an index of its own.

use pager_questions::Author;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::readers::Readers;
use super::rows::{self, corrupt};
use crate::store::{InMailbox, Mailbox, MailboxPlace, Stored};

/// Where the places behind `?3, ?4, ?5` are: of one time those of later sources, of one source the earlier insertions.
const AFTER: &str = "asked_at <= ?3 AND (asked_at < ?3 OR agent > ?4 OR (agent = ?4 AND number < ?5)) \
     ORDER BY asked_at DESC, agent, number DESC LIMIT ?6";

pub(super) async fn list(readers: &Readers, mailbox: &Mailbox) -> Stored<Vec<InMailbox>> {
    let (asked_at, source, number) = match &mailbox.after {
        Some(place) => (place.asked_at, place.source.as_str(), place.number),
        None => (i64::MAX, "", i64::MAX),
    };
    let query = sqlx::query(sqlx::AssertSqlSafe(statement(mailbox)));
    let query = query.bind(mailbox.source.as_ref().map(Author::as_str)).bind(mailbox.state.as_deref());
    let query = query.bind(asked_at).bind(source).bind(number).bind(mailbox.limit);
    query.fetch_all(&mut *readers.one().await?).await?.iter().map(row).collect()
}

pub(super) fn statement(mailbox: &Mailbox) -> String {
    format!("SELECT number, asked_at, agent, record FROM questions WHERE {} AND {AFTER}", narrowed(mailbox))
}

/// Written so that the index for it can be used: each condition as the index has it, absent ones left out.
fn narrowed(mailbox: &Mailbox) -> &'static str {
    let is_pending = matches!(mailbox.state.as_deref(), Some("open" | "answering"));
    match (&mailbox.source, &mailbox.state) {
        (None, None) => "?1 IS NULL AND ?2 IS NULL",
        (None, Some(_)) if is_pending => "?1 IS NULL AND state IN ('open', 'answering') AND state = ?2",
        (None, Some(_)) => "?1 IS NULL AND ended_at IS NOT NULL AND state = ?2",
        (Some(_), None) => "agent = ?1 AND ?2 IS NULL",
        (Some(_), Some(_)) if is_pending => "agent = ?1 AND state IN ('open', 'answering') AND state = ?2",
        (Some(_), Some(_)) => "agent = ?1 AND state = ?2",
    }
}

fn row(row: &SqliteRow) -> Stored<InMailbox> {
    let source = Author::parse(row.try_get("agent")?).map_err(|error| corrupt("a source", &error))?;
    let place = MailboxPlace { asked_at: row.try_get("asked_at")?, source, number: row.try_get("number")? };
    Ok(InMailbox { record: rows::record(row)?, place })
}
