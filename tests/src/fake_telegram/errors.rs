//! The refusals of the Bot API: codes and texts word for word as the published server gives them.

use serde_json::{Map, Value, json};

/// What a method gives back: the `result` of the reply, or why the server refused.
pub(super) type Answer = Result<Value, Refusal>;

/// A refused call. The HTTP status of the reply is `code`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `error_code` and HTTP status.
    pub code: u16,
    /// `description`, with its prefix such as `Bad Request: `.
    pub description: String,
    /// Seconds to wait, in `parameters` and in the `Retry-After` header.
    pub retry_after: Option<u64>,
    /// The id of the supergroup that a group became.
    pub migrate_to_chat_id: Option<i64>,
}

impl Refusal {
    /// A refusal with the whole description given.
    pub(super) fn new(code: u16, description: impl Into<String>) -> Self {
        Self { code, description: description.into(), retry_after: None, migrate_to_chat_id: None }
    }

    /// The body of the reply.
    pub(super) fn body(&self) -> Value {
        let mut parameters = Map::new();
        if let Some(seconds) = self.retry_after {
            parameters.insert("retry_after".into(), json!(seconds));
        }
        if let Some(chat) = self.migrate_to_chat_id {
            parameters.insert("migrate_to_chat_id".into(), json!(chat));
        }
        let mut body = json!({
            "ok": false, "error_code": self.code, "description": self.description,
        });
        if !parameters.is_empty() {
            body["parameters"] = Value::Object(parameters);
        }
        body
    }
}

/// 400 with the text after `Bad Request: `.
pub(super) fn bad(text: impl std::fmt::Display) -> Refusal {
    Refusal::new(400, format!("Bad Request: {text}"))
}

/// 403 with the text after `Forbidden: `.
pub(super) fn forbidden(text: impl std::fmt::Display) -> Refusal {
    Refusal::new(403, format!("Forbidden: {text}"))
}

/// 409 with the text after `Conflict: `.
pub(super) fn conflict(text: impl std::fmt::Display) -> Refusal {
    Refusal::new(409, format!("Conflict: {text}"))
}

/// 429 with the seconds to wait.
pub(super) fn too_many(retry_after: u64) -> Refusal {
    Refusal { retry_after: Some(retry_after), ..Refusal::new(429, format!("Too Many Requests: retry after {retry_after}")) }
}

/// 400 for the id of a group that became a supergroup.
pub(super) fn migrated(to: i64) -> Refusal {
    Refusal { migrate_to_chat_id: Some(to), ..bad("group chat was upgraded to a supergroup chat") }
}

/// 401 for a token of the wrong shape.
pub(super) fn malformed_token() -> Refusal {
    Refusal::new(401, "Unauthorized: invalid token specified")
}

/// 401 for a well-formed token that no bot has.
pub(super) fn unknown_token() -> Refusal {
    Refusal::new(401, "Unauthorized")
}

/// 404 for a path that is no call at all.
pub(super) fn not_found() -> Refusal {
    Refusal::new(404, "Not Found")
}

/// 404 for a method that does not exist.
pub(super) fn method_not_found() -> Refusal {
    Refusal::new(404, "Not Found: method not found")
}

pub(super) const NOT_MODIFIED: &str = "message is not modified: specified new message content and \
    reply markup are exactly the same as a current content and reply markup of the message";
pub(super) const QUERY_TOO_OLD: &str = "query is too old and response timeout expired or query ID is invalid";
pub(super) const THREAD_NOT_FOUND: &str = "message thread not found";
pub(super) const TOPIC_NOT_MODIFIED: &str = "TOPIC_NOT_MODIFIED";
pub(super) const WEBHOOK_ACTIVE: &str = "can't use getUpdates method while webhook is active; use \
    deleteWebhook to delete the webhook first";
pub(super) const OTHER_POLLER: &str = "terminated by other getUpdates request; make sure that only \
    one bot instance is running";
