//! The query of an address, as the shape that its handler names.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The query of the request. One of another shape is 400 `malformed`.
pub struct QueryOf<Shape>(pub Shape);

impl<Shape: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<Shape> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &S) -> Result<Self, Problem> {
        match Query::from_request_parts(parts, shared).await {
            Ok(Query(query)) => Ok(Self(query)),
            Err(error) => Err(Problem::malformed(error.body_text())),
        }
    }
}
