//! The HTTP API: routes, who may call them, and the documents that say why not.

pub mod body;
pub mod callers;
pub mod cursors;
pub mod description;
mod gates;
mod health;
pub mod lists;
mod mailbox;
mod metrics;
mod owner;
mod path;
mod pick;
pub mod problem;
pub mod query;
mod questions;
mod replies;
mod requests;
mod serve;
mod sources;
mod status;
mod updates;
mod wait;
mod wakes;

use std::sync::Arc;

use axum::http::StatusCode;
use axum::{Extension, Router};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

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

/// The routes of the API and of the health checks, each with its description.
pub fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(description::document::beginning())
        .routes(routes!(questions::ask, questions::list))
        .routes(routes!(questions::show))
        .routes(routes!(wait::answer, owner::answer))
        .routes(routes!(questions::resume))
        .routes(routes!(wait::confirm))
        .routes(routes!(questions::withdraw))
        .routes(routes!(gates::consume))
        .routes(routes!(owner::decline))
        .routes(routes!(owner::cancel))
        .routes(routes!(sources::reset))
        .routes(routes!(gates::of_run))
        .routes(routes!(requests::make, requests::list))
        .routes(routes!(requests::show))
        .routes(routes!(replies::reply))
        .routes(routes!(replies::offer))
        .routes(routes!(pick::pick))
        .routes(routes!(status::show))
        .routes(routes!(updates::publish, updates::list))
        .routes(routes!(updates::show))
        .routes(routes!(updates::read))
        .routes(routes!(updates::dismiss))
        .routes(routes!(wakes::list))
        .routes(routes!(wakes::older))
        .routes(routes!(wakes::mark))
        .routes(routes!(wakes::ack))
        .routes(routes!(wakes::release))
        .routes(routes!(owner::open))
        .routes(routes!(mailbox::list))
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::show))
        .routes(routes!(description::show))
}

/// What serves these routes, and the document that describes them all.
pub fn described(routes: OpenApiRouter<Shared>) -> Router<Shared> {
    let (routes, description) = routes.split_for_parts();
    routes.method_not_allowed_fallback(not_this_method).layer(Extension(description::Document::of(description)))
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
