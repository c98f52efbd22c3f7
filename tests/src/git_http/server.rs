//! The HTTP side: who asks, which call it is, and the faults in between.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State as Held};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use tokio::sync::watch;

use super::backend::carry_out;
use super::faults::{At, Fault};
use super::{PASSWORD, Shared, USER};

/// The largest push that it takes.
const MOST: usize = 64 << 20;

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new().fallback(reply_to).with_state(shared)
}

async fn reply_to(Held(shared): Held<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MOST).await else { return status(413) };
    if !knows_the_password(&parts) {
        return status(401);
    }
    let Some(at) = kind(&parts) else { return status(404) };
    // Before the call is seen: whoever sees it may release it at once.
    let releases = shared.releases.subscribe();
    let fault = {
        let mut state = shared.state();
        state.calls.push(at);
        state.faults.take(at)
    };
    match fault {
        None => clean(&shared, &parts, body).await,
        Some(Fault::Status(code)) => status(code),
        Some(Fault::StatusAfter(code)) => {
            clean(&shared, &parts, body).await;
            status(code)
        }
        Some(Fault::ResetBefore) => reset(),
        Some(Fault::ResetAfter) => {
            clean(&shared, &parts, body).await;
            reset()
        }
        Some(Fault::Hang) => {
            until_released(releases).await;
            clean(&shared, &parts, body).await
        }
        Some(Fault::HangAfter) => {
            let reply = clean(&shared, &parts, body).await;
            until_released(releases).await;
            reply
        }
        Some(Fault::Garbage) => {
            (StatusCode::OK, [(CONTENT_TYPE, "text/html")], "<html><body>Log in to the Wi-Fi</body></html>").into_response()
        }
    }
}

async fn clean(shared: &Shared, parts: &Parts, body: Bytes) -> Response {
    carry_out(&shared.folder, parts, body).await.unwrap_or_else(|_| status(500))
}

fn kind(parts: &Parts) -> Option<At> {
    let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
    let names = |service| path.ends_with("/info/refs") && query.contains(service);
    match () {
        () if names("service=git-upload-pack") => Some(At::FetchLook),
        () if names("service=git-receive-pack") => Some(At::PushLook),
        () if path.ends_with("/git-upload-pack") => Some(At::Fetch),
        () if path.ends_with("/git-receive-pack") => Some(At::Push),
        () => None,
    }
}

fn knows_the_password(parts: &Parts) -> bool {
    let expected = base64::engine::general_purpose::STANDARD.encode(format!("{USER}:{PASSWORD}"));
    parts.headers.get(AUTHORIZATION).is_some_and(|given| given.as_bytes() == format!("Basic {expected}").as_bytes())
}

fn status(code: u16) -> Response {
    let code = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut reply = (code, code.to_string()).into_response();
    if code == StatusCode::UNAUTHORIZED {
        reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"git\""));
    }
    reply
}

/// A body that fails before its first byte: the server drops the connection and nothing of the reply goes out.
fn reset() -> Response {
    let failed = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    let body = futures_util::stream::once(std::future::ready(Err::<Vec<u8>, _>(failed)));
    Response::new(Body::from_stream(body))
}

async fn until_released(mut releases: watch::Receiver<u64>) {
    let _ = releases.changed().await;
}
