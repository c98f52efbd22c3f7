//! Waiting for an answer: at once, or held for as long as `Prefer: wait=N` says. A held request costs memory, not work.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use pager_questions::{Answer, Incarnation, Record, State as QuestionState, Time, since};
use serde::Deserialize;
use tokio::time::{Instant, sleep_until};

use super::Shared;
use super::callers::Agent;
use super::problem::Problem;
use super::questions::{question_id, withdrawn};
use crate::service::{Named, ServiceError};

/// The longest hold, in seconds.
const LONGEST: u64 = 600;
const IGNORED_AT: HeaderName = HeaderName::from_static("pager-ignored-at");

/// Which answer counts.
#[derive(Deserialize)]
pub struct Wanted {
    since: Option<String>,
    incarnation: Option<String>,
}

/// `GET /v1/questions/{id}/answer`: 200 the answer, 204 none yet, 410 withdrawn.
pub async fn answer(
    agent: Agent,
    State(shared): State<Shared>,
    Path(id): Path<String>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Query(wanted) = wanted.map_err(|error| Problem::malformed(error.body_text()))?;
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
    reply(&shared, &record, since, until).await
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
        (_, Some(answer)) => Ok(told(shared, answer, since, until).await),
    }
}

async fn told(shared: &Shared, answer: &Answer, since: Option<Time>, until: Instant) -> Response {
    match since {
        Some(since) if !since::counts(answer.at, since) => {
            // It will not change any more; holding spares the caller from asking at once again.
            tokio::select! {
                () = sleep_until(until) => {}
                () = shared.service.ending.cancelled() => {}
            }
            (StatusCode::NO_CONTENT, [(IGNORED_AT, answer.at.to_string())]).into_response()
        }
        _ => Json(answer).into_response(),
    }
}

fn patience(headers: &HeaderMap) -> Result<Duration, Problem> {
    let preferences = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let mut waits = preferences.filter_map(|preference| preference.trim().strip_prefix("wait="));
    let Some(text) = waits.next() else { return Ok(Duration::ZERO) };
    let seconds: u64 = text.trim_matches('"').parse().map_err(|_| faulty("Prefer", "is `wait=` and a number of seconds"))?;
    Ok(Duration::from_secs(seconds.min(LONGEST)))
}

fn faulty(field: &str, detail: &str) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", "Not valid", format!("{field}: {detail}."));
    Problem { field: Some(field.to_owned()), ..problem }
}
