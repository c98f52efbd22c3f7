//! Sources: one that starts over.

use axum::Json;
use axum::extract::State;
use pager_questions::{Author, RecordView};

use super::Shared;
use super::body::NoBody;
use super::callers::Caller;
use super::description::refusals;
use super::lists::Page;
use super::path::Segment;
use super::problem::Problem;
use crate::service::Resetter;

/// Starts a source over: its open questions end, and are the reply. Takes no body.
#[utoipa::path(
    post,
    path = "/v1/sources/{agent}/reset",
    operation_id = "reset_source",
    security(("bearer" = [])),
    params(("agent" = String, Path, description = "Whose questions end")),
    responses((status = 200, description = "What it ended", body = Page<RecordView>), refusals::NeedsToken, refusals::NotFound, refusals::TakesNoBody)
)]
pub async fn reset(
    caller: Caller,
    State(shared): State<Shared>,
    Segment(source): Segment,
    _: NoBody,
) -> Result<Json<Page>, Problem> {
    let source = Author::parse(&source).map_err(|_| Problem::not_found())?;
    let by = match &caller {
        Caller::Owner(owner) => Resetter::Owner(&owner.actor),
        Caller::Agent(agent) if agent.name == source => Resetter::Agent(&agent.actor),
        Caller::Agent(_) => return Err(Problem::not_found()),
    };
    let ended = shared.service.reset(&source, &by).await?;
    Ok(Json(Page { items: ended.iter().map(RecordView::from).collect(), next: None }))
}
