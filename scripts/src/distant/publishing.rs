//! What is only published (updates, requests, replies) where nothing is told back: sends the event, and says no more than that.

use std::sync::Arc;

use pager_questions::Time;

use super::{Distant, Event, Rhythm, persisting};
use crate::again;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Sends an event, called `what` to people. The time is that of sending.
///
/// # Errors
/// Code 1 when it could not be sent.
pub fn publish(way: &Arc<dyn Distant>, event: &Event, what: &str, rhythm: Rhythm, publication: &str) -> Result<Time, Failure> {
    let sent_at = persisting::send(way.as_ref(), event, &rhythm, &mut again::sleep).map_err(|failure| match failure.exit {
        Exit::Failed => {
            let words = format!("{failure}; sending it again with --publication-id {publication} is safe");
            Failure { words, ..failure }
        }
        _ => failure,
    })?;
    output::say(&format!("sent the {what} to {}; whether it arrived is not told", way.destination()));
    Ok(sent_at)
}
