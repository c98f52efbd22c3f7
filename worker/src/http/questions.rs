//! The agent's side: ask, list, look, take back.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use pager_questions::fields::Fields;
use pager_questions::resume::resume_message;
use pager_questions::words::{MOST_CHARACTERS, read_revision};
use pager_questions::{Incarnation, QuestionId, RecordView, State as QuestionState};
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;
use super::body::{JsonBody, OptionalBody};
use super::callers::{Agent, Caller};
use super::description::{bodies, refusals};
use super::lists::{ListQuery, Page, page_of};
use super::path::Segment;
use super::problem::Problem;
use super::query::QueryOf;
use crate::service::{AskOutcome, Named, ServiceError};
use crate::store::Listing;

/// A record, and what was read with a grain of salt.
#[derive(Serialize, ToSchema)]
pub struct AskedReply {
    #[serde(flatten)]
    pub(super) record: RecordView,
    pub(super) warnings: Vec<String>,
}

/// To an agent that may go on without asking.
#[derive(Serialize, ToSchema)]
pub struct DelegatedReply {
    pub(super) delegated: bool,
}

/// What is replied to a question that needs not be recorded anew.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its description is used")]
enum AskedBefore {
    Recorded(Box<AskedReply>),
    Delegated(DelegatedReply),
}

/// Asks: the record, the original, or `{"delegated": true}` where nobody needs to be asked.
#[utoipa::path(
    post,
    path = "/v1/questions",
    operation_id = "ask",
    security(("bearer" = [])),
    request_body = bodies::AskBody,
    responses((status = 201, description = "The record", body = AskedReply), (status = 200, description = "The original, or leave to go on", body = AskedBefore), refusals::NeedsToken, refusals::WrongQuestion, refusals::AskedBefore, refusals::NoRoom)
)]
pub async fn ask(agent: Agent, State(shared): State<Shared>, JsonBody(body): JsonBody) -> Result<Response, Problem> {
    let asked = match shared.service.ask(&agent.name, &agent.token, agent.project.as_deref(), body).await? {
        AskOutcome::Asked(asked) => asked,
        AskOutcome::Delegated => return Ok(Json(DelegatedReply { delegated: true }).into_response()),
    };
    let status = if asked.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let reply = AskedReply { record: RecordView::from(&asked.record), warnings: asked.warnings };
    Ok((status, Json(reply)).into_response())
}

/// The agent's own, or all for an owner, newest first.
#[utoipa::path(
    get,
    path = "/v1/questions",
    operation_id = "list_questions",
    security(("bearer" = [])),
    params(ListQuery),
    responses((status = 200, description = "One page", body = Page<RecordView>), refusals::NeedsAnyToken, refusals::WrongQuery)
)]
pub async fn list(
    caller: Caller,
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<ListQuery>,
) -> Result<Json<Page>, Problem> {
    let agent = match caller {
        Caller::Agent(agent) => Some(agent.name),
        Caller::Owner(_) => None,
    };
    let (limit, after) = (query.limit()?, query.after()?);
    let listing = Listing { agent, state: query.state()?, limit: limit + 1, after };
    let found = shared.service.store.newest(&listing).await.map_err(ServiceError::from)?;
    Ok(Json(page_of(found, limit)))
}

/// One's own record, one that is put to the caller, or any for an owner.
#[utoipa::path(
    get,
    path = "/v1/questions/{id}",
    operation_id = "show_question",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses((status = 200, description = "The record", body = RecordView), refusals::NeedsAnyToken, refusals::NotFound)
)]
pub async fn show(caller: Caller, State(shared): State<Shared>, Segment(id): Segment) -> Result<Json<RecordView>, Problem> {
    let named = Named::Id(question_id(&id)?, None);
    let record = match caller {
        Caller::Agent(agent) => {
            let record = shared.service.find(&named).await?;
            let is_theirs = record.question.source.agent == agent.name || record.question.put_to == Some(agent.name);
            if is_theirs { record } else { return Err(Problem::not_found()) }
        }
        Caller::Owner(_) => shared.service.find(&named).await?,
    };
    Ok(Json(RecordView::from(&record)))
}

/// Takes a question back.
#[utoipa::path(
    post,
    path = "/v1/questions/{id}/withdraw",
    operation_id = "withdraw",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    request_body = Option<bodies::WithdrawBody>,
    responses((status = 200, description = "The record", body = RecordView), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody, refusals::TooLate)
)]
pub async fn withdraw(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    OptionalBody(body): OptionalBody,
) -> Result<Json<RecordView>, Problem> {
    let mut fields = Fields::of(body).map_err(ServiceError::from)?;
    let reason = fields.text("reason", MOST_CHARACTERS).map_err(ServiceError::from)?;
    let incarnation = fields.parsed("incarnation", Incarnation::parse).map_err(ServiceError::from)?;
    let revision = read_revision(&mut fields).map_err(ServiceError::from)?;
    fields.finish().map_err(ServiceError::from)?;
    let named = shared.service.own(&agent.name, Named::Id(question_id(&id)?, incarnation), revision).await?;
    let record = shared.service.withdraw(&agent.actor, &agent.name, &named, reason).await?;
    Ok(Json(RecordView::from(&record)))
}

/// The fenced text that a model goes on with, once there is an end.
#[utoipa::path(
    get,
    path = "/v1/questions/{id}/resume",
    operation_id = "resume",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses((status = 200, description = "The text", body = String, content_type = "text/plain"), (status = 204, description = "There is no end yet"), refusals::NeedsToken, refusals::NotFound, refusals::TakenBack)
)]
pub async fn resume(agent: Agent, State(shared): State<Shared>, Segment(id): Segment) -> Result<Response, Problem> {
    let record = shared.service.find_own(&agent.name, &Named::Id(question_id(&id)?, None)).await?;
    if let QuestionState::Withdrawn { reason, .. } = &record.state {
        return Err(withdrawn(reason.as_deref()));
    }
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok(resume_message(&record).map_or_else(|| StatusCode::NO_CONTENT.into_response(), |text| (kind, text).into_response()))
}

/// What whoever waits for the end of a question is told once its agent took it back.
pub fn withdrawn(reason: Option<&str>) -> Problem {
    let detail = reason.map_or_else(|| "It was taken back.".to_owned(), |reason| format!("It was taken back: {reason}"));
    Problem { state: Some("withdrawn".to_owned()), ..Problem::new(StatusCode::GONE, "withdrawn", "Withdrawn", detail) }
}

/// An id in a path. What cannot be an id is as unknown as an id that nobody used.
pub fn question_id(text: &str) -> Result<QuestionId, Problem> {
    QuestionId::parse(text).map_err(|_| Problem::not_found())
}
