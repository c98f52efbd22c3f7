//! What is written into the thread of a request: replies, and partial offers.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use pager_questions::{OfferDraft, RecordView, Reply, ReplyDraft};

use super::Shared;
use super::body::JsonBody;
use super::callers::{Agent, Caller};
use super::description::{bodies, refusals};
use super::path::Segment;
use super::problem::Problem;
use super::questions::{AskedReply, DelegatedReply};
use super::requests::{request_id, unknown};
use crate::service::{AskOutcome, ServiceError, Terms};

/// Replies: an answer, or a further message of whoever asked.
#[utoipa::path(
    post,
    path = "/v1/requests/{id}/replies",
    operation_id = "reply",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The id of the request")),
    request_body = bodies::ReplyBody,
    responses((status = 201, description = "The reply", body = Reply), (status = 200, description = "The original", body = Reply), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody, refusals::PublishedBefore, refusals::NoRoom)
)]
pub async fn reply(
    caller: Caller,
    State(shared): State<Shared>,
    Segment(id): Segment,
    JsonBody(body): JsonBody,
) -> Result<Response, Problem> {
    let id = request_id(&id)?;
    let draft = ReplyDraft::read(body).map_err(ServiceError::from)?;
    let request = shared.service.request_of(&id).await.map_err(unknown)?;
    let also = |reply: &Reply| shared.service.leaving_further(&request, reply, None).into_iter().collect();
    let replied = shared.service.reply(caller.actor(), &id, &draft, &also).await.map_err(unknown)?;
    shared.service.outlet.ring();
    let status = if replied.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(replied.reply)).into_response())
}

/// Offers a part of what is asked for: a question to whoever asked.
#[utoipa::path(
    post,
    path = "/v1/requests/{id}/offers",
    operation_id = "offer",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The id of the request")),
    request_body = bodies::OfferBody,
    responses((status = 201, description = "The record", body = AskedReply), (status = 200, description = "The original", body = AskedReply), refusals::NeedsToken, refusals::NotFound, refusals::WrongQuestion, refusals::AskedBefore, refusals::NoRoom)
)]
pub async fn offer(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    JsonBody(body): JsonBody,
) -> Result<Response, Problem> {
    let id = request_id(&id)?;
    let draft = OfferDraft::read(body, &agent.name).map_err(ServiceError::from)?;
    let terms = Terms { token: Some(&agent.token), project: agent.project.as_deref(), withdrawn: None, also: &|_| Vec::new() };
    let asked = match shared.service.offer(&agent.name, &id, &draft, terms).await.map_err(unknown)? {
        AskOutcome::Asked(asked) => asked,
        AskOutcome::Delegated => return Ok(Json(DelegatedReply { delegated: true }).into_response()),
    };
    let status = if asked.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let reply = AskedReply { record: RecordView::from(&asked.record), warnings: asked.warnings };
    Ok((status, Json(reply)).into_response())
}
