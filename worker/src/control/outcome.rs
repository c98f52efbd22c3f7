//! What came of an event: a status and a body, the same for whoever sends it again.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pager_questions::{Record, RecordView};
use serde::Serialize;
use serde_json::Value;

use crate::http::problem::Problem;
use crate::store::HandledEvent;

/// The reply to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The HTTP status: 200 or 201 with a record, else with a problem.
    pub status: u16,
    /// A JSON text.
    pub body: String,
    /// The stable code of a problem.
    pub code: Option<String>,
}

impl Outcome {
    /// The record that it is about.
    pub(super) fn record(status: StatusCode, record: &Record) -> Self {
        let body = serde_json::to_string(&RecordView::from(record)).expect("a record is plain JSON");
        Self { status: status.as_u16(), body, code: None }
    }

    /// What it is about, as every door shows it.
    pub(super) fn of(status: StatusCode, shown: &impl Serialize) -> Self {
        let body = serde_json::to_string(shown).expect("what is shown is plain JSON");
        Self { status: status.as_u16(), body, code: None }
    }

    /// There is no question: the operator leaves this to its agent.
    pub(super) fn delegated() -> Self {
        Self { status: StatusCode::OK.as_u16(), body: r#"{"delegated":true}"#.to_owned(), code: None }
    }

    /// What was replied before.
    pub(super) fn stored(event: HandledEvent) -> Self {
        let problem: Option<Value> = (event.status >= 400).then(|| serde_json::from_str(&event.reply).ok()).flatten();
        let code = problem.and_then(|problem| problem["code"].as_str().map(str::to_owned));
        Self { status: event.status, body: event.reply, code }
    }

    /// Is nothing to be gained by handling the event again later?
    pub fn is_settled(&self) -> bool {
        // A source without room has some once its questions are answered.
        self.status < 500 && !matches!(self.code.as_deref(), Some("answering" | "capacity"))
    }
}

impl From<Problem> for Outcome {
    fn from(problem: Problem) -> Self {
        Self { status: problem.status, code: Some(problem.code.to_owned()), body: problem.to_json() }
    }
}

impl IntoResponse for Outcome {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let kind = if status.is_success() { "application/json" } else { "application/problem+json" };
        let mut response = (status, self.body).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_work_later_is_not_settled() {
        let is_settled = |status, code| Outcome::from(Problem::new(status, code, "", "")).is_settled();
        assert!(!is_settled(StatusCode::TOO_MANY_REQUESTS, "capacity"), "its source has room once it got answers");
        assert!(!is_settled(StatusCode::CONFLICT, "answering"));
        assert!(!is_settled(StatusCode::SERVICE_UNAVAILABLE, "unavailable"));
        assert!(is_settled(StatusCode::CONFLICT, "id_used"));
    }
}
