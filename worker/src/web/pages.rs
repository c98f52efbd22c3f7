//! Small pages: a problem, and how any template becomes a reply.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};

/// Something went wrong: what, and the way out.
#[derive(Debug, Template)]
#[template(path = "problem.html")]
pub struct Problem {
    /// The HTTP status.
    pub status: StatusCode,
    /// Short.
    pub title: &'static str,
    /// What is wrong and what to do.
    pub detail: String,
}

impl Problem {
    /// No question has this name.
    pub fn no_such_question() -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: "There is no such question",
            detail: "Nothing was recorded. The inbox shows what waits for you.".to_owned(),
        }
    }

    /// No request has this name.
    pub fn no_such_request() -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: "There is no such request",
            detail: "Nothing was recorded. The list of requests shows what there is.".to_owned(),
        }
    }

    /// No update has this name, or it was forgotten long after it was dismissed.
    pub fn no_such_update() -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: "There is no such update",
            detail: "Nothing was changed. The list of updates shows what there is.".to_owned(),
        }
    }

    /// What was sent is not what a page of ours sends.
    pub fn unreadable() -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            title: "This could not be read",
            detail: "It was not the form of this page. Nothing was recorded; open the inbox and press there.".to_owned(),
        }
    }

    /// The store or the answers repository cannot be used. The cause is for the log alone.
    pub fn unavailable(cause: &dyn std::error::Error) -> Self {
        tracing::error!(%cause, "the page could not be shown");
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            title: "The service cannot be used at the moment",
            detail: "It cannot reach its store. Its log and /readyz say why; then load this page again.".to_owned(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        page(self.status, &self)
    }
}

/// A template as a reply.
pub fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            (StatusCode::INTERNAL_SERVER_ERROR, "The page could not be made. The service's log says why.\n").into_response()
        }
    }
}
