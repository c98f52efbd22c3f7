//! The HTTP API: routes, who may call them, and the documents that say why not.

pub mod body;
pub mod callers;
pub mod cursors;
mod gates;
mod health;
pub mod lists;
mod mailbox;
mod metrics;
mod owner;
pub mod problem;
mod questions;
mod requests;
mod serve;
mod sources;
mod updates;
mod wait;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};

use crate::service::Service;

use problem::Problem;
pub use serve::serve;

/// What every handler shares.
#[derive(Clone)]
pub struct Shared {
    /// The middle of pagerd.
    pub service: Arc<Service>,
    /// Whether others reach it by way of a proxy on this machine.
    pub is_behind_proxy: bool,
}

/// The routes of the API and of the health checks.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/questions", post(questions::ask).get(questions::list))
        .route("/v1/questions/{id}", get(questions::show))
        .route("/v1/questions/{id}/answer", get(wait::answer).post(owner::answer))
        .route("/v1/questions/{id}/resume", get(questions::resume))
        .route("/v1/questions/{id}/private/confirm", post(wait::confirm))
        .route("/v1/questions/{id}/withdraw", post(questions::withdraw))
        .route("/v1/questions/{id}/consume", post(gates::consume))
        .route("/v1/questions/{id}/decline", post(owner::decline))
        .route("/v1/questions/{id}/cancel", post(owner::cancel))
        .route("/v1/sources/{agent}/reset", post(sources::reset))
        .route("/v1/gates", get(gates::of_run))
        .route("/v1/requests", get(requests::list))
        .route("/v1/requests/{id}", get(requests::show))
        .route("/v1/updates", post(updates::publish).get(updates::list))
        .route("/v1/updates/{id}", get(updates::show))
        .route("/v1/updates/{id}/read", post(updates::read))
        .route("/v1/updates/{id}/dismiss", post(updates::dismiss))
        .route("/v1/inbox/open", get(owner::open))
        .route("/v1/inbox", get(mailbox::list))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metrics::show))
        .method_not_allowed_fallback(not_this_method)
}

/// The same routes, each request counted.
pub fn counted(routes: Router, service: &Service) -> Router {
    routes.layer(axum::middleware::from_fn_with_state(service.metrics.clone(), metrics::count))
}

/// What is answered where there is nothing.
pub async fn nothing_here() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found", "There is nothing at this address. Check the path.")
}

/// What is answered to a method that an address does not take.
pub async fn not_this_method() -> Problem {
    let detail = "This address takes another method. Check the call.";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "Method not allowed", detail)
}
