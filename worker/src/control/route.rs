//! `POST /v1/control`. Whoever proves nothing is told 401, also when nothing is set up here: a workflow takes 404 for an
//! unknown question and goes on, and its event would be lost unnoticed.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::proof::{APP_SIGNATURE, Proved, Unproved};
use super::{Control, receive};
use crate::clock;
use crate::http::body::{MOST_BYTES, read_at_most, too_large};
use crate::http::description::refusals;
use crate::http::problem::Problem;
use crate::service::ServiceError;

/// What GitHub puts around an event of ours: the repository, the sender, the installation.
const MOST_AROUND: usize = 192 * 1024;

pub(super) fn routes<S: Clone + Send + Sync + 'static>(control: Arc<Control>) -> OpenApiRouter<S> {
    OpenApiRouter::new().routes(routes!(take)).with_state(control)
}

/// An event of the control repository, with the proof of its workflow or of the GitHub App.
#[utoipa::path(
    post,
    path = "/v1/control",
    operation_id = "control",
    request_body = serde_json::Value,
    responses((status = "2XX", description = "What became of it", body = serde_json::Value), (status = 404, description = "There is no such question for this source", body = refusals::ProblemDocument, content_type = "application/problem+json"), (status = 409, description = "It clashes with what is there", body = refusals::ProblemDocument, content_type = "application/problem+json"), (status = 429, description = "This source has no room", body = refusals::ProblemDocument, content_type = "application/problem+json"), refusals::Unproved)
)]
async fn take(State(control): State<Arc<Control>>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let around = if parts.headers.contains_key(APP_SIGNATURE) { MOST_AROUND } else { 0 };
    let body = read_at_most(body, MOST_BYTES + around).await?;
    match control.proofs.check(&parts.headers, &body, clock::now()).await {
        Ok(Proved::Event(event)) => {
            if event.body.len() > MOST_BYTES {
                return Err(too_large(MOST_BYTES));
            }
            // A caller that hangs up leaves nothing half done: others would see the event neither handled nor not.
            let handling = tokio::spawn(async move { receive(&control, &event).await });
            handling.await.map(IntoResponse::into_response).map_err(|error| ServiceError::Unusable(error.to_string()).into())
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
