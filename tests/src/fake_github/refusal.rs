//! The refusals of GitHub's API: statuses and texts as the real server words them.

use serde_json::{Map, Value, json};

/// Where every refusal points.
const DOCUMENTATION: &str = "https://docs.github.com/rest";
pub(super) const ABOUT_SECONDARY_LIMITS: &str =
    "https://docs.github.com/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits";

/// A refused request.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// `message`.
    pub message: String,
    /// Further members of the body, such as `errors`.
    pub(super) members: Map<String, Value>,
    pub(super) headers: Vec<(String, String)>,
}

impl Refusal {
    pub(super) fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), members: Map::new(), headers: Vec::new() }
    }

    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.members.insert(name.to_owned(), value);
        self
    }

    pub(super) fn header(mut self, name: &str, value: impl ToString) -> Self {
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }

    /// The body of the reply.
    pub(super) fn body(&self) -> Value {
        let mut body = json!({
            "message": self.message, "documentation_url": DOCUMENTATION, "status": self.status.to_string(),
        });
        if let Some(members) = body.as_object_mut() {
            members.extend(self.members.clone());
        }
        body
    }
}

/// 404 for what is not there and for what the caller may not know of.
pub(super) fn not_found() -> Refusal {
    Refusal::new(404, "Not Found")
}

/// 422 with this message.
pub(super) fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::new(422, message)
}

/// 422 for a member that is not there.
pub(super) fn not_supplied(name: &str) -> Refusal {
    invalid(format!("Invalid request.\n\n\"{name}\" wasn't supplied."))
}

/// 422 for a member of another kind.
pub(super) fn wrong_kind(name: &str, value: &Value, kind: &str) -> Refusal {
    invalid(format!("Invalid request.\n\nFor '{name}', {value} is not {kind}."))
}

/// 409 of the git database while there is no commit at all.
pub(super) fn empty_repository() -> Refusal {
    Refusal::new(409, "Git Repository is empty.")
}

/// 403 or 429 of the limit whose state cannot be asked for.
pub(super) fn secondary_limit(request: &str) -> Refusal {
    let message = format!(
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to \
         GitHub Support for help, please include the request ID {request}."
    );
    Refusal::new(403, message).with("documentation_url", ABOUT_SECONDARY_LIMITS.into())
}

/// 409 of a branch that moved between GitHub's own read and write.
pub(super) fn head_moved(at: &str, expected: &str) -> Refusal {
    Refusal::new(409, format!("is at {at} but expected {expected}"))
}
