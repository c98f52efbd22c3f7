//! `ask update` where nothing is told back: sends the event, and says no more than that.

use std::sync::Arc;

use pager_questions::Time;
use serde_json::Value;

use super::{Distant, Event, Rhythm, persisting};
use crate::again;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Sends it. The body is that of `POST /v1/updates`; the time is that of sending.
///
/// # Errors
/// Code 2 for an update that pagerd would refuse, 1 when it could not be sent.
pub fn publish(way: &Arc<dyn Distant>, body: Value, rhythm: Rhythm, publication: &str) -> Result<Time, Failure> {
    let event = Event::update(body, way.agent())?;
    let sent_at = persisting::send(way.as_ref(), &event, &rhythm, &mut again::sleep).map_err(|failure| match failure.exit {
        Exit::Failed => {
            let words = format!("{failure}; publishing it again with --publication-id {publication} is safe");
            Failure { words, ..failure }
        }
        _ => failure,
    })?;
    output::say(&format!("sent the update to {}; whether it arrived is not told", way.destination()));
    Ok(sent_at)
}
