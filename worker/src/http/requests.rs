//! Requests, to be read: what owners wrote outside open questions. Owners and agents see all of them.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use pager_questions::{Request, RequestId};

use super::Shared;
use super::callers::Caller;
use super::description::parameters::Paging;
use super::description::refusals;
use super::lists::{ListQuery, Page, write_cursor};
use super::path::Segment;
use super::problem::Problem;
use crate::service::ServiceError;
use crate::store::RequestListing;

/// What owners wrote outside of open questions, newest first.
#[utoipa::path(
    get,
    path = "/v1/requests",
    operation_id = "list_requests",
    security(("bearer" = [])),
    params(Paging),
    responses((status = 200, description = "One page", body = Page<Request>), refusals::NeedsAnyToken, refusals::WrongQuery)
)]
pub async fn list(
    _: Caller,
    State(shared): State<Shared>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<Page<Request>>, Problem> {
    let query = ListQuery::taken(query)?;
    query.refuse_state()?;
    let (limit, after) = (query.limit()?, query.after()?);
    let listing = RequestListing { limit: limit + 1, after, ..RequestListing::default() };
    let found = shared.service.store.requests(&listing).await.map_err(ServiceError::from)?;
    Ok(Json(Page::of(found, limit, |listed| write_cursor(&listed.cursor), |listed| listed.request)))
}

/// One request.
#[utoipa::path(
    get,
    path = "/v1/requests/{id}",
    operation_id = "show_request",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses((status = 200, description = "The request", body = Request), refusals::NeedsAnyToken, refusals::NotFound)
)]
pub async fn show(_: Caller, State(shared): State<Shared>, Segment(id): Segment) -> Result<Json<Request>, Problem> {
    let unknown =
        || Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found", "There is no request of this id. Check the id.");
    let id = RequestId::parse(&id).map_err(|_| unknown())?;
    match shared.service.request_of(&id).await {
        Ok(request) => Ok(Json(request)),
        Err(ServiceError::NotFound) => Err(unknown()),
        Err(error) => Err(error.into()),
    }
}
