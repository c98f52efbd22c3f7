//! A call to the keeper of answers has an end, whatever the keeper does.

use std::time::Duration;

/// A call that takes longer has an unknown outcome.
pub(super) const CALL_ENDS_WITHIN: Duration = Duration::from_secs(120);

/// What the call gives, or why it gave nothing, for the log and the operator.
pub(super) async fn within<T, E: std::fmt::Display>(call: impl Future<Output = Result<T, E>>) -> Result<T, String> {
    match tokio::time::timeout(CALL_ENDS_WITHIN, call).await {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_) => Err(took_too_long()),
    }
}

/// What is said of a call that came to no end.
pub(super) fn took_too_long() -> String {
    format!("the answers repository did not reply within {} s", CALL_ENDS_WITHIN.as_secs())
}
