//! Lists: a limit, a cursor made of the sort key, and the cursor of the next page.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::StatusCode;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use pager_questions::RecordView;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::description::parameters::RecordState;
use super::problem::Problem;
use crate::store::{Cursor, Listed};

/// The query of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only those in this state.
    #[param(inline, value_type = RecordState, required = false)]
    state: Option<String>,
    /// How many; 50 when left out.
    #[param(value_type = u32, required = false, minimum = 1, maximum = 1000)]
    limit: Option<String>,
    /// The `next` of an earlier page.
    #[param(required = false, nullable = false)]
    cursor: Option<String>,
}

/// One page.
#[derive(Debug, Serialize, ToSchema)]
pub struct Page<Item = RecordView> {
    /// The records, or what else is listed.
    pub items: Vec<Item>,
    /// What `?cursor=` takes for the next page; null on the last.
    pub next: Option<String>,
}

const STATES: [&str; 8] = ["open", "answering", "answered", "declined", "cancelled", "defaulted", "expired", "withdrawn"];

impl ListQuery {
    /// The query as axum read it.
    pub fn taken(query: Result<Query<Self>, QueryRejection>) -> Result<Self, Problem> {
        query.map(|Query(query)| query).map_err(|error| Problem::malformed(error.body_text()))
    }

    /// 1 to 1000, 50 when it is left out.
    pub fn limit(&self) -> Result<u32, Problem> {
        read_limit(self.limit.as_deref())
    }

    /// Where the page begins.
    pub fn after(&self) -> Result<Option<Cursor>, Problem> {
        read_after(self.cursor.as_deref())
    }

    /// The state that is asked for.
    pub fn state(&self) -> Result<Option<String>, Problem> {
        checked_state(self.state.clone())
    }
}

impl<Item> Page<Item> {
    /// A page of at most `limit` out of what was found with one more. `place` is where the next page begins behind one.
    pub fn of<Found>(
        mut found: Vec<Found>,
        limit: u32,
        place: impl Fn(&Found) -> String,
        item: impl FnMut(Found) -> Item,
    ) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(place);
        Self { items: found.into_iter().map(item).collect(), next }
    }
}

/// A page of records.
pub fn page_of(found: Vec<Listed>, limit: u32) -> Page {
    Page::of(found, limit, |listed| write_cursor(&listed.cursor), |listed| RecordView::from(&listed.record))
}

/// 1 to 1000, 50 when it is left out.
pub fn read_limit(text: Option<&str>) -> Result<u32, Problem> {
    let Some(text) = text else { return Ok(50) };
    text.parse().ok().filter(|limit| (1..=1000).contains(limit)).ok_or_else(|| invalid("limit", "is a number from 1 to 1000"))
}

/// The wire name of a state, when it is one.
pub fn checked_state(state: Option<String>) -> Result<Option<String>, Problem> {
    match state {
        Some(state) if !STATES.contains(&state.as_str()) => Err(invalid("state", &format!("is one of {}", STATES.join(", ")))),
        state => Ok(state),
    }
}

/// Where the page begins.
pub fn read_after(text: Option<&str>) -> Result<Option<Cursor>, Problem> {
    let Some(text) = text else { return Ok(None) };
    read_cursor(text).map(Some).ok_or_else(|| invalid("cursor", "is the `next` of an earlier page, unchanged"))
}

/// A parameter of the query that breaks a rule.
pub fn invalid(field: &str, detail: &str) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", "Not valid", format!("{field} {detail}."));
    Problem { field: Some(field.to_owned()), ..problem }
}

/// A cursor as text.
pub fn write_cursor(cursor: &Cursor) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}.{}.{}", u8::from(cursor.hard), cursor.asked_at, cursor.number))
}

/// A text as the cursor it was made from; None when it is none.
pub fn read_cursor(text: &str) -> Option<Cursor> {
    let plain = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let mut parts = plain.split('.');
    let hard = match parts.next()? {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    let cursor = Cursor { hard, asked_at: parts.next()?.parse().ok()?, number: parts.next()?.parse().ok()? };
    parts.next().is_none().then_some(cursor)
}
