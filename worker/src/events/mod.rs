//! `GET /v1/events`: what happened, told as it happens. A door: it shows what the store's log says and decides nothing.

mod feed;
mod forgetting;
mod frame;
mod listening;
mod position;
mod right;

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::feed::Feed;
use self::listening::Listening;
use self::right::Right;
use crate::http::Shared;
use crate::http::description::refusals;
use crate::http::problem::Problem;
use crate::http::query::QueryOf;
use crate::service::{Service, ServiceError};
use crate::web::Site;

pub use position::write as position;

/// The route, and what keeps it fed and small.
pub fn start(service: &Arc<Service>, site: Site) -> OpenApiRouter<Shared> {
    let feed = Arc::<Feed>::default();
    tokio::spawn(feed::run(service.clone(), feed.clone()));
    tokio::spawn(forgetting::run(service.clone()));
    OpenApiRouter::new().routes(routes!(listen)).layer(Extension(feed)).layer(Extension(site))
}

/// Where to go on, for those who cannot set a header.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// As the header, which wins.
    #[param(required = false)]
    last_event_id: Option<String>,
}

/// Server-Sent Events from now on, or from after `Last-Event-ID`. A browser that is logged in needs no token.
///
/// An agent hears of its own questions, updates and requests, and of questions and offers that are put to it when they are asked
/// (`question.asked`) and when they have ended (`question.ended`). An owner and a device hear of all.
#[utoipa::path(
    get,
    path = "/v1/events",
    operation_id = "events",
    security(("bearer" = [])),
    params(Asked, ("Last-Event-ID" = inline(Option<String>), Header, description = "Goes on after this one")),
    responses((status = 200, description = "A stream without an end", body = String, content_type = "text/event-stream"), refusals::NeedsAnyToken, refusals::UnreadQuery)
)]
async fn listen(
    right: Right,
    State(shared): State<Shared>,
    Extension(feed): Extension<Arc<Feed>>,
    QueryOf(asked): QueryOf<Asked>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // What came last counts: a browser that connects again sends the address it first had, and the header anew.
    let header = headers.get("last-event-id").map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let after = header.or(asked.last_event_id).filter(|id| !id.is_empty());
    // They share the connection's read buffer, which would be kept for as long as this is held.
    drop(headers);
    let listening = Listening::begin(&shared.service, feed, right, after.as_deref()).await.map_err(ServiceError::from)?;
    let about = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((about, listening.into_body()).into_response())
}
