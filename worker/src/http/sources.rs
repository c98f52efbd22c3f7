//! Sources: one that starts over.

use axum::Json;
use axum::extract::{Path, State};
use pager_questions::{Author, RecordView};

use super::Shared;
use super::body::NoBody;
use super::callers::Caller;
use super::lists::Page;
use super::problem::Problem;
use crate::service::Resetter;

/// `POST /v1/sources/{agent}/reset`, without a body: the records that it ended.
pub async fn reset(
    caller: Caller,
    State(shared): State<Shared>,
    Path(source): Path<String>,
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
