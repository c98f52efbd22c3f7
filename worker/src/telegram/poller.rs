//! Receiving: each update is stored as it came before the next request confirms it. One reader; conflicts never end it.

use std::time::Duration;

use futures_util::future::join_all;
use pager_bot::Failure;
use pager_bot::intake::{ALLOWED_UPDATES, update_id};
use serde_json::Value;
use tokio::time::Instant;

use super::inbox::Forgetting;
use super::outage::Outage;
use super::{Door, inbox};
use crate::store::{Stored, Write};
use crate::{clock, crash};

/// How long one poll is held by Telegram, in seconds.
const HELD: u32 = 25;
/// The pauses after a failed poll.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LAST_PAUSE: Duration = Duration::from_secs(10);
/// After this long without a finished poll, the trouble is an alarm.
const ALARM_AFTER: Duration = Duration::from_secs(90);
/// Under this name the store keeps when another reader of the updates was met last, in milliseconds since 1970.
pub const LAST_CONFLICT: &str = "telegram.last_conflict";
const KEEP_EVERY_MILLIS: i64 = 30_000;
/// A poll that has not ended after this is given up, whatever keeps it: the client's own patience ends long before.
const WATCHDOG: Duration = Duration::from_secs(75);

/// Polls for ever.
pub(super) async fn run(door: &Door) {
    let mut offset = None;
    let mut pause = FIRST_PAUSE;
    let mut finished = Instant::now();
    let mut forgetting = Forgetting::default();
    let mut kept_conflict = 0;
    let mut watch = Outage::kept(door).await;
    // Not held until one brings nothing: by then all that came meanwhile is stored, and Telegram is heard.
    let mut held = 0;
    loop {
        let polled = tokio::time::timeout(WATCHDOG, door.api.get_updates(offset, held, &ALLOWED_UPDATES)).await;
        let polled = polled.unwrap_or_else(|_| Err(Failure::Unknown { reason: "the poll hung".to_owned() }));
        match polled {
            Ok(updates) => {
                finished = Instant::now();
                door.service.metrics.polled(clock::now());
                if updates.is_empty() {
                    door.service.heard.send_replace(true);
                    held = HELD;
                }
                watch.finished(door).await;
                pause = FIRST_PAUSE;
                door.service.health.well("poll");
                if let Some(next) = store(door, &updates).await {
                    offset = Some(next);
                    door.received.notify_one();
                }
                forgetting.look(&door.service).await;
            }
            Err(failure) => {
                let reason = failure.reason();
                match alarm(finished.elapsed(), reason) {
                    Some(alarm) => {
                        tracing::error!(reason, silent_for = ?finished.elapsed(), "no poll was finished for long");
                        door.service.health.trouble("poll", alarm);
                    }
                    None => tracing::warn!(reason, "a poll failed; it is tried again"),
                }
                if failure.is_conflict() {
                    keep_moment(door, LAST_CONFLICT, &mut kept_conflict).await;
                }
                if failure.is_webhook_in_the_way() {
                    let _ = door.api.delete_webhook().await;
                }
                tokio::time::sleep(pause).await;
                pause = longer(pause);
            }
        }
    }
}

/// Keeps that it happened now, unless that was kept a moment ago: another process may want to know.
async fn keep_moment(door: &Door, name: &str, last: &mut i64) {
    let now = clock::now().as_millis();
    if now.saturating_sub(*last) < KEEP_EVERY_MILLIS {
        return;
    }
    match door.service.store.commit(vec![Write::Keep { name: name.to_owned(), value: now.to_string() }]).await {
        Ok(()) => *last = now,
        Err(error) => tracing::warn!(%error, "it could not be kept that another reader was met"),
    }
}

/// What operators are told once no poll was finished for long.
fn alarm(silent: Duration, reason: &str) -> Option<String> {
    (silent > ALARM_AFTER).then(|| format!("none finished for {} s: {reason}", silent.as_secs()))
}

fn longer(pause: Duration) -> Duration {
    (pause * 2).min(LAST_PAUSE)
}

/// Stores a batch and returns the offset that confirms it; None when there is nothing to confirm yet.
async fn store(door: &Door, updates: &[Value]) -> Option<i64> {
    if updates.is_empty() {
        return None;
    }
    crash::point("update.received");
    let received_at = clock::now();
    let with_ids = updates.iter().filter_map(|update| Some((update_id(update)?, update)));
    // Looking takes one longer than another; they are kept in the order in which they came.
    let looked = join_all(with_ids.map(|(id, update)| inbox::look(&door.service, id, update, received_at))).await;
    let stored = match looked.into_iter().collect::<Stored<Vec<_>>>() {
        Ok(looked) => join_all(looked.into_iter().map(|looked| inbox::keep(&door.service, looked))).await,
        Err(error) => vec![Err(error)],
    };
    if let Some(Err(error)) = stored.into_iter().find(Result::is_err) {
        // Not confirmed, so Telegram gives the batch again.
        tracing::error!(%error, "updates could not be stored");
        door.service.health.trouble("store", error.to_string());
        tokio::time::sleep(FIRST_PAUSE).await;
        return None;
    }
    crash::point("update.stored");
    door.service.health.well("store");
    door.service.metrics.stored_updates(updates.len());
    updates.iter().filter_map(update_id).next_back().map(|last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_for_minutes_is_an_alarm_after_ninety_seconds_and_never_the_end() {
        assert_eq!(alarm(ALARM_AFTER, "Conflict"), None);
        let told = alarm(Duration::from_secs(91), "Conflict").expect("an alarm");
        assert_eq!(told, "none finished for 91 s: Conflict");
        let pauses: Vec<Duration> = std::iter::successors(Some(FIRST_PAUSE), |pause| Some(longer(*pause))).take(100).collect();
        assert!(pauses.is_sorted() && pauses.iter().all(|pause| *pause <= LAST_PAUSE), "it is tried for ever, and slowly");
    }

    #[test]
    fn the_watchdog_barks_only_after_the_client_would_have_given_up() {
        let client = Duration::from_secs(u64::from(HELD)) + pager_bot::api::PATIENCE;
        assert!(WATCHDOG > client && WATCHDOG < ALARM_AFTER);
    }
}
