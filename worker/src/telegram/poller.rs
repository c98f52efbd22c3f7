//! Receiving: each update is stored as it came before the next request confirms it. One reader; conflicts never end it.

use std::time::Duration;

use futures_util::future::join_all;
use pager_bot::intake::{ALLOWED_UPDATES, update_id};
use serde_json::Value;
use tokio::time::Instant;

use super::inbox::Forgetting;
use super::{Door, inbox};
use crate::store::Write;
use crate::{clock, crash};

/// How long one poll is held by Telegram, in seconds.
const HELD: u32 = 25;
/// The pauses after a failed poll.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LAST_PAUSE: Duration = Duration::from_secs(10);
/// After this long without a finished poll, the trouble is an alarm.
const ALARM_AFTER: Duration = Duration::from_secs(90);
/// Under this name the store keeps when a poll was last finished, in milliseconds since 1970; at most half a minute late.
pub const LAST_POLL: &str = "telegram.last_poll";
/// The same of the last time that another reader of the updates was met.
pub const LAST_CONFLICT: &str = "telegram.last_conflict";
const KEEP_EVERY_MILLIS: i64 = 30_000;

/// Polls for ever.
pub(super) async fn run(door: &Door) {
    let mut offset = None;
    let mut pause = FIRST_PAUSE;
    let mut finished = Instant::now();
    let mut forgetting = Forgetting::default();
    let (mut kept_poll, mut kept_conflict) = (0, 0);
    loop {
        match door.api.get_updates(offset, HELD, &ALLOWED_UPDATES).await {
            Ok(updates) => {
                finished = Instant::now();
                door.service.metrics.polled(clock::now());
                pause = FIRST_PAUSE;
                door.service.health.well("poll");
                if let Some(next) = store(door, &updates).await {
                    offset = Some(next);
                    door.received.notify_one();
                }
                keep_moment(door, LAST_POLL, &mut kept_poll).await;
                forgetting.look(&door.service).await;
            }
            Err(failure) => {
                let reason = failure.reason();
                if finished.elapsed() > ALARM_AFTER {
                    tracing::error!(reason, silent_for = ?finished.elapsed(), "no poll was finished for long");
                    door.service
                        .health
                        .trouble("poll", format!("none finished for {} s: {reason}", finished.elapsed().as_secs()));
                } else {
                    tracing::warn!(reason, "a poll failed; it is tried again");
                }
                if failure.is_conflict() {
                    keep_moment(door, LAST_CONFLICT, &mut kept_conflict).await;
                }
                if failure.is_webhook_in_the_way() {
                    let _ = door.api.delete_webhook().await;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LAST_PAUSE);
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
        Err(error) => tracing::warn!(%error, "it could not be kept when a poll was finished"),
    }
}

/// Stores a batch and returns the offset that confirms it; None when there is nothing to confirm yet.
async fn store(door: &Door, updates: &[Value]) -> Option<i64> {
    if updates.is_empty() {
        return None;
    }
    crash::point("update.received");
    let received_at = clock::now();
    let with_ids = updates.iter().filter_map(|update| Some((update_id(update)?, update.to_string())));
    let stored = join_all(with_ids.map(|(id, body)| inbox::store(&door.service, id, body, received_at))).await;
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
