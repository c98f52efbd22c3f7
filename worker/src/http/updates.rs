//! News of agents: they publish it, owners list, read and dismiss it.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use pager_questions::fields::Fields;
use pager_questions::update::Mark;
use pager_questions::{Author, Update, UpdateDraft, UpdateId};
use serde::Deserialize;

use super::Shared;
use super::body::{JsonBody, OptionalBody};
use super::callers::{Agent, Owner};
use super::lists::{self, Page, write_cursor};
use super::problem::Problem;
use crate::service::ServiceError;
use crate::store::{ShownUpdates, UpdateListing};

/// The query of the list.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdatesQuery {
    source: Option<String>,
    state: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

/// `POST /v1/updates`: 201 with the update, 200 with the original.
pub async fn publish(agent: Agent, State(shared): State<Shared>, JsonBody(body): JsonBody) -> Result<Response, Problem> {
    let draft = UpdateDraft::read(body, &agent.name).map_err(ServiceError::from)?;
    let published = shared.service.publish(&agent.name, Some(&agent.token), &draft, &|_| Vec::new()).await?;
    let status = if published.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(published.update)).into_response())
}

/// `GET /v1/updates`: newest first; without `state` all that are not dismissed.
pub async fn list(
    _: Owner,
    State(shared): State<Shared>,
    query: Result<Query<UpdatesQuery>, QueryRejection>,
) -> Result<Json<Page<Update>>, Problem> {
    let Query(query) = query.map_err(|error| Problem::malformed(error.body_text()))?;
    let limit = lists::read_limit(query.limit.as_deref())?;
    let listing = UpdateListing {
        source: query.source.as_deref().map(read_source).transpose()?,
        shown: read_state(query.state.as_deref())?,
        limit: limit + 1,
        after: lists::read_after(query.cursor.as_deref())?,
    };
    let mut found = shared.service.store.updates(&listing).await.map_err(ServiceError::from)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|last| write_cursor(&last.cursor));
    Ok(Json(Page { items: found.into_iter().map(|listed| listed.update).collect(), next }))
}

/// `GET /v1/updates/{id}`.
pub async fn show(_: Owner, State(shared): State<Shared>, Path(id): Path<String>) -> Result<Json<Update>, Problem> {
    let found = shared.service.store.update(&update_id(&id)?).await.map_err(ServiceError::from)?;
    found.map(Json).ok_or_else(not_found)
}

/// `POST /v1/updates/{id}/read`: the update, read now or before.
pub async fn read(
    owner: Owner,
    State(shared): State<Shared>,
    Path(id): Path<String>,
    OptionalBody(body): OptionalBody,
) -> Result<Json<Update>, Problem> {
    Fields::of(body).and_then(Fields::finish).map_err(ServiceError::from)?;
    mark(&shared, &owner, &id, Mark::Read).await
}

/// `POST /v1/updates/{id}/dismiss`: the update, dismissed now or before.
pub async fn dismiss(
    owner: Owner,
    State(shared): State<Shared>,
    Path(id): Path<String>,
    OptionalBody(body): OptionalBody,
) -> Result<Json<Update>, Problem> {
    Fields::of(body).and_then(Fields::finish).map_err(ServiceError::from)?;
    mark(&shared, &owner, &id, Mark::Dismiss).await
}

async fn mark(shared: &Shared, owner: &Owner, id: &str, mark: Mark) -> Result<Json<Update>, Problem> {
    match shared.service.mark(&owner.actor, &update_id(id)?, mark, &[]).await {
        Ok(update) => Ok(Json(update)),
        Err(ServiceError::NotFound) => Err(not_found()),
        Err(error) => Err(error.into()),
    }
}

/// An id in a path. What cannot be an id is as unknown as an id that no update has.
fn update_id(text: &str) -> Result<UpdateId, Problem> {
    UpdateId::parse(text).map_err(|_| not_found())
}

fn not_found() -> Problem {
    let detail = "There is no update of this id. Check the id; of those that were dismissed only the newest are kept.";
    Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found", detail)
}

fn read_source(text: &str) -> Result<Author, Problem> {
    Author::parse(text).map_err(|error| lists::invalid("source", &format!("is whose updates are listed: {error}")))
}

fn read_state(text: Option<&str>) -> Result<ShownUpdates, Problem> {
    match text {
        None => Ok(ShownUpdates::NotDismissed),
        Some("unread") => Ok(ShownUpdates::Unread),
        Some("read") => Ok(ShownUpdates::Read),
        Some("dismissed") => Ok(ShownUpdates::Dismissed),
        Some("all") => Ok(ShownUpdates::All),
        Some(_) => Err(lists::invalid("state", "is unread, read, dismissed or all; left out, it is all that are not dismissed")),
    }
}
