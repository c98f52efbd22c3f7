//! Scripted faults: what happens to the next calls of a method instead of a clean reply.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

/// A fault of one call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    /// A refusal with this code and whole description; the call is not carried out.
    Status {
        /// `error_code` and HTTP status.
        code: u16,
        /// `description`.
        description: String,
        /// For 429: seconds.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// The connection stays open without a reply until released or for a time; then the reply
    /// is a clean one.
    Hang {
        /// Carried out at once and only the reply held back; else carried out when released,
        /// and never when the client goes away before.
        #[serde(default)]
        applied: bool,
        /// At most this many milliseconds; for ever when absent.
        #[serde(default)]
        milliseconds: Option<u64>,
    },
    /// The connection is cut and the call not carried out.
    ResetBefore,
    /// The call is carried out and the connection cut without a reply.
    ResetAfter,
    /// Status 200 with a body that is not JSON.
    Garbage200 {
        /// Whether the call is carried out.
        #[serde(default)]
        applied: bool,
    },
    /// A proxy's page instead of the server's reply; the call is not carried out.
    Http502,
}

impl Fault {
    /// 429 with the seconds to wait.
    pub fn flood(retry_after: u64) -> Self {
        Self::Status {
            code: 429,
            description: format!("Too Many Requests: retry after {retry_after}"),
            retry_after: Some(retry_after),
        }
    }

    /// Hangs until released, carried out only then.
    pub fn hang() -> Self {
        Self::Hang { applied: false, milliseconds: None }
    }

    /// Carried out at once, the reply held back until released.
    pub fn hang_after() -> Self {
        Self::Hang { applied: true, milliseconds: None }
    }

    pub(super) fn longest_hang(milliseconds: Option<u64>) -> Duration {
        // A client gives up long before a day.
        Duration::from_millis(milliseconds.unwrap_or(86_400_000))
    }
}

/// Faults that wait for calls, by method in lower case; `*` stands for any method.
#[derive(Debug, Default)]
pub(super) struct Faults {
    waiting: BTreeMap<String, VecDeque<Waiting>>,
    /// Rises when hanging calls are let go.
    pub(super) releases: u64,
}

#[derive(Debug)]
struct Waiting {
    /// Stands somewhere in the parameters, written as JSON; empty for any call.
    words: String,
    fault: Fault,
}

impl Faults {
    pub(super) fn add(&mut self, method: &str, fault: &Fault, times: usize) {
        self.add_where(method, "", fault, times);
    }

    pub(super) fn add_where(&mut self, method: &str, words: &str, fault: &Fault, times: usize) {
        let waiting = self.waiting.entry(method.to_ascii_lowercase()).or_default();
        waiting.extend((0..times).map(|_| Waiting { words: words.to_owned(), fault: fault.clone() }));
    }

    pub(super) fn take(&mut self, method: &str, parameters: &Value) -> Option<Fault> {
        for key in [method, "*"] {
            let Some(waiting) = self.waiting.get_mut(key).filter(|waiting| !waiting.is_empty()) else { continue };
            let parameters = parameters.to_string();
            let fitting = waiting.iter().position(|waiting| parameters.contains(&waiting.words));
            if let Some(found) = fitting.and_then(|index| waiting.remove(index)) {
                return Some(found.fault);
            }
        }
        None
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
