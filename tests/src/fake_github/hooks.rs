//! Webhooks of Apps: a dispatch is delivered once, signed; GitHub never repeats one by itself.

use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::FakeGitHub;
use super::events::{Event, may_hear};
use super::state::State;
use super::wait::Shared;

/// GitHub wants an answer within this.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where an App is told, and the secret of the signature.
#[derive(Debug, Clone)]
pub(super) struct Hook {
    pub(super) url: String,
    pub(super) secret: String,
}

/// One delivery.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// `X-GitHub-Delivery`: the same on redelivery.
    pub guid: String,
    /// `X-GitHub-Event`.
    pub event: String,
    /// The App's number.
    pub app: u64,
    /// The body, byte for byte.
    pub body: String,
    /// What was answered.
    pub progress: Progress,
}

/// How far a delivery is.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Not yet sent.
    Waiting,
    /// Sent, not yet answered.
    Sent,
    /// Answered with this status and body.
    Answered(u16, String),
    /// There was no answer in time.
    Failed(String),
}

impl FakeGitHub {
    /// Sets where an App is told of dispatches, and sends the first `ping`. `http` on this machine is taken, unlike by the real one.
    pub fn set_hook(&self, app: u64, url: &str, secret: &str) {
        self.shared().change(|state| {
            let hook = Hook { url: url.to_owned(), secret: secret.to_owned() };
            state.apps.get_mut(&app).expect("the App was added before").hook = Some(hook);
            let body = json!({ "zen": "Keep it logically awesome.", "hook_id": app, "hook": { "type": "App", "app_id": app, "events": ["repository_dispatch"], "active": true } });
            deliver(state, app, "ping", &body);
        });
    }

    /// Every delivery, oldest first.
    pub fn deliveries(&self) -> Vec<Delivery> {
        self.look(|state| state.deliveries.clone())
    }

    /// Sends a delivery again under the same id, as a press on "Redeliver" does.
    pub fn redeliver(&self, guid: &str) {
        self.shared().change(|state| {
            let found = state.deliveries.iter().find(|delivery| delivery.guid == guid).cloned();
            let found = found.expect("there was such a delivery");
            state.deliveries.push(Delivery { progress: Progress::Waiting, ..found });
        });
    }

    /// Holds deliveries back, or lets them go.
    pub fn hold_deliveries(&self, is_held: bool) {
        self.shared().change(|state| state.holds_deliveries = is_held);
    }
}

/// Hands an event to every App that is installed on its repository.
pub(super) fn announce(state: &mut State, repository: u64, event: &Event) {
    let payload = event.payload(state);
    let listening = state.apps.values().filter(|app| app.hook.is_some());
    let told: Vec<_> = listening
        .flat_map(|app| {
            let installed = app.installations.iter().filter(|it| it.rights.get(&repository).is_some_and(may_hear));
            installed.map(|it| (app.id, it.id)).collect::<Vec<_>>()
        })
        .collect();
    for (app, installation) in told {
        let mut payload = payload.clone();
        payload["installation"] = json!({ "id": installation, "node_id": format!("I_{installation}") });
        deliver(state, app, "repository_dispatch", &payload);
    }
}

fn deliver(state: &mut State, app: u64, event: &str, payload: &Value) {
    let number = state.new_id();
    let guid = format!("{number:08x}-0000-11f1-8000-{number:012x}");
    let body = payload.to_string();
    state.deliveries.push(Delivery { guid, event: event.to_owned(), app, body, progress: Progress::Waiting });
}

/// The value of `X-Hub-Signature-256`.
pub fn signature(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length of key is fine");
    mac.update(body);
    let digest = mac.finalize().into_bytes();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// Delivers for ever.
pub(super) async fn run(shared: Arc<Shared>) {
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).timeout(PATIENCE).build();
    let Ok(client) = client else { return };
    let mut changes = shared.changes();
    loop {
        changes.borrow_and_update();
        let Some((number, delivery, hook)) = shared.look(next) else {
            if changes.changed().await.is_err() {
                return;
            }
            continue;
        };
        shared.change(|state| state.deliveries[number].progress = Progress::Sent);
        let (shared, client) = (Arc::clone(&shared), client.clone());
        tokio::spawn(async move {
            let progress = send(&client, &delivery, &hook).await;
            shared.change(|state| state.deliveries[number].progress = progress);
        });
    }
}

fn next(state: &State) -> Option<(usize, Delivery, Hook)> {
    if state.is_down || state.holds_deliveries {
        return None;
    }
    let number = state.deliveries.iter().position(|delivery| delivery.progress == Progress::Waiting)?;
    let delivery = state.deliveries[number].clone();
    let hook = state.apps.get(&delivery.app)?.hook.clone()?;
    Some((number, delivery, hook))
}

async fn send(client: &reqwest::Client, delivery: &Delivery, hook: &Hook) -> Progress {
    let request = client
        .post(&hook.url)
        .header("content-type", "application/json")
        .header("user-agent", "GitHub-Hookshot/fake")
        .header("x-github-event", &delivery.event)
        .header("x-github-delivery", &delivery.guid)
        .header("x-github-hook-id", delivery.app)
        .header("x-github-hook-installation-target-type", "integration")
        .header("x-github-hook-installation-target-id", delivery.app)
        .header("x-hub-signature-256", signature(&hook.secret, delivery.body.as_bytes()))
        .body(delivery.body.clone());
    match request.send().await {
        Ok(response) => {
            let status = response.status().as_u16();
            Progress::Answered(status, response.text().await.unwrap_or_default())
        }
        Err(error) if error.is_timeout() => Progress::Failed("timed out".to_owned()),
        Err(error) => Progress::Failed(error.to_string()),
    }
}
