//! Keeps the webhook set: at the start, always with the secret and the kinds of updates, and again when somebody else
//! changed it. Nothing is polled for meanwhile, and an orderly end leaves it set: Telegram keeps what it cannot deliver.

use std::time::Duration;

use pager_bot::intake::ALLOWED_UPDATES;
use pager_bot::{Failure, WebhookInfo};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Notify;
use url::Url;

use super::Door;
use super::inbox::Forgetting;
use crate::clock;

/// Its part in the health of pagerd.
const PART: &str = "webhook";
/// How many updates Telegram may deliver at the same moment.
const MOST_CONNECTIONS: u32 = 20;
/// How often it is looked whether the webhook is still ours.
const LOOKS_EVERY: Duration = Duration::from_secs(180);
/// At the start it is looked so often, a second apart, whether Telegram has delivered what waited there.
const MOST_LOOKS_TO_HEAR: u32 = 60;
/// A failed delivery is told for this long after it, while updates wait.
const TOLD_FOR_SECONDS: i64 = 600;
/// The pauses while it cannot be set.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(60);

/// What came of a look.
enum Looked {
    /// It was set.
    Set,
    /// It is as this process set it; what keeps Telegram from delivering, when something does.
    Ours(Option<String>),
}

/// Sets it and looks after it for ever.
pub(super) async fn run(door: &Door, url: &Url, secret: &SecretString) {
    let is_set = Notify::new();
    let hearing = async {
        is_set.notified().await;
        hear(door).await;
    };
    tokio::join!(look_after(door, url, secret, &is_set), hearing);
}

async fn look_after(door: &Door, url: &Url, secret: &SecretString, is_set: &Notify) {
    let mut forgetting = Forgetting::default();
    let mut set_at = None;
    let mut pause = FIRST_PAUSE;
    loop {
        match look(door, url, secret, set_at).await {
            Ok(looked) => {
                pause = FIRST_PAUSE;
                match looked {
                    Looked::Ours(Some(reason)) => door.service.health.trouble(PART, reason),
                    Looked::Ours(None) => door.service.health.well(PART),
                    Looked::Set => {
                        set_at = Some(seconds_now());
                        door.service.health.well(PART);
                        is_set.notify_one();
                    }
                }
                forgetting.look(&door.service).await;
                tokio::time::sleep(looks_every()).await;
            }
            Err(failure) => {
                let reason = failure.reason();
                tracing::error!(reason, "the webhook could not be looked after; it is tried again");
                door.service.health.trouble(PART, format!("it could not be set: {reason}"));
                tokio::time::sleep(asked_for(&failure).unwrap_or_default().max(pause)).await;
                pause = (pause * 2).min(LAST_PAUSE);
            }
        }
    }
}

/// Sets it unless it is as this process set it, in seconds since 1970.
async fn look(door: &Door, url: &Url, secret: &SecretString, set_at: Option<i64>) -> Result<Looked, Failure> {
    let info = door.api.webhook_info().await?;
    // Telegram may write the address in another way.
    let leads_here = Url::parse(&info.url).is_ok_and(|told| told == *url);
    // What the secret is, Telegram does not tell: the first time it is set in any case, and again once ours turned it away.
    if let Some(set_at) = set_at
        && leads_here
        && has_our_kinds(&info)
        && !was_turned_away(&info, set_at)
    {
        return Ok(Looked::Ours(trouble(&info)));
    }
    if set_at.is_some() || !(info.url.is_empty() || leads_here) {
        // The other address may hold a secret of its own, so it stays out of the log.
        tracing::warn!("somebody else changed the bot's webhook; it is set again. One bot serves one pagerd");
    }
    door.api.set_webhook(url.as_str(), secret.expose_secret(), MOST_CONNECTIONS, &ALLOWED_UPDATES).await?;
    tracing::info!("the webhook is set");
    Ok(Looked::Set)
}

/// Telegram is heard once nothing of what was written meanwhile waits there any more. Nothing waits longer for that.
async fn hear(door: &Door) {
    for _ in 0..MOST_LOOKS_TO_HEAR {
        if *door.service.heard.borrow() {
            return;
        }
        if door.api.webhook_info().await.is_ok_and(|info| info.pending_update_count == 0) {
            door.service.heard.send_replace(true);
            return;
        }
        tokio::time::sleep(FIRST_PAUSE).await;
    }
}

/// Updates came with another secret than ours since ours was set.
fn was_turned_away(info: &WebhookInfo, set_at: i64) -> bool {
    let is_since = info.last_error_date.is_some_and(|date| date >= set_at);
    is_since && info.pending_update_count > 0 && info.last_error_message.contains("401")
}

fn has_our_kinds(info: &WebhookInfo) -> bool {
    let mut kinds: Vec<&str> = info.allowed_updates.iter().map(String::as_str).collect();
    let mut wanted = ALLOWED_UPDATES.to_vec();
    kinds.sort_unstable();
    wanted.sort_unstable();
    kinds == wanted
}

fn trouble(info: &WebhookInfo) -> Option<String> {
    let age = seconds_now() - info.last_error_date?;
    let is_told = info.pending_update_count > 0 && age < TOLD_FOR_SECONDS;
    is_told.then(|| format!("Telegram cannot deliver, {} updates wait: {}", info.pending_update_count, info.last_error_message))
}

fn seconds_now() -> i64 {
    clock::now().as_millis() / 1000
}

fn asked_for(failure: &Failure) -> Option<Duration> {
    match failure {
        Failure::NotApplied { retry_after, .. } => *retry_after,
        Failure::Permanent { .. } | Failure::Unknown { .. } => None,
    }
}

/// A test does not wait for minutes.
#[cfg(debug_assertions)]
fn looks_every() -> Duration {
    let millis = std::env::var("PAGER_WEBHOOK_LOOK_MILLIS").ok().and_then(|millis| millis.parse().ok());
    millis.map_or(LOOKS_EVERY, Duration::from_millis)
}

#[cfg(not(debug_assertions))]
fn looks_every() -> Duration {
    LOOKS_EVERY
}
