//! HTTP to pagerd, blocking and without a runtime. TLS is set up only for an https address. Follows no redirect, since a
//! token must not travel where nobody sent it, and repeats nothing by itself: see `again.rs`.

use std::io::Read;
use std::time::Duration;

use secrecy::ExposeSecret;
use serde_json::Value;
use ureq::http::Uri;

use crate::problem::Problem;
use crate::settings::Settings;

/// Longest time to look up a name, to connect, to send, and to wait beyond what was asked to be held.
const CONNECT: Duration = Duration::from_secs(5);
const SLACK: Duration = Duration::from_secs(15);
const JSON: &str = "application/json, application/problem+json";
/// A stream is held so long and then opened anew: a connection that nobody closed does not stay for ever.
const STREAM: Duration = Duration::from_secs(600);
/// No document of pagerd comes near this.
const LARGEST_REPLY: u64 = 64 * 1024 * 1024;

/// One request.
#[derive(Debug, Clone)]
pub struct Call {
    /// `None`: GET; else POST with this body, or without one.
    pub post: Option<Option<Value>>,
    /// Below the address, like `/v1/questions`.
    pub path: String,
    /// The query.
    pub query: Vec<(&'static str, String)>,
    /// `Prefer: wait=N`, in seconds.
    pub hold: Option<u64>,
    /// `Idempotency-Key`.
    pub key: Option<String>,
}

impl Call {
    /// A reading request.
    pub fn get(path: impl Into<String>) -> Self {
        Self { post: None, path: path.into(), query: Vec::new(), hold: None, key: None }
    }

    /// A writing request.
    pub fn post(path: impl Into<String>, body: Option<Value>) -> Self {
        Self { post: Some(body), ..Self::get(path) }
    }
}

/// What came back, whatever its status.
#[derive(Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The body, empty when there is none.
    pub body: String,
    /// `Pager-Ignored-At`, as it was sent.
    pub ignored_at: Option<String>,
    /// `Retry-After`, in seconds.
    pub retry_after: Option<u64>,
}

impl Reply {
    /// Did it do nothing, and will it pass? A proxy's word that it cannot reach pagerd, or pagerd's that it cannot work
    /// at the moment. What pagerd itself reports of others (502, 504) is an outcome.
    pub fn is_passing(&self) -> bool {
        match self.status {
            503 => true,
            502 | 504 => Problem::of(self).is_none(),
            _ => false,
        }
    }
}

/// No reply: no connection, or it was lost. Whether a write arrived is not known.
#[derive(Debug, thiserror::Error)]
#[error("{url} cannot be reached: {reason}")]
pub struct Unreachable {
    url: String,
    reason: String,
}

/// A way to the service.
pub struct Client {
    agent: ureq::Agent,
    settings: Settings,
}

impl Client {
    /// Prepares one; connects to nothing.
    pub fn new(settings: Settings) -> Self {
        Self { agent: agent(&settings.url), settings }
    }

    /// The same for somebody in front of `ask inbox`: the service then records that they answered in a terminal.
    pub fn of_terminal(settings: Settings) -> Self {
        Self { agent: agent_named(&settings.url, concat!("ask-inbox/", env!("CARGO_PKG_VERSION"))), settings }
    }

    /// What it was made of.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What a request that could not even be begun is.
    pub fn not_begun(&self, error: &std::io::Error) -> Unreachable {
        Unreachable { url: self.settings.url.clone(), reason: error.to_string() }
    }

    /// Sends one request and reads the whole reply.
    ///
    /// # Errors
    /// [`Unreachable`]; a reply with any status is none.
    pub fn send(&self, call: &Call) -> Result<Reply, Unreachable> {
        self.exchange(call).map_err(|error| Unreachable { url: self.settings.url.clone(), reason: error.to_string() })
    }

    /// Opens a stream of events, after this one: what can be read of it, or the reply where there is none.
    ///
    /// # Errors
    /// [`Unreachable`]
    pub fn stream(&self, call: &Call, after: Option<&str>) -> Result<Result<impl Read + use<>, Reply>, Unreachable> {
        let unreachable = |error: ureq::Error| Unreachable { url: self.settings.url.clone(), reason: error.to_string() };
        let request = self.dress(self.agent.get(format!("{}{}", self.settings.url, call.path)), call, "text/event-stream");
        let request = match after {
            Some(after) => request.header("last-event-id", after),
            None => request,
        };
        let response = request.config().timeout_recv_body(Some(STREAM)).build().call().map_err(unreachable)?;
        let status = response.status().as_u16();
        if status == 200 {
            return Ok(Ok(response.into_body().into_reader()));
        }
        let body = response.into_body().read_to_string().map_err(unreachable)?;
        Ok(Err(Reply { status, body, ignored_at: None, retry_after: None }))
    }

    fn exchange(&self, call: &Call) -> Result<Reply, ureq::Error> {
        let url = format!("{}{}", self.settings.url, call.path);
        let patience = Some(SLACK + Duration::from_secs(call.hold.unwrap_or(0)));
        let mut response = match &call.post {
            None => {
                let request = self.dress(self.agent.get(url), call, JSON);
                request.config().timeout_recv_response(patience).build().call()?
            }
            Some(body) => {
                let request = self.dress(self.agent.post(url), call, JSON).config().timeout_recv_response(patience).build();
                match body {
                    None => request.send_empty()?,
                    Some(body) => request.content_type("application/json").send(body.to_string())?,
                }
            }
        };
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (ignored_at, retry_after) = (header("pager-ignored-at"), header("retry-after"));
        Ok(Reply {
            status: response.status().as_u16(),
            ignored_at,
            retry_after: retry_after.and_then(|seconds| seconds.trim().parse().ok()),
            body: response.body_mut().with_config().limit(LARGEST_REPLY).read_to_string()?,
        })
    }

    fn dress<B>(&self, request: ureq::RequestBuilder<B>, call: &Call, accept: &str) -> ureq::RequestBuilder<B> {
        let mut request =
            request.header("authorization", format!("Bearer {}", self.settings.token.expose_secret())).header("accept", accept);
        for (name, value) in &call.query {
            request = request.query(*name, value);
        }
        if let Some(seconds) = call.hold {
            request = request.header("prefer", format!("wait={seconds}"));
        }
        if let Some(key) = &call.key {
            request = request.header("idempotency-key", key);
        }
        request
    }
}

/// What makes requests to this address: with time limits, without redirects, and with no retries of its own.
pub fn agent(url: &str) -> ureq::Agent {
    agent_named(url, concat!("ask/", env!("CARGO_PKG_VERSION")))
}

fn agent_named(url: &str, name: &str) -> ureq::Agent {
    let mut config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(name)
        .timeout_resolve(Some(CONNECT))
        .timeout_connect(Some(CONNECT))
        .timeout_send_request(Some(SLACK))
        .timeout_send_body(Some(SLACK))
        .timeout_recv_response(Some(SLACK))
        .timeout_recv_body(Some(SLACK))
        .input_buffer_size(16 * 1024)
        .output_buffer_size(16 * 1024)
        .max_idle_connections(2);
    if is_loopback(url) {
        config = config.proxy(None);
    }
    config.build().new_agent()
}

/// A proxy is never asked for what is on this machine.
fn is_loopback(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
