//! `POST /v1/control`. Whoever proves nothing is told 401, also when nothing is set up here: a workflow takes 404 for an
//! unknown question and goes on, and its event would be lost unnoticed.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::json;

use super::proof::{APP_SIGNATURE, Proved, Unproved};
use super::{Control, receive};
use crate::clock;
use crate::http::body::{MOST_BYTES, read_at_most, too_large};
use crate::http::not_this_method;
use crate::http::problem::Problem;
use crate::service::ServiceError;

const PATH: &str = "/v1/control";
/// What GitHub puts around an event of ours: the repository, the sender, the installation.
const MOST_AROUND: usize = 192 * 1024;

pub(super) fn routes<S: Clone + Send + Sync + 'static>(control: Arc<Control>) -> Router<S> {
    Router::new().route(PATH, post(take)).method_not_allowed_fallback(not_this_method).with_state(control)
}

async fn take(State(control): State<Arc<Control>>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let around = if parts.headers.contains_key(APP_SIGNATURE) { MOST_AROUND } else { 0 };
    let body = read_at_most(body, MOST_BYTES + around).await?;
    match control.proofs.check(&parts.headers, &body, clock::now()).await {
        Ok(Proved::Event(event)) => {
            if event.body.len() > MOST_BYTES {
                return Err(too_large(MOST_BYTES));
            }
            Ok(receive(&control, &event).await.into_response())
        }
        Ok(Proved::Ignored(reason)) => {
            control.service.metrics.control_event("ignored", 200);
            tracing::info!(reason, "a delivery of GitHub's was ignored");
            Ok(Json(json!({"ignored": reason})).into_response())
        }
        Err(unproved) => {
            let problem = problem(unproved);
            control.service.metrics.control_event("unproved", problem.status);
            tracing::warn!(
                status = problem.status,
                reason = problem.detail,
                "an event of the control repository was turned away"
            );
            Err(problem)
        }
    }
}

fn problem(unproved: Unproved) -> Problem {
    match unproved {
        Unproved::Refused(reason) => {
            let detail = format!("The event's proof does not hold: {reason}.");
            Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Not authenticated", detail)
        }
        Unproved::Malformed(detail) => Problem::malformed(detail),
        Unproved::Wrong(fault) => ServiceError::Fault(fault).into(),
        Unproved::Uncertain(reason) => {
            let detail = format!("The event's proof could not be checked: {reason}. Send it again in a minute.");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "Unavailable", detail)
        }
    }
}
