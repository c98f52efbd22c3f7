//! Requests, to be read: what owners wrote outside open questions. Owners and agents see all of them.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use pager_questions::Request;

use super::Shared;
use super::callers::Caller;
use super::lists::{ListQuery, Page, write_cursor};
use super::problem::Problem;
use crate::service::ServiceError;

/// `GET /v1/requests`: newest first.
pub async fn list(
    _: Caller,
    State(shared): State<Shared>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<Page<Request>>, Problem> {
    let query = ListQuery::taken(query)?;
    query.refuse_state()?;
    let (limit, after) = (query.limit()?, query.after()?);
    let mut found = shared.service.store.requests(limit + 1, after).await.map_err(ServiceError::from)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|last| write_cursor(&last.cursor));
    Ok(Json(Page { items: found.into_iter().map(|listed| listed.request).collect(), next }))
}

/// `GET /v1/requests/{id}`.
pub async fn show(_: Caller, State(shared): State<Shared>, Path(id): Path<String>) -> Result<Json<Request>, Problem> {
    let found = shared.service.store.request(&id).await.map_err(ServiceError::from)?;
    found.map(Json).ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found", "There is no request of this id. Check the id.")
    })
}
