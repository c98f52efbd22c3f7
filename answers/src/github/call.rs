//! One request to GitHub, and what came back, whatever its status.

use std::time::Duration;

use http::{HeaderMap, Method};
use serde_json::Value;

use super::failure::Failure;

/// One request.
#[derive(Clone, Debug)]
pub struct Call {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) accept: Option<&'static str>,
    pub(super) if_none_match: Option<String>,
}

impl Call {
    /// A request to this path below the API's address, percent-encoded where it has to be, with its query.
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: None, accept: None, if_none_match: None }
    }

    /// A reading request.
    pub fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    /// With this body.
    #[must_use]
    pub fn body(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }

    /// In this media type, such as `application/vnd.github.raw+json`.
    #[must_use]
    pub fn accept(self, accept: &'static str) -> Self {
        Self { accept: Some(accept), ..self }
    }

    /// Only when it is not this any more: a 304 costs no quota. The ETag as it was sent, or a commit in quotes.
    #[must_use]
    pub fn unless(self, etag: impl Into<String>) -> Self {
        Self { if_none_match: Some(etag.into()), ..self }
    }
}

/// What GitHub replied.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The body; empty when there is none.
    pub body: String,
    headers: HeaderMap,
}

impl Reply {
    pub(super) fn new(status: u16, headers: HeaderMap, body: String) -> Self {
        Self { status, body, headers }
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body as JSON; `Null` when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// Was it done?
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Is there nothing newer than what was named by [`Call::unless`]?
    pub fn is_unchanged(&self) -> bool {
        self.status == 304
    }

    /// Is there no such thing, or is it hidden from this caller?
    pub fn is_absent(&self) -> bool {
        self.status == 404
    }

    /// Its class as a failure. What a 404, a 409 or a 422 means at one path is for its caller to know first.
    pub fn failure(&self) -> Failure {
        Failure::of(self)
    }

    /// Where a renamed repository is.
    pub(super) fn redirects_to(&self) -> Option<&str> {
        matches!(self.status, 301 | 302 | 307 | 308).then(|| self.header("location")).flatten()
    }

    /// How long GitHub asks to wait.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        self.header("retry-after")?.trim().parse().ok().map(Duration::from_secs)
    }
}
