//! The one HTTP call. The token stands in the address, so no address ever gets into an error.

use std::time::Duration;

use reqwest::{
    RequestBuilder,
    header::{DATE, RETRY_AFTER},
    redirect::Policy,
};
use secrecy::ExposeSecret;
use serde_json::Value;
use url::Url;

use super::Telegram;
use crate::outcome::{self, Failure, Kind};

const CONNECTING: Duration = Duration::from_secs(5);
/// A poll is quiet for long; a dead line shows sooner this way.
const KEEPALIVE: Duration = Duration::from_secs(15);
/// A connection that the server closes just as a call begins leaves an unknown outcome, so none is kept for long.
const IDLE: Duration = Duration::from_secs(15);
/// How long a call may take that is no poll.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How many times as long a file may take.
const FILES_TAKE_LONGER: u32 = 3;

pub(super) fn client() -> Result<reqwest::Client, Failure> {
    reqwest::Client::builder()
        .connect_timeout(CONNECTING)
        .redirect(Policy::none())
        .tcp_nodelay(true)
        .tcp_keepalive(KEEPALIVE)
        .pool_idle_timeout(IDLE)
        .build()
        .map_err(|error| Failure::NotApplied { retry_after: None, reason: error.without_url().to_string() })
}

impl Telegram {
    /// Calls a method with JSON parameters.
    pub(super) async fn call(&self, method: &str, parameters: &Value) -> Result<Value, Failure> {
        self.call_within(method, parameters, self.patience).await
    }

    pub(super) async fn call_within(&self, method: &str, parameters: &Value, patience: Duration) -> Result<Value, Failure> {
        self.finish(method, self.client.post(self.address(method)?).json(parameters), patience).await.0
    }

    /// The same, with the date that the answer carries.
    pub(super) async fn call_with_date(&self, method: &str, parameters: &Value) -> Result<(Value, Option<String>), Failure> {
        let (outcome, date) = self.finish(method, self.client.post(self.address(method)?).json(parameters), self.patience).await;
        Ok((outcome?, date))
    }

    /// Calls a method with a form, for files.
    pub(super) async fn call_with_file(&self, method: &str, form: reqwest::multipart::Form) -> Result<Value, Failure> {
        let request = self.client.post(self.address(method)?).multipart(form);
        self.finish(method, request, self.patience.saturating_mul(FILES_TAKE_LONGER)).await.0
    }

    async fn finish(
        &self,
        method: &str,
        request: RequestBuilder,
        patience: Duration,
    ) -> (Result<Value, Failure>, Option<String>) {
        let (outcome, date) = match request.timeout(patience).send().await {
            Ok(response) => read(response).await,
            Err(error) => (Err(outcome::sending(&error)), None),
        };
        if let Some(watch) = &self.watch {
            watch(method, outcome.as_ref().map(|_| ()));
        }
        (outcome, date)
    }

    fn address(&self, method: &str) -> Result<Url, Failure> {
        let bad = || Failure::Permanent { kind: Kind::Other, reason: "the address of the Bot API takes no path".to_owned() };
        let mut address = self.base.clone();
        let bot = format!("bot{}", self.token.expose_secret());
        address.path_segments_mut().map_err(|()| bad())?.pop_if_empty().extend([bot.as_str(), method]);
        Ok(address)
    }
}

/// What came back, and the date it carries.
async fn read(response: reqwest::Response) -> (Result<Value, Failure>, Option<String>) {
    let status = response.status().as_u16();
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let retry = header(RETRY_AFTER).and_then(|value| value.trim().parse().ok());
    let date = header(DATE);
    let outcome = match response.bytes().await {
        Ok(body) => outcome::answered(status, &body, retry),
        // The head came and the body did not: what the server did is not known.
        Err(_) => Err(Failure::Unknown { reason: format!("the answer with HTTP status {status} broke off") }),
    };
    (outcome, date)
}

/// An answer that is a success and not what the method promises: it may well have happened.
pub(super) fn unreadable(method: &str) -> Failure {
    Failure::Unknown { reason: format!("an answer to {method} that could not be read") }
}

/// Turns "it is so already" into success.
pub(super) fn or_so_already(outcome: Result<Value, Failure>) -> Result<(), Failure> {
    match outcome {
        Ok(_) | Err(Failure::Permanent { kind: Kind::NotModified, .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}
