//! What a call that did not succeed came to. Every reply is classified once, here.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::call::Reply;

/// What is waited when a limit is met and GitHub does not say how long.
const USUAL_PAUSE: Duration = Duration::from_secs(60);
/// What is passed on of GitHub's words, in characters.
const LONGEST_WORDS: usize = 1000;

/// Why a call did not bring what it was made for. No text of it holds a token or what was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A rate limit: nothing happened, and the same call may be made again after the pause.
    #[error("{reason}")]
    Limited {
        /// How long.
        pause: Duration,
        /// What GitHub said.
        reason: String,
    },
    /// The same call does not succeed until somebody mends the cause.
    #[error("{reason}")]
    Refused {
        /// The status code.
        status: u16,
        /// What GitHub said, nested messages too.
        reason: String,
    },
    /// It may or may not have happened.
    #[error("{reason}")]
    Unknown {
        /// What is known.
        reason: String,
    },
}

impl Failure {
    pub(super) fn of(reply: &Reply) -> Self {
        let reason = reason(reply);
        if let Some(pause) = pause(reply, &reason) {
            return Self::Limited { pause, reason };
        }
        match reply.status {
            300..=303 | 305..=407 | 409..500 => Self::Refused { status: reply.status, reason },
            _ => Self::Unknown { reason },
        }
    }

    pub(super) fn no_reply(reason: impl Into<String>) -> Self {
        Self::Unknown { reason: reason.into() }
    }

    /// What is known, for people.
    pub fn reason(&self) -> &str {
        match self {
            Self::Limited { reason, .. } | Self::Refused { reason, .. } | Self::Unknown { reason } => reason,
        }
    }
}

/// The order of GitHub's own rules: `retry-after`, else the reset of a spent budget, else a minute. Some secondary limits
/// are told by the text alone.
fn pause(reply: &Reply, reason: &str) -> Option<Duration> {
    if !matches!(reply.status, 403 | 429) {
        return None;
    }
    if let Some(pause) = reply.retry_after() {
        return Some(pause);
    }
    if reply.header("x-ratelimit-remaining").is_some_and(|left| left.trim() == "0") {
        let reset = reply.header("x-ratelimit-reset").and_then(|reset| reset.trim().parse().ok());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        return Some(reset.map_or(USUAL_PAUSE, |reset| Duration::from_secs(reset).saturating_sub(now) + Duration::from_secs(1)));
    }
    let words = reason.to_lowercase();
    let is_limit = reply.status == 429 || words.contains("rate limit") || words.contains("abuse detection");
    is_limit.then_some(USUAL_PAUSE)
}

fn reason(reply: &Reply) -> String {
    let body = reply.json();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut parts: Vec<String> = body.get("message").and_then(text).into_iter().collect();
    for error in body.get("errors").and_then(Value::as_array).into_iter().flatten() {
        parts.extend(error.get("message").and_then(text).or_else(|| text(error)).or_else(|| field_at_fault(error)));
    }
    let said: String = parts.join("; ").replace(char::is_control, " ").chars().take(LONGEST_WORDS).collect();
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let needs = reply.header("x-accepted-github-permissions").filter(|_| matches!(reply.status, 403 | 404));
    let needs = needs.map(|needs| format!("; it takes the permission {needs}")).unwrap_or_default();
    let id = reply.header("x-github-request-id").map(|id| format!(" (request {id})")).unwrap_or_default();
    format!("GitHub answered {}{said}{needs}{id}", reply.status)
}

/// Some errors have no words: `{"resource": "Repository", "field": "sha", "code": "invalid"}`.
fn field_at_fault(error: &Value) -> Option<String> {
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    Some(format!("{} is {}", text("field")?, text("code").unwrap_or("wrong")))
}
