//! `GET /metrics`, and the counting of requests. Open on this machine; to anybody else, or behind a proxy, it needs an
//! owner's token: figures tell how much somebody works, and when.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::header::{CONTENT_TYPE, FORWARDED};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::callers::Owner;
use super::description::refusals;
use super::problem::Problem;
use crate::clock;
use crate::metrics::Metrics;
use crate::service::ServiceError;

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) SocketAddr);

/// The figures as Prometheus reads them. Open on the same machine, else for owners.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    security(("bearer" = [])),
    responses((status = 200, description = "The figures", body = String, content_type = "text/plain"), refusals::NeedsAnyToken)
)]
pub(super) async fn show(State(shared): State<Shared>, request: Request) -> Result<Response, Problem> {
    let (mut parts, _) = request.into_parts();
    if shared.is_behind_proxy || !is_from_here(&parts) {
        Owner::from_request_parts(&mut parts, &shared).await?;
    }
    let service = &shared.service;
    let figures = service.store.figures().await.map_err(ServiceError::from)?;
    let text = service.metrics.expose(&figures, service.attendance.waiting(), clock::now());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

/// From this machine, and not passed on by somebody on it.
fn is_from_here(parts: &Parts) -> bool {
    let is_loopback = parts.extensions.get::<Peer>().is_some_and(|peer| peer.0.ip().to_canonical().is_loopback());
    let is_passed_on = parts.headers.contains_key(FORWARDED)
        || parts.headers.keys().any(|name| name.as_str() == "via" || name.as_str().starts_with("x-forwarded"));
    is_loopback && !is_passed_on
}

/// Counts each request by its route, once it was answered.
pub(super) async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    metrics.answered(route.as_ref().map_or("none", MatchedPath::as_str), response.status().as_str());
    response
}
