//! Is it alive, and can it do its work? Open to everybody: nothing secret is said.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use pager_questions::Time;
use serde::Serialize;

use super::Shared;
use crate::clock;

/// Whether the process answers.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "alive",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"))
)]
pub async fn alive() -> &'static str {
    "ok\n"
}

/// What `GET /readyz` says.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Readiness {
    status: &'static str,
    degraded: Vec<String>,
    /// Age of the last finished poll in seconds; absent without Telegram and before the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_poll_age: Option<i64>,
    /// Age of the oldest call to Telegram that is still to be made, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    outbox_age: Option<i64>,
}

/// A poll is finished every half minute when all is well; a call to Telegram is made within seconds. What is older than
/// this wants somebody.
const TOO_OLD_SECONDS: i64 = 120;

/// Whether it can do its work; what is wrong stands in `degraded`.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "ready",
    responses((status = 200, description = "It can", body = Readiness), (status = 503, description = "The store cannot be used", body = Readiness))
)]
pub async fn ready(State(shared): State<Shared>) -> (StatusCode, Json<Readiness>) {
    let service = &shared.service;
    let age = |then: Time| (clock::now().as_millis() - then.as_millis()).max(0) / 1000;
    let last_poll_age = service.metrics.last_poll().map(age);
    let (Ok(_), Ok(oldest)) = (service.store.count_open().await, service.store.oldest_job().await) else {
        let degraded = vec!["store".to_owned()];
        let unavailable = Readiness { status: "unavailable", degraded, last_poll_age, outbox_age: None };
        return (StatusCode::SERVICE_UNAVAILABLE, Json(unavailable));
    };
    let outbox_age = oldest.map(age);
    let mut degraded = service.health.degraded();
    if let Some(age) = last_poll_age.filter(|age| *age > TOO_OLD_SECONDS)
        && !degraded.iter().any(|reason| reason.starts_with("poll:"))
    {
        degraded.push(format!("poll: none finished for {age} s"));
    }
    if let Some(age) = outbox_age.filter(|age| *age > TOO_OLD_SECONDS) {
        degraded.push(format!("outbox: the oldest call to Telegram has waited for {age} s"));
    }
    let status = if degraded.is_empty() { "ready" } else { "degraded" };
    (StatusCode::OK, Json(Readiness { status, degraded, last_poll_age, outbox_age }))
}
