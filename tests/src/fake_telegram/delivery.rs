//! Delivery to webhooks, as the real server does it: one update at a time in each lane (a chat's messages, a person's
//! presses), tried again with growing pauses until it is taken or too old. What a 2xx body asks for is carried out.
//!
//! Nothing leaves the machine: hosts that are not this one cannot be resolved. 410 is a failure like others here.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::FakeTelegram;
use super::methods;
use super::parameters::Parameters;
use super::state::{Call, Outcome, State};
use super::wait::Shared;

/// How long an answer of a webhook is awaited.
const PATIENCE: Duration = Duration::from_secs(60);
const LONGEST_PAUSE_SECONDS: i64 = 60;
const LONGEST_RETRY_AFTER_SECONDS: i64 = 3600;
/// While nothing is to be delivered.
const IDLE: Duration = Duration::from_secs(3600);

/// One try to deliver an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The update's id.
    pub update_id: i64,
    /// The HTTP status; `None` when there was no reply.
    pub status: Option<u16>,
    /// The body of the reply.
    pub body: String,
    /// When it ended, by the fake's clock, milliseconds since 1970.
    pub at_ms: i64,
}

/// How far the delivery of a queued update is.
#[derive(Debug, Default)]
pub(super) struct Progress {
    failures: u32,
    due_ms: i64,
    is_under_way: bool,
}

/// An update on its way to a webhook.
struct Parcel {
    token: String,
    serial: usize,
    update: Value,
    url: String,
    secret: String,
}

/// What a webhook replied, or why there was no reply.
type Reply = Result<(u16, Option<i64>, String), String>;

impl FakeTelegram {
    /// A kindness for tests: webhooks may be plain `http` on this very machine, on any port. The real server takes `https`
    /// on four ports alone.
    pub fn be_kind_about_webhook_urls(&self) {
        self.shared().change(|state| state.rules.is_kind_about_webhook_urls = true);
    }

    /// Every try to deliver an update to a webhook, oldest first.
    pub fn deliveries(&self) -> Vec<Delivery> {
        self.look(|state| state.deliveries.clone())
    }
}

/// Delivers for ever.
pub(super) async fn run(shared: Arc<Shared>) {
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).timeout(PATIENCE).build();
    let Ok(client) = client else { return };
    let mut changes = shared.changes();
    loop {
        changes.borrow_and_update();
        let (parcels, pause) = shared.look(due);
        if parcels.is_empty() {
            let _ = timeout(pause, changes.changed()).await;
            continue;
        }
        shared.change(|state| {
            for parcel in &parcels {
                with_progress(state, parcel, |progress| progress.is_under_way = true);
            }
        });
        for parcel in parcels {
            let (shared, client) = (Arc::clone(&shared), client.clone());
            tokio::spawn(async move {
                let reply = send(&client, &parcel).await;
                shared.change(|state| settle(state, &parcel, reply));
            });
        }
    }
}

/// What is to be sent at once, and how long it is until something else will be.
fn due(state: &State) -> (Vec<Parcel>, Duration) {
    let (mut parcels, mut next) = (Vec::new(), None);
    let (now, now_ms) = (state.now(), state.now_ms());
    for (token, bot) in state.bots.iter().filter(|_| !state.is_down) {
        let Some(webhook) = &bot.updates.webhook else { continue };
        let mut lanes = BTreeSet::new();
        let mut room = usize::try_from(webhook.max_connections).unwrap_or(1);
        for queued in bot.updates.waiting.iter().filter(|queued| queued.until > now) {
            let is_first = lanes.insert(lane(&queued.update));
            if queued.progress.is_under_way {
                room = room.saturating_sub(1);
            } else if is_first && queued.progress.due_ms > now_ms {
                next = Some(next.map_or(queued.progress.due_ms, |next: i64| next.min(queued.progress.due_ms)));
            } else if is_first && room > 0 {
                room -= 1;
                let (token, url, secret) = (token.clone(), webhook.url.clone(), webhook.secret.clone());
                parcels.push(Parcel { token, serial: queued.serial, update: queued.update.clone(), url, secret });
            }
        }
    }
    let pause = next.map_or(IDLE, |next| Duration::from_millis((next - now_ms).max(1).unsigned_abs()));
    (parcels, pause)
}

/// Where an update stands in line: behind the other messages of its chat, or the other presses of its sender.
fn lane(update: &Value) -> (&'static str, i64) {
    if let Some(user) = update.pointer("/callback_query/from/id") {
        return ("user", user.as_i64().unwrap_or_default());
    }
    let contents = update.as_object().into_iter().flatten();
    let chat = contents.filter_map(|(_, content)| content.pointer("/chat/id")?.as_i64()).next();
    ("chat", chat.unwrap_or_default())
}

async fn send(client: &reqwest::Client, parcel: &Parcel) -> Reply {
    if !is_this_machine(&parcel.url) {
        return Err("Failed to resolve host: Name or service not known".to_owned());
    }
    let mut request = client.post(&parcel.url).json(&parcel.update);
    if !parcel.secret.is_empty() {
        request = request.header("X-Telegram-Bot-Api-Secret-Token", &parcel.secret);
    }
    let broken = |error: reqwest::Error| match (error.is_timeout(), error.is_connect()) {
        (true, _) => "Read timeout expired".to_owned(),
        (false, true) => "Connection refused".to_owned(),
        (false, false) => "Connection reset by peer".to_owned(),
    };
    let response = request.send().await.map_err(broken)?;
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    Ok((status, retry_after, response.text().await.map_err(broken)?))
}

/// `http://localhost…`, `http://127.…`; also with `https`, which then fails for want of TLS.
pub(super) fn is_this_machine(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

fn with_progress(state: &mut State, parcel: &Parcel, change: impl FnOnce(&mut Progress)) {
    let Some(bot) = state.bots.get_mut(&parcel.token) else { return };
    if let Some(queued) = bot.updates.waiting.iter_mut().find(|queued| queued.serial == parcel.serial) {
        change(&mut queued.progress);
    }
}

fn settle(state: &mut State, parcel: &Parcel, reply: Reply) {
    let (now, at_ms) = (state.now(), state.now_ms());
    let (status, body) = match &reply {
        Ok((status, _, body)) => (Some(*status), body.clone()),
        Err(_) => (None, String::new()),
    };
    let update_id = parcel.update["update_id"].as_i64().unwrap_or_default();
    state.deliveries.push(Delivery { update_id, status, body, at_ms });
    let (why, retry_after) = match reply {
        Ok((200..300, _, body)) => {
            if let Some(bot) = state.bots.get_mut(&parcel.token) {
                bot.updates.waiting.retain(|queued| queued.serial != parcel.serial);
            }
            return carry_out(state, &parcel.token, &body);
        }
        Ok((status, retry_after, _)) => {
            let name = axum::http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
            (format!("Wrong response from the webhook: {status} {}", name.unwrap_or_default()), retry_after)
        }
        Err(why) => (why, None),
    };
    with_progress(state, parcel, |progress| {
        progress.is_under_way = false;
        progress.failures += 1;
        let asked = retry_after.unwrap_or_default().clamp(0, LONGEST_RETRY_AFTER_SECONDS);
        progress.due_ms = at_ms + 1000 * pause_seconds(progress.failures).max(asked);
    });
    if let Some(webhook) = state.bots.get_mut(&parcel.token).and_then(|bot| bot.updates.webhook.as_mut()) {
        webhook.last_error = Some((now, why));
    }
}

/// At once after the first failure, then 2, 4, 8 … seconds.
fn pause_seconds(failures: u32) -> i64 {
    if failures < 2 { 0 } else { (1 << (failures - 1).min(10)).min(LONGEST_PAUSE_SECONDS) }
}

/// A reply may hold one call; those that read something or change how updates come are not carried out.
fn carry_out(state: &mut State, token: &str, body: &str) {
    let Ok(mut fields) = serde_json::from_str::<Map<String, Value>>(body) else { return };
    let Some(Value::String(method)) = fields.remove("method") else { return };
    let method = method.to_ascii_lowercase();
    if method.starts_with("get") || ["setwebhook", "deletewebhook", "close", "logout"].contains(&method.as_str()) {
        return;
    }
    let parameters = Parameters::of(fields);
    let outcome = match methods::call(state, token, &method, &parameters) {
        Ok(result) => Outcome::Done(result),
        Err(refusal) => Outcome::Refused(refusal),
    };
    let at_ms = state.now_ms();
    state.calls.push(Call { method, parameters: parameters.logged(), at_ms, outcome });
}
