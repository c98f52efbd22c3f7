//! Holds a request until something changed, then answers with the piece of the page anew. Woken by the change itself.

use std::time::Duration;

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};

use super::Site;
use super::contents::{Inbox, mark};
use super::inbox::{Looking, Piece};
use super::session::{self, Visitor};
use crate::http::Shared;

/// How long a request is held at most.
const LONGEST: Duration = Duration::from_secs(25);

/// `GET /inbox/live?seen=MARK`: 200 with the piece, 204 when nothing changed, 401 when the session is over.
pub async fn hold(
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Query(looking): Query<Looking>,
    headers: HeaderMap,
) -> Response {
    if let Err(refusal) = visitor(&shared, &site, &headers).await {
        return refusal;
    }
    let mut changes = shared.service.changes.subscribe();
    let changed = changes.wait_for(|count| mark(&site, *count) != looking.seen);
    tokio::select! {
        _ = tokio::time::timeout(LONGEST, changed) => {}
        () = shared.service.ending.cancelled() => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
    // A token may have been revoked meanwhile.
    let visitor = match visitor(&shared, &site, &headers).await {
        Ok(visitor) => visitor,
        Err(refusal) => return refusal,
    };
    if mark(&site, *shared.service.changes.borrow()) == looking.seen {
        return StatusCode::NO_CONTENT.into_response();
    }
    let inbox = Inbox::gather(&shared, &site, &visitor, &looking, None).await;
    match inbox.map(|inbox| Piece { inbox: &inbox }.render()) {
        Ok(Ok(html)) => Html(html).into_response(),
        Ok(Err(error)) => unavailable(&error),
        Err(error) => unavailable(&error),
    }
}

async fn visitor(shared: &Shared, site: &Site, headers: &HeaderMap) -> Result<Visitor, Response> {
    match session::find(site, shared.service.store.as_ref(), headers).await {
        Ok(Some(session)) => Ok(Visitor { session }),
        Ok(None) => Err(StatusCode::UNAUTHORIZED.into_response()),
        Err(error) => Err(unavailable(&error)),
    }
}

fn unavailable(cause: &dyn std::error::Error) -> Response {
    tracing::error!(%cause, "the live piece of the page could not be made");
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}
