//! The address that Telegram sends updates to. Whoever lacks the secret is told 401 and nothing is stored; an update is
//! stored first, and then acknowledged with an empty 200. It is handled later, elsewhere.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use pager_bot::intake::update_id;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use subtle::ConstantTimeEq;
use tokio::sync::Notify;

use super::inbox;
use crate::http::not_this_method;
use crate::service::Service;
use crate::{clock, crash, secrets};

/// The path; the configuration puts it behind the public address.
const PATH: &str = "/telegram/webhook";
const SECRET: &str = "x-telegram-bot-api-secret-token";
/// The most bytes of an update.
const MOST_BYTES: usize = 1024 * 1024;
/// A store that is slower than this fails: Telegram waits for a minute and then repeats the update.
const STORED_WITHIN: Duration = Duration::from_secs(10);

struct Receiver {
    service: Arc<Service>,
    /// Rung when updates were stored.
    received: Arc<Notify>,
    /// The hash of the secret: of one length, whatever is compared with it.
    secret: String,
}

/// The route. It takes updates before Telegram was ever reached from here, so that none is turned away at a start.
pub(super) fn routes<S: Clone + Send + Sync + 'static>(
    service: Arc<Service>,
    received: Arc<Notify>,
    secret: &SecretString,
) -> Router<S> {
    let receiver = Receiver { service, received, secret: secrets::hash(secret.expose_secret()) };
    Router::new().route(PATH, post(receive)).method_not_allowed_fallback(not_this_method).with_state(Arc::new(receiver))
}

async fn receive(State(receiver): State<Arc<Receiver>>, request: Request) -> StatusCode {
    if !receiver.is_telegram(request.headers()) {
        tracing::warn!("an update without the right secret was turned away");
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(body) = to_bytes(request.into_body(), MOST_BYTES).await else { return StatusCode::PAYLOAD_TOO_LARGE };
    let Ok(update) = serde_json::from_slice::<Value>(&body) else { return StatusCode::BAD_REQUEST };
    let Some(id) = update_id(&update) else { return StatusCode::BAD_REQUEST };
    receiver.take(id, &update).await
}

impl Receiver {
    fn is_telegram(&self, headers: &HeaderMap) -> bool {
        let Some(secret) = headers.get(SECRET).and_then(|value| value.to_str().ok()) else { return false };
        secrets::hash(secret).as_bytes().ct_eq(self.secret.as_bytes()).into()
    }

    async fn take(&self, id: i64, update: &Value) -> StatusCode {
        crash::point("update.received");
        let storing = inbox::store(&self.service, id, update, clock::now());
        let reason = match tokio::time::timeout(STORED_WITHIN, storing).await {
            Ok(Ok(())) => {
                crash::point("update.stored");
                self.service.health.well("store");
                self.received.notify_one();
                return StatusCode::OK;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("nothing was stored for {} s", STORED_WITHIN.as_secs()),
        };
        tracing::error!(reason, "an update could not be stored; Telegram gives it again");
        self.service.health.trouble("store", reason);
        StatusCode::SERVICE_UNAVAILABLE
    }
}
