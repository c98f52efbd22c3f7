//! Lists: how many, where the page begins, and where the next one does.

use axum::http::StatusCode;
use pager_questions::RecordView;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::cursors::{self, Place};
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
    Page::of(found, limit, |listed| cursors::write(&listed.cursor), |listed| RecordView::from(&listed.record))
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

/// Where the page begins, in whichever list the place belongs to.
pub fn read_after<P: Place>(text: Option<&str>) -> Result<Option<P>, Problem> {
    let Some(text) = text else { return Ok(None) };
    cursors::read(text).map(Some).ok_or_else(|| invalid("cursor", "is the `next` of an earlier page, unchanged"))
}

/// A parameter of the query that breaks a rule.
pub fn invalid(field: &str, detail: &str) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", "Not valid", format!("{field} {detail}."));
    Problem { field: Some(field.to_owned()), ..problem }
}
