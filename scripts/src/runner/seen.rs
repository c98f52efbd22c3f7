//! A run that reads an answer by itself is not started for it afterwards. Best effort: a wake too many says nothing new.

use pager_questions::Purpose;
use serde_json::json;

use crate::client::{Call, Client};
use crate::json::Json;

/// Set for a command that `ask run` started.
const RUN: &str = "PAGER_RUN";

/// Tells the service that this answer was read, when a run read it. To be called once it was printed.
pub fn tell(client: &Client, answer: &Json, purpose: Option<Purpose>) {
    let (Some(incarnation), true) = (answer.text("incarnation"), std::env::var_os(RUN).is_some()) else { return };
    let reason = reason(purpose, answer.text("outcome").unwrap_or_default());
    let _ = client.send(&Call::post(format!("/v1/wakes/{incarnation}.{reason}/ack"), Some(json!({}))));
}

fn reason(purpose: Option<Purpose>, outcome: &str) -> &'static str {
    match (outcome, purpose) {
        ("defaulted" | "expired", _) => "deadline",
        ("chosen" | "own_words", Some(Purpose::Offer)) => "picked",
        _ => "answered",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_that_of_the_wake() {
        assert_eq!(reason(Some(Purpose::Offer), "defaulted"), "deadline");
        assert_eq!(reason(Some(Purpose::Approval), "expired"), "deadline");
        assert_eq!(reason(Some(Purpose::Offer), "own_words"), "picked");
        assert_eq!(reason(Some(Purpose::Offer), "declined"), "answered");
        assert_eq!(reason(None, "chosen"), "answered");
    }
}
