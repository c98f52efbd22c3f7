//! What a request brings when it is not refused.

use serde_json::Value;

use super::refusal::Refusal;

/// A reply that is no refusal.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    pub(super) content_type: &'static str,
    /// In quotes. Without one, it is made of the body and the token.
    pub(super) etag: Option<String>,
    pub(super) location: Option<String>,
}

pub(super) type Answer = Result<Given, Refusal>;

const JSON: &str = "application/json; charset=utf-8";

impl Given {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self { status, body: body.to_string().into_bytes(), content_type: JSON, etag: None, location: None }
    }

    pub(super) fn raw(content_type: &'static str, body: Vec<u8>) -> Self {
        Self { status: 200, body, content_type, etag: None, location: None }
    }

    pub(super) fn nothing() -> Self {
        Self { status: 204, body: Vec::new(), content_type: JSON, etag: None, location: None }
    }

    pub(super) fn moved(status: u16, location: String) -> Self {
        let message = if status == 301 { "Moved Permanently" } else { "Temporary Redirect" };
        let body = serde_json::json!({
            "message": message, "url": location, "documentation_url": "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
        });
        Self { location: Some(location), ..Self::json(status, &body) }
    }

    pub(super) fn etag(self, etag: String) -> Self {
        Self { etag: Some(etag), ..self }
    }
}
