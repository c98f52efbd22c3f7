//! Forgets what was kept for a time: idempotency keys and notes about messages after days, and the history when the operator set
//! for how long: records, and requests with their threads.

use std::sync::Arc;
use std::time::Duration;

use pager_questions::unanswered::OVER_AFTER_MILLIS;

use super::Service;
use super::wakes::{forgotten_before, woken_since};
use crate::store::{OldRequests, Stored, Write};
use crate::{clock, telegram};

/// How often it looks.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// Nobody sends a request once more after so long.
const KEYS_ARE_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Telegram lets nobody edit a message after two days, and keeps what was not taken for one.
const NOTES_ARE_KEPT: Duration = Duration::from_secs(3 * 24 * 60 * 60);
/// The most records of one commit, so that nobody waits long behind it.
const MOST_TOGETHER: u32 = 64;

/// Forgets for as long as the service runs. `keep`: for how long the history is kept; None for ever.
pub(super) async fn run(service: Arc<Service>, keep: Option<Duration>) {
    loop {
        match forget(&service, keep).await {
            Ok((0, 0)) => {}
            Ok((records, requests)) => {
                tracing::info!(records, requests, "records of the history and old requests were forgotten; their ids stay used");
            }
            Err(error) => tracing::warn!(%error, "what is old could not be forgotten; it is tried again later"),
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = service.ending.cancelled() => return,
        }
    }
}

/// How many records and requests went.
async fn forget(service: &Service, keep: Option<Duration>) -> Stored<(usize, usize)> {
    let now = clock::now();
    let before = |age: Duration| now.plus_millis(-i64::try_from(age.as_millis()).unwrap_or(i64::MAX));
    let notes = telegram::NOTES_OF_MESSAGES.iter().map(|prefix| Write::ForgetKept { prefix, before: before(NOTES_ARE_KEPT) });
    let keys = Write::ForgetKeys { before: before(KEYS_ARE_KEPT) };
    let (wakes_before, causes_before) = forgotten_before(now);
    let wakes = Write::ForgetWakes { wakes_before, causes_before };
    service.store.commit(notes.chain([keys, wakes]).collect()).await?;
    let Some(keep) = keep else { return Ok((0, 0)) };
    let mut forgotten = 0;
    while !service.ending.is_cancelled() {
        let old = service.store.forgettable(before(keep), woken_since(now), MOST_TOGETHER).await?;
        if old.is_empty() {
            break;
        }
        forgotten += old.len();
        service.store.commit(old.into_iter().map(Write::ForgetRecord).collect()).await?;
    }
    let old = OldRequests {
        quiet_since: before(keep),
        made_before: now.plus_millis(-OVER_AFTER_MILLIS),
        woken_since: woken_since(now),
    };
    Ok((forgotten, forget_requests(service, old).await?))
}

async fn forget_requests(service: &Service, old: OldRequests) -> Stored<usize> {
    let mut forgotten = 0;
    while !service.ending.is_cancelled() {
        let found = service.store.forgettable_requests(old, MOST_TOGETHER).await?;
        if found.is_empty() {
            break;
        }
        forgotten += found.len();
        service.store.commit(found.into_iter().map(|request| Write::ForgetRequest { request, old }).collect()).await?;
    }
    Ok(forgotten)
}
