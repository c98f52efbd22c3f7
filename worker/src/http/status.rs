//! What waits for the caller, and what they asked that nobody answered.

use axum::Json;
use axum::extract::State;
use pager_questions::{RecordView, Unanswered};
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;
use super::callers::Caller;
use super::description::refusals;
use super::problem::Problem;

/// Both lists, oldest first but for what the owner's door sorts before.
#[derive(Serialize, ToSchema)]
pub struct StatusReply {
    /// Open questions and offers that only the caller can settle.
    awaiting_you: Vec<RecordView>,
    /// What the caller asked and nobody answered.
    unanswered: Vec<Unanswered>,
}

/// The caller's status.
#[utoipa::path(
    get,
    path = "/v1/status",
    operation_id = "status",
    security(("bearer" = [])),
    responses((status = 200, description = "What waits, and what is unanswered", body = StatusReply), refusals::NeedsAnyToken)
)]
pub async fn show(caller: Caller, State(shared): State<Shared>) -> Result<Json<StatusReply>, Problem> {
    let status = shared.service.status(&caller.party()).await?;
    let awaiting_you = status.awaiting_you.iter().map(RecordView::from).collect();
    Ok(Json(StatusReply { awaiting_you, unanswered: status.unanswered }))
}
