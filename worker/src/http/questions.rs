//! The agent's side: ask, list, look, take back.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use pager_questions::fields::Fields;
use pager_questions::resume::resume_message;
use pager_questions::words::{MOST_CHARACTERS, read_revision};
use pager_questions::{Incarnation, QuestionId, RecordView, State as QuestionState};
use serde::Serialize;

use super::Shared;
use super::body::{JsonBody, OptionalBody};
use super::callers::{Agent, Caller};
use super::lists::{ListQuery, Page, page_of};
use super::problem::Problem;
use crate::service::{AskOutcome, Named, ServiceError};
use crate::store::Listing;

#[derive(Serialize)]
struct AskedReply {
    #[serde(flatten)]
    record: RecordView,
    warnings: Vec<String>,
}

/// To an agent that may go on without asking.
#[derive(Serialize)]
struct DelegatedReply {
    delegated: bool,
}

/// `POST /v1/questions`: 201 with the record, 200 with the original, or 200 `{"delegated": true}`.
pub async fn ask(agent: Agent, State(shared): State<Shared>, JsonBody(body): JsonBody) -> Result<Response, Problem> {
    let asked = match shared.service.ask(&agent.name, &agent.token, agent.project.as_deref(), body).await? {
        AskOutcome::Asked(asked) => asked,
        AskOutcome::Delegated => return Ok(Json(DelegatedReply { delegated: true }).into_response()),
    };
    let status = if asked.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let reply = AskedReply { record: RecordView::from(&asked.record), warnings: asked.warnings };
    Ok((status, Json(reply)).into_response())
}

/// `GET /v1/questions`: the agent's own, or all for an owner, newest first.
pub async fn list(
    caller: Caller,
    State(shared): State<Shared>,
    query: Result<Query<ListQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Page>, Problem> {
    let query = ListQuery::taken(query)?;
    let agent = match caller {
        Caller::Agent(agent) => Some(agent.name),
        Caller::Owner(_) => None,
    };
    let (limit, after) = (query.limit()?, query.after()?);
    let listing = Listing { agent, state: query.state()?, limit: limit + 1, after };
    let found = shared.service.store.newest(&listing).await.map_err(ServiceError::from)?;
    Ok(Json(page_of(found, limit)))
}

/// `GET /v1/questions/{id}`: one's own record, or any for an owner.
pub async fn show(caller: Caller, State(shared): State<Shared>, Path(id): Path<String>) -> Result<Json<RecordView>, Problem> {
    let named = Named::Id(question_id(&id)?, None);
    let record = match caller {
        Caller::Agent(agent) => shared.service.find_own(&agent.name, &named).await?,
        Caller::Owner(_) => shared.service.find(&named).await?,
    };
    Ok(Json(RecordView::from(&record)))
}

/// `POST /v1/questions/{id}/withdraw` `{reason?, incarnation?, expected_revision?}`.
pub async fn withdraw(
    agent: Agent,
    State(shared): State<Shared>,
    Path(id): Path<String>,
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

/// `GET /v1/questions/{id}/resume`: the fenced text that a model goes on with; 204 while there is no end, 410 withdrawn.
pub async fn resume(agent: Agent, State(shared): State<Shared>, Path(id): Path<String>) -> Result<Response, Problem> {
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
