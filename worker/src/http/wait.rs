//! Waiting for an answer: at once, or held for as long as `Prefer: wait=N` says. A held request costs memory, not work.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use pager_questions::fields::Fields;
use pager_questions::words::read_revision;
use pager_questions::{Answer, Incarnation, Record, State as QuestionState, Time, since};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::body::OptionalBody;
use super::callers::Agent;
use super::description::{bodies, refusals};
use super::path::Segment;
use super::problem::Problem;
use super::query::QueryOf;
use super::questions::{question_id, withdrawn};
use crate::service::{Named, ServiceError};

/// The longest hold, in seconds.
const LONGEST: u64 = 600;
const IGNORED_AT: HeaderName = HeaderName::from_static("pager-ignored-at");

/// Which answer counts.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// RFC 3339 or seconds since 1970: none that is older, with a minute of leeway.
    #[param(required = false)]
    since: Option<String>,
    /// The exact record that is meant; it decides alone.
    #[param(required = false)]
    incarnation: Option<String>,
}

/// The answer, at once or within `Prefer: wait=N`.
#[utoipa::path(
    get,
    path = "/v1/questions/{id}/answer",
    operation_id = "wait_for_answer",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id"), Wanted, ("Prefer" = inline(Option<String>), Header, description = "`wait=` and at most 600 seconds")),
    responses((status = 200, description = "The answer", body = Told), (status = 204, description = "None yet, or none that counts", headers(("Pager-Ignored-At" = String, description = "When one was given that is too old"))), refusals::NeedsToken, refusals::NotFound, refusals::WrongQuery, refusals::TakenBack, refusals::AnotherRecord)
)]
pub async fn answer(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    QueryOf(wanted): QueryOf<Wanted>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let incarnation = wanted.incarnation.as_deref().map(Incarnation::parse).transpose();
    let incarnation = incarnation.map_err(|error| faulty("incarnation", &error.to_string()))?;
    let since = match (&incarnation, wanted.since.as_deref()) {
        // The incarnation decides alone.
        (Some(_), _) | (None, None) => None,
        (None, Some(text)) => Some(Time::parse(text).ok_or_else(|| faulty("since", "is RFC 3339 or seconds since 1970"))?),
    };
    let until = Instant::now() + patience(&headers)?;
    // They share the connection's read buffer, which would be kept for as long as this is held.
    drop(headers);
    let record = Box::new(shared.service.find_own(&agent.name, &Named::Id(question_id(&id)?, incarnation)).await?);
    let record = held(&shared, &agent, record, until).await?;
    let reply = tokio::select! {
        reply = reply(&shared, &record, since, until) => reply?,
        () = shared.service.revocations.until_revoked(&agent.token) => return Err(Problem::unauthenticated()),
    };
    // What it holds may have been waited for.
    if shared.service.store.token_by_id(&agent.token).await.map_err(ServiceError::from)?.is_none() {
        return Err(Problem::unauthenticated());
    }
    Ok(reply)
}

/// Holds until the record is over or the patience ends; a token that is revoked meanwhile ends the hold.
async fn held(shared: &Shared, agent: &Agent, record: Box<Record>, until: Instant) -> Result<Box<Record>, Problem> {
    let service = &shared.service;
    let _attending = service.attendance.attend(&record.question.incarnation);
    let left = until.saturating_duration_since(Instant::now());
    let record = tokio::select! {
        record = service.over(record, left) => record?,
        () = service.revocations.until_revoked(&agent.token) => return Err(Problem::unauthenticated()),
    };
    if service.store.token_by_id(&agent.token).await.map_err(ServiceError::from)?.is_none() {
        return Err(Problem::unauthenticated());
    }
    Ok(record)
}

async fn reply(shared: &Shared, record: &Record, since: Option<Time>, until: Instant) -> Result<Response, Problem> {
    match (&record.state, record.answer()) {
        (QuestionState::Withdrawn { reason, .. }, _) => Err(withdrawn(reason.as_deref())),
        (_, None) => Ok(StatusCode::NO_CONTENT.into_response()),
        (_, Some(answer)) => told(shared, answer, since, until).await,
    }
}

/// The answer, and the words that are for the agent alone.
#[derive(Serialize, ToSchema)]
struct Told<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    private_answer: Option<String>,
}

async fn told(shared: &Shared, answer: &Answer, since: Option<Time>, until: Instant) -> Result<Response, Problem> {
    if since.is_some_and(|since| !since::counts(answer.at, since)) {
        // It will not change any more; holding spares the caller from asking at once again.
        tokio::select! {
            () = sleep_until(until) => {}
            () = shared.service.ending.cancelled() => {}
        }
        return Ok((StatusCode::NO_CONTENT, [(IGNORED_AT, answer.at.to_string())]).into_response());
    }
    let left = until.saturating_duration_since(Instant::now());
    match shared.service.private_words(answer, left).await? {
        None => Ok(Json(Told { answer, private_answer: None }).into_response()),
        Some(Some(words)) => Ok(Json(Told { answer, private_answer: Some(words) }).into_response()),
        // They were lost with a restart; their owner was asked to write them again.
        Some(None) => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

/// The agent has the private words, and they are forgotten.
#[utoipa::path(
    post,
    path = "/v1/questions/{id}/private/confirm",
    operation_id = "confirm_private",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    request_body = Option<bodies::ConfirmBody>,
    responses((status = 204, description = "They are forgotten"), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody, refusals::AnotherRecord)
)]
pub async fn confirm(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    OptionalBody(body): OptionalBody,
) -> Result<StatusCode, Problem> {
    let mut fields = Fields::of(body).map_err(ServiceError::from)?;
    let incarnation = fields.parsed("incarnation", Incarnation::parse).map_err(ServiceError::from)?;
    let revision = read_revision(&mut fields).map_err(ServiceError::from)?;
    fields.finish().map_err(ServiceError::from)?;
    let named = shared.service.own(&agent.name, Named::Id(question_id(&id)?, incarnation), revision).await?;
    shared.service.confirm_private(&agent.actor, &agent.name, &named).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) fn patience(headers: &HeaderMap) -> Result<Duration, Problem> {
    let preferences = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let mut waits = preferences.filter_map(|preference| preference.trim().strip_prefix("wait="));
    let Some(text) = waits.next() else { return Ok(Duration::ZERO) };
    let seconds: u64 = text.trim_matches('"').parse().map_err(|_| faulty("Prefer", "is `wait=` and a number of seconds"))?;
    Ok(Duration::from_secs(seconds.min(LONGEST)))
}

pub(super) fn faulty(field: &str, detail: &str) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", "Not valid", format!("{field}: {detail}."));
    Problem { field: Some(field.to_owned()), ..problem }
}
