//! News of agents: they publish it, owners list, read and dismiss it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use pager_questions::fields::Fields;
use pager_questions::update::Mark;
use pager_questions::{Author, Update, UpdateDraft, UpdateId};
use serde::Deserialize;

use super::Shared;
use super::body::{JsonBody, OptionalBody};
use super::callers::{Agent, Owner};
use super::cursors;
use super::description::parameters::ShownState;
use super::description::{bodies, refusals};
use super::lists::{self, Page};
use super::path::Segment;
use super::problem::Problem;
use super::query::QueryOf;
use crate::service::ServiceError;
use crate::store::{ShownUpdates, UpdateListing};

/// The query of the list.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UpdatesQuery {
    /// Only those of this source.
    #[param(required = false)]
    source: Option<String>,
    /// Only those in this state.
    #[param(inline, value_type = ShownState, required = false)]
    state: Option<String>,
    /// How many; 50 when left out.
    #[param(value_type = u32, required = false, minimum = 1, maximum = 1000)]
    limit: Option<String>,
    /// The `next` of an earlier page.
    #[param(required = false, nullable = false)]
    cursor: Option<String>,
}

/// Publishes news: the update, or the original.
#[utoipa::path(
    post,
    path = "/v1/updates",
    operation_id = "publish",
    security(("bearer" = [])),
    request_body = bodies::UpdateBody,
    responses((status = 201, description = "The update", body = Update), (status = 200, description = "The original", body = Update), refusals::NeedsToken, refusals::WrongBody, refusals::PublishedBefore, refusals::NoRoom)
)]
pub async fn publish(agent: Agent, State(shared): State<Shared>, JsonBody(body): JsonBody) -> Result<Response, Problem> {
    let draft = UpdateDraft::read(body, &agent.name).map_err(ServiceError::from)?;
    let published = shared.service.publish(&agent.name, Some(&agent.token), &draft, &|_| Vec::new()).await?;
    let status = if published.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(published.update)).into_response())
}

/// News, newest first; without `state` all that are not dismissed.
#[utoipa::path(
    get,
    path = "/v1/updates",
    operation_id = "list_updates",
    security(("bearer" = [])),
    params(UpdatesQuery),
    responses((status = 200, description = "One page", body = Page<Update>), refusals::NeedsAnyToken, refusals::WrongQuery)
)]
pub async fn list(
    _: Owner,
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<UpdatesQuery>,
) -> Result<Json<Page<Update>>, Problem> {
    let limit = lists::read_limit(query.limit.as_deref())?;
    let listing = UpdateListing {
        source: query.source.as_deref().map(read_source).transpose()?,
        shown: read_state(query.state.as_deref())?,
        limit: limit + 1,
        after: lists::read_after(query.cursor.as_deref())?,
    };
    let found = shared.service.store.updates(&listing).await.map_err(ServiceError::from)?;
    Ok(Json(Page::of(found, limit, |listed| cursors::write(&listed.cursor), |listed| listed.update)))
}

/// One update.
#[utoipa::path(
    get,
    path = "/v1/updates/{id}",
    operation_id = "show_update",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses((status = 200, description = "The update", body = Update), refusals::NeedsAnyToken, refusals::NotFound)
)]
pub async fn show(_: Owner, State(shared): State<Shared>, Segment(id): Segment) -> Result<Json<Update>, Problem> {
    let found = shared.service.store.update(&update_id(&id)?).await.map_err(ServiceError::from)?;
    found.map(Json).ok_or_else(not_found)
}

/// The update, read now or before.
#[utoipa::path(
    post,
    path = "/v1/updates/{id}/read",
    operation_id = "read_update",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    request_body = Option<bodies::EmptyBody>,
    responses((status = 200, description = "The update", body = Update), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody)
)]
pub async fn read(
    owner: Owner,
    State(shared): State<Shared>,
    Segment(id): Segment,
    OptionalBody(body): OptionalBody,
) -> Result<Json<Update>, Problem> {
    Fields::of(body).and_then(Fields::finish).map_err(ServiceError::from)?;
    mark(&shared, &owner, &id, Mark::Read).await
}

/// The update, dismissed now or before.
#[utoipa::path(
    post,
    path = "/v1/updates/{id}/dismiss",
    operation_id = "dismiss_update",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    request_body = Option<bodies::EmptyBody>,
    responses((status = 200, description = "The update", body = Update), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody)
)]
pub async fn dismiss(
    owner: Owner,
    State(shared): State<Shared>,
    Segment(id): Segment,
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
