//! Scripted faults: what happens to the next requests of a kind instead of a clean reply.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::{Refusal, head_moved, not_found, secondary_limit};

/// A fault of one request.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    /// Any reply; the request is not carried out.
    Reply {
        /// The status.
        status: u16,
        /// The body.
        #[serde(default)]
        body: Value,
        /// Further headers.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
    /// 502 with a page.
    BadGateway {
        /// Whether the request is carried out.
        #[serde(default)]
        applied: bool,
    },
    /// The connection is cut.
    Reset {
        /// Whether the request is carried out.
        #[serde(default)]
        applied: bool,
    },
    /// No reply until released, or for a time; then the clean one.
    Hang {
        /// Carried out at once and only the reply held back.
        #[serde(default)]
        applied: bool,
        /// At most so long; for ever when absent.
        #[serde(default)]
        milliseconds: Option<u64>,
    },
    /// The status of a success with a body that is no JSON.
    Garbage {
        /// Whether the request is carried out.
        #[serde(default)]
        applied: bool,
    },
    /// A clean reply, late: so long passes between the look at the branch and its move.
    Slow {
        /// How long.
        milliseconds: u64,
    },
    /// `is at A but expected B`.
    HeadMoved {
        /// 409, and seen as 422.
        status: u16,
    },
    /// 409 of a ruleset.
    RuleViolation {},
    /// 409 of the protection against pushed secrets.
    SecretFound {},
    /// 409, sometimes for a moment only.
    NotAuthorizedToPush {},
    /// The limit whose state cannot be asked for; without seconds the text alone tells of it.
    SecondaryLimit {
        /// `retry-after`
        #[serde(default)]
        retry_after: Option<u64>,
        /// 403, and seen as 429.
        #[serde(default)]
        status: Option<u16>,
    },
    /// The hourly budget is spent.
    PrimaryLimit {
        /// Until its reset.
        seconds: i64,
    },
    /// 404, as for a repository that was deleted or hidden.
    Gone {},
}

impl Fault {
    /// 502, not carried out.
    pub fn bad_gateway() -> Self {
        Self::BadGateway { applied: false }
    }

    /// 502, carried out.
    pub fn bad_gateway_after() -> Self {
        Self::BadGateway { applied: true }
    }

    /// Cut, not carried out.
    pub fn reset() -> Self {
        Self::Reset { applied: false }
    }

    /// Cut, carried out.
    pub fn reset_after() -> Self {
        Self::Reset { applied: true }
    }

    /// Hangs until released, carried out only then.
    pub fn hang() -> Self {
        Self::Hang { applied: false, milliseconds: None }
    }

    /// Carried out at once, the reply held back until released.
    pub fn hang_after() -> Self {
        Self::Hang { applied: true, milliseconds: None }
    }

    /// Any status with a message.
    pub fn status(status: u16, message: &str) -> Self {
        Self::Reply { status, body: Refusal::new(status, message).body(), headers: BTreeMap::new() }
    }

    /// The branch moved, as it usually looks.
    pub fn head_moved() -> Self {
        Self::HeadMoved { status: 409 }
    }

    /// What is replied instead of carrying the request out, for those faults that are refusals.
    pub(super) fn refusal(&self, request: &str, now: i64) -> Option<Refusal> {
        let refusal = match self {
            Self::HeadMoved { status } => Refusal {
                status: *status,
                ..head_moved("5d2cb0f1d3a1a3a9a1f0b7c2b4ab8c7e6f1d2c3b", "8a1f3c5e7b9d0f2a4c6e8b0d1f3a5c7e9b1d3f5a")
            },
            Self::RuleViolation {} => {
                let rule = "Changes must be made through a pull request.";
                Refusal::new(409, format!("Repository rule violations found\n\n{rule}\n\n")).with("errors", json!([{ "message": rule }]))
            }
            Self::SecretFound {} => {
                let found = json!([{ "placeholder_id": "2k4dM4tseyC5lPIsjl5emX9sPNk", "token_type": "GITHUB_PERSONAL_ACCESS_TOKEN" }]);
                Refusal::new(409, "Repository rule violations found\n\nSecret detected in content\n\n")
                    .with("metadata", json!({ "secret_scanning": { "bypass_placeholders": found } }))
            }
            Self::NotAuthorizedToPush {} => Refusal::new(409, "You're not authorized to push to this branch."),
            Self::SecondaryLimit { retry_after, status } => {
                let refusal = Refusal { status: status.unwrap_or(403), ..secondary_limit(request) };
                match retry_after {
                    Some(seconds) => refusal.header("retry-after", seconds),
                    None => refusal,
                }
            }
            Self::PrimaryLimit { seconds } => {
                Refusal::new(403, format!("API rate limit exceeded for user ID 1. If you reach out to GitHub Support for help, please include the request ID {request}."))
                    .header("x-ratelimit-remaining", 0)
                    .header("x-ratelimit-reset", now + seconds)
            }
            Self::Gone {} => not_found(),
            Self::Reply { .. }
            | Self::BadGateway { .. }
            | Self::Reset { .. }
            | Self::Hang { .. }
            | Self::Garbage { .. }
            | Self::Slow { .. } => return None,
        };
        Some(refusal)
    }
}

/// Faults that wait for requests.
#[derive(Debug, Default)]
pub(super) struct Faults {
    waiting: Vec<Waiting>,
    /// Rises when hanging requests are let go.
    pub(super) releases: u64,
}

#[derive(Debug)]
struct Waiting {
    /// `*` for any.
    method: String,
    /// `*` stands for anything, slashes too.
    path: String,
    fault: Fault,
}

impl Faults {
    pub(super) fn add(&mut self, method: &str, path: &str, fault: &Fault, times: usize) {
        let waiting = || Waiting { method: method.to_uppercase(), path: path.to_owned(), fault: fault.clone() };
        self.waiting.extend((0..times).map(|_| waiting()));
    }

    pub(super) fn take(&mut self, method: &str, path: &str) -> Option<Fault> {
        let fits = |it: &Waiting| (it.method == "*" || it.method == method) && matches(&it.path, path);
        let place = self.waiting.iter().position(fits)?;
        Some(self.waiting.remove(place).fault)
    }

    pub(super) fn left(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}

/// Does a pattern with `*` fit a whole path?
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((head, rest)) => path.strip_prefix(head).is_some_and(|left| {
            (0..=left.len()).filter(|place| left.is_char_boundary(*place)).any(|place| matches(rest, &left[place..]))
        }),
    }
}
