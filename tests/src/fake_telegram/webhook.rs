//! setWebhook, deleteWebhook, getWebhookInfo: what is set, what is told about it.

use serde_json::{Value, json};

use super::delivery::{Progress, is_this_machine};
use super::errors::{Answer, Refusal, bad, too_many};
use super::parameters::Parameters;
use super::state::State;

/// A webhook that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Webhook {
    pub(super) url: String,
    pub(super) secret: String,
    pub(super) max_connections: i64,
    /// When a delivery failed last, seconds since 1970, and why.
    pub(super) last_error: Option<(i64, String)>,
}

pub(super) fn set(state: &mut State, token: &str, call: &Parameters) -> Answer {
    let (url, secret, now_ms) = (call.text("url"), call.text("secret_token"), state.now_ms());
    let is_kind = state.rules.is_kind_about_webhook_urls;
    let Some(bot) = state.bots.get_mut(token) else { return Ok(Value::Null) };
    let queue = &mut bot.updates;
    if let Ok(Some(kinds)) = call.json("allowed_updates") {
        queue.remember_allowed(&kinds);
    }
    if call.flag("drop_pending_updates") {
        queue.waiting.clear();
    }
    if url.is_empty() {
        queue.webhook = None;
        return Ok(json!(true));
    }
    check_secret(secret)?;
    if !(is_kind && url.starts_with("http://") && is_this_machine(url)) {
        check_url(url)?;
    }
    if now_ms - queue.last_set_webhook_ms < 1000 {
        return Err(too_many(1));
    }
    queue.last_set_webhook_ms = now_ms;
    for queued in &mut queue.waiting {
        queued.progress = Progress::default();
    }
    let max_connections = call.integer("max_connections").unwrap_or(40).clamp(1, 100);
    let (url, secret) = (url.to_owned(), secret.to_owned());
    queue.webhook = Some(Webhook { url, secret, max_connections, last_error: None });
    Ok(json!(true))
}

fn check_url(url: &str) -> Result<(), Refusal> {
    let Some(rest) = url.strip_prefix("https://") else {
        return Err(bad("bad webhook: An HTTPS URL must be provided for webhook"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() {
        return Err(bad("invalid webhook URL specified"));
    }
    if let Some((_, port)) = authority.rsplit_once(':')
        && !["80", "88", "443", "8443"].contains(&port)
    {
        return Err(bad("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"));
    }
    Ok(())
}

fn check_secret(secret: &str) -> Result<(), Refusal> {
    if secret.len() > 256 {
        return Err(bad("secret token is too long"));
    }
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !secret.chars().all(is_allowed) {
        return Err(bad("secret token contains unallowed characters"));
    }
    Ok(())
}

pub(super) fn delete(state: &mut State, token: &str, call: &Parameters) -> Answer {
    if let Some(bot) = state.bots.get_mut(token) {
        bot.updates.webhook = None;
        if call.flag("drop_pending_updates") {
            bot.updates.waiting.clear();
        }
    }
    Ok(json!(true))
}

pub(super) fn info(state: &mut State, token: &str) -> Answer {
    let now = state.now();
    let Some(bot) = state.bots.get_mut(token) else { return Ok(Value::Null) };
    let queue = &mut bot.updates;
    queue.drop_expired(now);
    let mut info = json!({
        "url": "", "has_custom_certificate": false,
        "pending_update_count": queue.waiting.len(),
    });
    if let Some(webhook) = &queue.webhook {
        info["url"] = webhook.url.clone().into();
        info["max_connections"] = webhook.max_connections.into();
        if let Some((date, message)) = &webhook.last_error {
            info["last_error_date"] = (*date).into();
            info["last_error_message"] = message.clone().into();
        }
    }
    if let Some(kinds) = queue.allowed.as_ref().filter(|kinds| !kinds.is_empty()) {
        info["allowed_updates"] = json!(kinds);
    }
    Ok(info)
}
