//! The way to GitHub. One call is one request: retries are the outbox's and the saver's.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use http::header::{ACCEPT, IF_NONE_MATCH};
use octocrab::Octocrab;
use octocrab::models::{AppId, InstallationId};
use secrecy::ExposeSecret;

use super::access::{Access, Proof};
use super::call::{Call, Reply};
use super::failure::Failure;
use super::repository::RepositoryName;

const CONNECTS_WITHIN: Duration = Duration::from_secs(5);
/// GitHub itself gives up after 10 s.
const ENDS_WITHIN: Duration = Duration::from_secs(15);

/// Why GitHub cannot be called at all.
#[derive(Clone, Debug, thiserror::Error)]
#[error("github.api_url: {0}")]
pub struct AccessError(String);

/// A way to GitHub's API, shared by whoever calls it.
pub struct GitHub {
    base: String,
    /// As it was proved: with a token, or as the App itself.
    client: Octocrab,
    is_app: bool,
    /// The App's installation on each repository that was called.
    installed: Mutex<HashMap<RepositoryName, Octocrab>>,
}

impl GitHub {
    /// Prepares one; connects to nothing.
    ///
    /// # Errors
    /// [`AccessError`] when the address is none.
    pub fn new(access: &Access) -> Result<Self, AccessError> {
        let wrong = |error: &dyn std::fmt::Display| AccessError(error.to_string());
        let base = access.api_url.trim_end_matches('/').to_owned();
        let builder = Octocrab::builder()
            .base_uri(base.as_str())
            .map_err(|_| wrong(&"is not the address of GitHub's API, such as https://api.github.com"))?
            .set_connect_timeout(Some(CONNECTS_WITHIN))
            .set_read_timeout(Some(ENDS_WITHIN))
            .set_write_timeout(Some(ENDS_WITHIN));
        let (builder, is_app) = match &access.proof {
            Proof::Token(token) => (builder.personal_token(token.clone()), false),
            Proof::App { id, key } => {
                let app = builder.app_from_rsa_pem(AppId(*id), key.pem().expose_secret());
                (app.map_err(|_| wrong(&"the App's private key cannot be read"))?, true)
            }
        };
        let client = builder.build().map_err(|error| wrong(&told(&error)))?;
        Ok(Self { base, client, is_app, installed: Mutex::default() })
    }

    /// Makes one request for what concerns this repository. Any reply is `Ok`, whatever its status.
    ///
    /// # Errors
    /// [`Failure::Unknown`] when no reply came in time; another when the App has no installation there.
    pub async fn call(&self, repository: &RepositoryName, call: Call) -> Result<Reply, Failure> {
        let client = self.client_for(repository).await?;
        self.exchange(&client, call).await
    }

    async fn client_for(&self, repository: &RepositoryName) -> Result<Octocrab, Failure> {
        if !self.is_app {
            return Ok(self.client.clone());
        }
        if let Some(client) = self.installations().get(repository) {
            return Ok(client.clone());
        }
        let reply = self.exchange(&self.client, Call::get(format!("{}/installation", repository.route()))).await?;
        let id = reply.json().get("id").and_then(serde_json::Value::as_u64);
        let id = id.filter(|_| reply.is_success()).ok_or_else(|| reply.failure())?;
        let client = self.client.installation(InstallationId(id)).map_err(|error| Failure::no_reply(told(&error)))?;
        self.installations().insert(repository.clone(), client.clone());
        Ok(client)
    }

    fn installations(&self) -> std::sync::MutexGuard<'_, HashMap<RepositoryName, Octocrab>> {
        self.installed.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    async fn exchange(&self, client: &Octocrab, call: Call) -> Result<Reply, Failure> {
        let mut request = http::Request::builder().method(call.method).uri(format!("{}{}", self.base, call.path));
        if let Some(accept) = call.accept {
            request = request.header(ACCEPT, accept);
        }
        if let Some(etag) = call.if_none_match {
            request = request.header(IF_NONE_MATCH, etag);
        }
        let exchange = async {
            let request = client.build_request(request, call.body.as_ref())?;
            let response = client.execute(request).await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = client.body_to_string(response).await?;
            Ok::<_, octocrab::Error>(Reply::new(status, headers, body))
        };
        match tokio::time::timeout(ENDS_WITHIN, exchange).await {
            Ok(Ok(reply)) => Ok(reply),
            // An installation's token could not be made: that reply tells why.
            Ok(Err(octocrab::Error::GitHub { source, .. })) => {
                let status = source.status_code.as_u16();
                let body = serde_json::json!({ "message": source.message }).to_string();
                Err(Reply::new(status, http::HeaderMap::new(), body).failure())
            }
            Ok(Err(error)) => Err(Failure::no_reply(format!("GitHub cannot be reached: {}", told(&error)))),
            Err(_) => Err(Failure::no_reply(format!("GitHub did not answer within {} s", ENDS_WITHIN.as_secs()))),
        }
    }
}

/// An error with its causes: octocrab's own words are often a single one.
fn told(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !words.contains(&next) {
            words = format!("{words}: {next}");
        }
        cause = error.source();
    }
    words
}
