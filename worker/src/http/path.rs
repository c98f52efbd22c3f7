//! A part of a path that stands for something, as text.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::problem::Problem;

/// The one variable part of a path. What is no text names nothing, as every other name that is unknown.
pub struct Segment(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &S) -> Result<Self, Problem> {
        match Path::from_request_parts(parts, shared).await {
            Ok(Path(text)) => Ok(Self(text)),
            Err(_) => Err(super::nothing_here().await),
        }
    }
}
