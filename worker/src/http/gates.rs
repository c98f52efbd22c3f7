//! Reserved actions: whether a run may go on, and spending an approval.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use pager_questions::fields::{Fault, Fields, check_text};
use pager_questions::words::read_revision;
use pager_questions::{Incarnation, RecordView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::body::OptionalBody;
use super::callers::{Agent, Caller};
use super::description::{bodies, refusals};
use super::owner::key_of;
use super::path::Segment;
use super::problem::Problem;
use super::query::QueryOf;
use super::questions::question_id;
use crate::service::{Named, ServiceError, Spending, checked_key};

/// The most characters of a run, as in a question.
const MOST_IN_RUN: usize = 200;

/// Which run.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GatesQuery {
    /// Which.
    #[param(value_type = String, required = true, min_length = 1, max_length = 200)]
    run: Option<String>,
}

/// `GET /v1/gates` as it is replied to.
#[derive(Serialize, ToSchema)]
pub struct GatesReply {
    blocked: bool,
    gates: Vec<RecordView>,
}

/// Whether a run is blocked: it is unless each of its approvals was given, and there is one.
#[utoipa::path(
    get,
    path = "/v1/gates",
    operation_id = "gates_of_run",
    security(("bearer" = [])),
    params(GatesQuery),
    responses((status = 200, description = "The approvals of the run", body = GatesReply), refusals::NeedsAnyToken, refusals::WrongQuery)
)]
pub async fn of_run(
    caller: Caller,
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<GatesQuery>,
) -> Result<Json<GatesReply>, Problem> {
    let run = query.run.ok_or_else(|| "is required: name the run whose gates you mean".to_owned());
    let run = run.and_then(|run| check_text(&run, MOST_IN_RUN).map(|()| run));
    let run = run.map_err(|detail| ServiceError::Fault(Fault::invalid("run", detail)))?;
    let agent = match caller {
        Caller::Agent(agent) => Some(agent.name),
        Caller::Owner(_) => None,
    };
    let found = shared.service.gates_of_run(agent.as_ref(), &run).await?;
    Ok(Json(GatesReply { blocked: found.blocked, gates: found.gates.iter().map(RecordView::from).collect() }))
}

/// Spends an approval, once; under the same `Idempotency-Key` again.
#[utoipa::path(
    post,
    path = "/v1/questions/{id}/consume",
    operation_id = "consume",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id"), ("Idempotency-Key" = inline(Option<String>), Header, description = "The same call under the same key is done once")),
    request_body = Option<bodies::ConsumeBody>,
    responses((status = 200, description = "The record", body = RecordView), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody, refusals::NotToSpend)
)]
pub async fn consume(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    headers: HeaderMap,
    OptionalBody(body): OptionalBody,
) -> Result<Json<RecordView>, Problem> {
    let mut fields = Fields::of(body).map_err(ServiceError::from)?;
    let incarnation = fields.parsed("incarnation", Incarnation::parse).map_err(ServiceError::from)?;
    let digest = fields.string("digest").map_err(ServiceError::from)?;
    let revision = read_revision(&mut fields).map_err(ServiceError::from)?;
    fields.finish().map_err(ServiceError::from)?;
    let key = key_of(&headers)?.map(checked_key).transpose().map_err(ServiceError::from)?;
    let named = shared.service.own(&agent.name, Named::Id(question_id(&id)?, incarnation), revision).await?;
    let spending = Spending { digest: digest.as_deref(), key };
    let record = shared.service.consume(&agent.actor, &agent.name, &named, spending).await?;
    Ok(Json(RecordView::from(&record)))
}
