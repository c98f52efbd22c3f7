//! The HTTP API: routes, who may call them, and the documents that say why not.

mod body;
mod callers;
mod health;
mod lists;
mod owner;
pub mod problem;
mod questions;
mod serve;
mod wait;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::health::Health;
use crate::service::Service;

pub use serve::serve;

/// What every handler shares.
#[derive(Clone)]
pub struct Shared {
    /// The middle of pagerd.
    pub service: Arc<Service>,
    /// How pagerd itself is.
    pub health: Arc<Health>,
}

/// The routes of the API and of the health checks.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/questions", post(questions::ask).get(questions::list))
        .route("/v1/questions/{id}", get(questions::show))
        .route("/v1/questions/{id}/answer", get(wait::answer).post(owner::answer))
        .route("/v1/questions/{id}/withdraw", post(questions::withdraw))
        .route("/v1/questions/{id}/decline", post(owner::decline))
        .route("/v1/questions/{id}/cancel", post(owner::cancel))
        .route("/v1/inbox/open", get(owner::open))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
}
