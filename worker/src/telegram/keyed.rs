//! Which question a key means. Pending ones come first: an ended one is found only to say what happened to it.

use pager_bot::key;
use pager_bot::render::{replies, toasts};
use pager_questions::{Record, State};

use super::Door;
use crate::service::ServiceError;

/// How many questions are named when a key means several.
const NAMED: u32 = 10;

/// What a key means.
pub(super) enum Meant {
    /// This open question.
    Open(Box<Record>),
    /// No question that can be settled; this is what to say.
    None(String),
}

/// Looks it up.
pub(super) async fn find(door: &Door, typed: &str) -> Result<Meant, ServiceError> {
    let Some(key) = key::read(typed) else { return Ok(Meant::None(replies::unknown_key(typed))) };
    let found = door.service.store.with_key(&key, NAMED).await?;
    let open: Vec<Record> = found.iter().filter(|record| matches!(record.state, State::Open { .. })).cloned().collect();
    Ok(match (open.as_slice(), found.first()) {
        ([record], _) => Meant::Open(Box::new(record.clone())),
        ([], None) => Meant::None(replies::unknown_key(typed)),
        // The newest of those that ended, or the one whose answer is being saved.
        ([], Some(record)) => Meant::None(replies::no_longer_open(&toasts::ended(record, &door.zone))),
        (several, _) => Meant::None(replies::ambiguous_key(typed, several)),
    })
}
