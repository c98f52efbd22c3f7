//! Questions come in bursts, and each statement is a crossing to the connection's thread: those of one commit are
//! stored by one pair of statements. What is refused here is left to be stored alone, which tells why it is refused, or
//! makes room for it.

use std::collections::{HashMap, HashSet};

use pager_questions::view::state_name;
use serde::Serialize;
use sqlx::sqlite::SqliteConnection;

use super::apply;
use super::rows::record_text;
use crate::store::{SPARE_BYTES, Write};

const STORE: &str = "\
    INSERT INTO questions (id, incarnation, agent, publication, fingerprint, is_unnamed, state, hard, asked_at, revision, record) \
    SELECT value ->> 'id', value ->> 'incarnation', value ->> 'agent', value ->> 'publication', value ->> 'fingerprint', \
    value ->> 'is_unnamed', value ->> 'state', value ->> 'hard', value ->> 'asked_at', value ->> 'revision', value ->> 'record' FROM json_each(?) \
    WHERE EXISTS (SELECT 1 FROM tokens WHERE id = value ->> 'token' AND revoked_at IS NULL) \
    AND NOT EXISTS (SELECT 1 FROM used_ids WHERE id = value ->> 'id') \
    AND (value ->> 'most_records' = 0 OR value ->> 'most_records' >= \
    value ->> 'place' + ifnull((SELECT live FROM windows WHERE windows.agent = value ->> 'agent'), 0)) \
    AND (value ->> 'most_bytes' = 0 OR value ->> 'most_bytes' >= \
    value ->> 'bytes' + ifnull((SELECT bytes + live * 100 FROM windows WHERE windows.agent = value ->> 'agent'), 0)) \
    ON CONFLICT DO NOTHING RETURNING incarnation; \
    INSERT INTO used_ids (id) SELECT id FROM questions \
    WHERE incarnation IN (SELECT value ->> 'incarnation' FROM json_each(?)) ON CONFLICT DO NOTHING";

/// A new question as a row, and the token that it came with.
#[derive(Serialize)]
struct Ask<'a> {
    id: &'a str,
    incarnation: &'a str,
    agent: &'a str,
    publication: Option<&'a str>,
    fingerprint: &'a str,
    is_unnamed: bool,
    state: &'static str,
    hard: bool,
    asked_at: i64,
    revision: u64,
    record: String,
    token: &'a str,
    most_records: u32,
    most_bytes: u32,
    /// Which one it is among those of its source here.
    place: u32,
    /// How many bytes those of its source have up to this one, the spare ones included.
    bytes: u64,
}

/// Stores the new questions among these lists together: for each list, whether it is stored whole.
pub(super) async fn together(connection: &mut SqliteConnection, lists: &[&[Write]]) -> Result<Vec<bool>, sqlx::Error> {
    let mut asks: Vec<Option<Ask>> = lists.iter().map(|list| Ask::of(list)).collect();
    add_up(&mut asks);
    let new: Vec<&Ask> = asks.iter().flatten().collect();
    if new.is_empty() {
        return Ok(vec![false; lists.len()]);
    }
    let rows = serde_json::to_string(&new).expect("rows are plain JSON");
    let stored = sqlx::query_scalar(STORE).bind(&rows).bind(&rows).fetch_all(&mut *connection).await?;
    let mut stored: HashSet<String> = stored.into_iter().collect();
    let mut outcomes = Vec::with_capacity(lists.len());
    for (list, ask) in lists.iter().zip(&asks) {
        let is_stored = ask.as_ref().is_some_and(|ask| stored.remove(ask.incarnation));
        if is_stored && list.len() > 2 {
            // Without guards, so nothing in it is refused.
            let _ = apply::list(connection, &list[2..]).await?;
        }
        outcomes.push(is_stored);
    }
    Ok(outcomes)
}

/// What is stored together is weighed together: each counts with all before it of its source, stored or not.
fn add_up(asks: &mut [Option<Ask>]) {
    let mut sums: HashMap<&str, (u32, u64)> = HashMap::new();
    for ask in asks.iter_mut().flatten() {
        let (place, bytes) = sums.entry(ask.agent).or_default();
        *place += 1;
        *bytes += ask.bytes;
        (ask.place, ask.bytes) = (*place, *bytes);
    }
}

impl<'a> Ask<'a> {
    /// The question of a list that asks one: a token, the question, and nothing behind it that could be refused.
    fn of(list: &'a [Write]) -> Option<Self> {
        let [Write::RequireToken(token), Write::Create { record, fingerprint, is_unnamed, limits }, rest @ ..] = list else {
            return None;
        };
        if rest.iter().any(apply::is_guard) {
            return None;
        }
        let (question, text) = (&record.question, record_text(record));
        Some(Self {
            id: question.id.as_str(),
            incarnation: question.incarnation.as_str(),
            agent: question.source.agent.as_str(),
            publication: question.publication_id.as_deref(),
            fingerprint,
            is_unnamed: *is_unnamed,
            state: state_name(&record.state),
            hard: question.is_hard_to_reverse(),
            asked_at: question.asked_at.as_millis(),
            revision: record.revision,
            most_records: limits.records,
            most_bytes: limits.bytes,
            place: 1,
            bytes: text.len() as u64 + u64::from(SPARE_BYTES),
            record: text,
            token,
        })
    }
}
