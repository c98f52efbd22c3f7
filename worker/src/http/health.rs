//! Is it alive, and can it do its work? Open to everybody: nothing secret is said.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;

use super::Shared;

/// `GET /healthz`: the process answers.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// What `GET /readyz` says.
#[derive(Serialize)]
pub struct Readiness {
    status: &'static str,
    degraded: Vec<String>,
}

/// `GET /readyz`: 503 only when the store cannot be used; what else is wrong stands in `degraded`.
pub async fn ready(State(shared): State<Shared>) -> (StatusCode, Json<Readiness>) {
    match shared.service.store.count_open().await {
        Err(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, Json(Readiness { status: "unavailable", degraded: vec!["store".to_owned()] }))
        }
        Ok(_) => {
            let degraded = shared.service.health.degraded();
            let status = if degraded.is_empty() { "ready" } else { "degraded" };
            (StatusCode::OK, Json(Readiness { status, degraded }))
        }
    }
}
