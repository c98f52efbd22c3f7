//! Receiving: nothing else may take the bot's updates. While a pagerd of ours polls, it is the one to know; else a poll of
//! our own finds out. It confirms nothing, so no update is lost by it.

use std::time::Duration;

use pager_bot::intake::ALLOWED_UPDATES;
use pager_bot::{Telegram, WebhookInfo};
use tokio::time::Instant;
use url::Url;

use super::Report;
use super::store::Seen;
use crate::clock;
use crate::configuration::Receiving;

const CHECK: &str = "receiving";
/// How long another reader has time to show itself. It begins a new poll as soon as ours ended its own.
const LISTENS: Duration = Duration::from_secs(5);
/// A service whose last finished poll is older than this is deaf. One that is well finishes one in half a minute.
const SILENT_MILLIS: i64 = 120_000;
/// A conflict counts for so long.
const CONFLICT_MILLIS: i64 = 180_000;
const STOP_THE_OTHER: &str =
    "stop the other program that uses this token, or make a bot of its own for it (/newbot at @BotFather)";

/// Looks for a webhook and for another reader.
pub(super) async fn check(api: &Telegram, receiving: &Receiving, seen: &Seen, report: &mut Report) {
    let info = api.webhook_info().await;
    if let Receiving::Webhook { url, .. } = receiving {
        return match info {
            Ok(webhook) => by_webhook(&webhook, url, seen, report),
            Err(failure) => report.warn("webhook", format!("it could not be looked up: {}", failure.reason()), "run this again"),
        };
    }
    match info {
        Ok(webhook) if webhook.url.is_empty() => report.ok("webhook", "none is in the way"),
        Ok(_) => {
            return report.fail(
                "webhook",
                "one is set, so polling gets nothing",
                "stop the program that set it, then start pagerd: it takes the webhook away and keeps what waits",
            );
        }
        Err(failure) => report.warn("webhook", format!("it could not be looked up: {}", failure.reason()), "run this again"),
    }
    match &seen.served_by {
        Some(process) => ours(process, seen, report),
        None => another(api, report).await,
    }
}

/// The webhook has to lead here, and Telegram to get through.
fn by_webhook(webhook: &WebhookInfo, url: &Url, seen: &Seen, report: &mut Report) {
    let leads_here = Url::parse(&webhook.url).is_ok_and(|told| told == *url);
    match (leads_here, webhook.pending_update_count) {
        (true, waiting) if waiting > 0 && webhook.last_error_date.is_some() => report.fail(
            "webhook",
            format!("Telegram cannot deliver, {waiting} updates wait: {}", webhook.last_error_message),
            "look at the proxy, its certificate and server.public_url",
        ),
        (true, _) => report.ok("webhook", "it leads here"),
        (false, _) if webhook.url.is_empty() && seen.served_by.is_none() => {
            report.ok("webhook", "none is set yet; pagerd sets it when it starts");
        }
        (false, _) => report.fail(
            "webhook",
            "it does not lead to this service",
            "stop the other program that uses this token; pagerd sets its own again within minutes",
        ),
    }
}

/// The service that runs noted when it finished a poll, at most half a minute late.
fn ours(process: &str, seen: &Seen, report: &mut Report) {
    let age = |then: i64| clock::now().as_millis().saturating_sub(then);
    if seen.last_conflict.is_some_and(|then| age(then) < CONFLICT_MILLIS) {
        return report.fail(CHECK, "another program reads this bot's updates as well", STOP_THE_OTHER);
    }
    match seen.last_poll.map(age) {
        Some(age) if age < SILENT_MILLIS => {
            report.ok(CHECK, format!("process {process} polls; its last finished poll was noted {} s ago", age / 1000));
        }
        Some(age) => report.fail(
            CHECK,
            format!("process {process} finished its last poll {} s ago", age / 1000),
            "look at the network and at the log of that process",
        ),
        None => report.warn(CHECK, format!("process {process} has not finished a poll yet"), "run this again in a minute"),
    }
}

async fn another(api: &Telegram, report: &mut Report) {
    let until = Instant::now() + LISTENS;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let seconds = u32::try_from(left.as_secs()).unwrap_or(0).max(1);
        match api.get_updates(None, seconds, &ALLOWED_UPDATES).await {
            Err(failure) if failure.is_conflict() => {
                return report.fail(CHECK, "another program reads this bot's updates", STOP_THE_OTHER);
            }
            Err(failure) => return report.fail(CHECK, failure.reason(), "look at the network and try again"),
            Ok(_) if Instant::now() >= until => {
                return report.ok(CHECK, "nobody else reads the bot's updates; no pagerd serves here at the moment");
            }
            // What waits is given at once, each time anew.
            Ok(_) => tokio::time::sleep(Duration::from_millis(500)).await,
        }
    }
}
