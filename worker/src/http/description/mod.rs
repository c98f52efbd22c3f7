//! What describes the API: the shapes of bodies that are read by hand, what is refused, and the document made of it all.
//! Nothing here is used to read or to decide.

pub mod bodies;
pub mod document;
pub mod parameters;
pub mod refusals;

use std::sync::Arc;

use axum::Extension;
use axum::http::header::{CONTENT_TYPE, HeaderName};
use utoipa::openapi::OpenApi;

/// The description of all routes, as it is served.
#[derive(Clone)]
pub struct Document(Arc<str>);

impl Document {
    /// The document of this description.
    pub fn of(description: OpenApi) -> Self {
        Self(document::text(description).into())
    }
}

/// This document: OpenAPI 3.1. Open to everybody; it tells nothing secret.
#[utoipa::path(
    get,
    path = "/v1/openapi.json",
    operation_id = "description",
    responses((status = 200, description = "The document", body = serde_json::Value))
)]
pub async fn show(Extension(document): Extension<Document>) -> ([(HeaderName, &'static str); 1], String) {
    ([(CONTENT_TYPE, "application/json")], document.0.to_string())
}
