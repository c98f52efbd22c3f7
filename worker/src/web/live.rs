//! The part of the page that changes, anew: the script asks for it when `/v1/events` says that something happened.

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};

use super::Site;
use super::contents::Inbox;
use super::inbox::{Looking, Piece};
use super::session::{self, Visitor};
use crate::http::Shared;

/// `GET /inbox/live?shown=KEYS`: 200 with the piece as it is, 401 when the session is over.
pub async fn piece(
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
    headers: HeaderMap,
) -> Response {
    let visitor = match session::find(&site, shared.service.store.as_ref(), &headers).await {
        Ok(Some(session)) => Visitor { session },
        Ok(None) => return StatusCode::UNAUTHORIZED.into_response(),
        Err(error) => return unavailable(&error),
    };
    let inbox = Inbox::gather(&shared, &site, &visitor, &looking, None).await;
    match inbox.map(|inbox| Piece { inbox: &inbox }.render()) {
        Ok(Ok(html)) => Html(html).into_response(),
        Ok(Err(error)) => unavailable(&error),
        Err(error) => unavailable(&error),
    }
}

fn unavailable(cause: &dyn std::error::Error) -> Response {
    tracing::error!(%cause, "the live piece of the page could not be made");
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}
