//! The way to GitHub. One call is one request: retries are the outbox's and the saver's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Method;
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
/// How often a call is sent on to where GitHub says that a renamed repository is.
const MOST_REDIRECTS: usize = 3;

/// Why GitHub cannot be called at all.
#[derive(Clone, Debug, thiserror::Error)]
#[error("github.api_url: {0}")]
pub struct AccessError(String);

/// A way to GitHub's API, shared by whoever calls it.
pub struct GitHub {
    base: String,
    /// As it was proved: with a token, or as the App itself.
    client: Arc<Octocrab>,
    is_app: bool,
    /// The App's installation on each repository that was called. Shared, never cloned: a clone of an `Octocrab` keeps the
    /// token that it makes to itself, so that every call would make one.
    installed: Mutex<HashMap<RepositoryName, Arc<Octocrab>>>,
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
        let client = Arc::new(builder.build().map_err(|error| wrong(&told(&error)))?);
        Ok(Self { base, client, is_app, installed: Mutex::default() })
    }

    /// Makes one request for what concerns this repository, and follows it when the repository was renamed. Any reply is
    /// `Ok`, whatever its status.
    ///
    /// # Errors
    /// [`Failure::Unknown`] when no reply came in time; another when the App has no installation there.
    pub async fn call(&self, repository: &RepositoryName, call: Call) -> Result<Reply, Failure> {
        let (client, is_old) = self.client_for(repository).await?;
        let is_write = call.method != Method::GET;
        let reply = match self.exchange(&client, call.clone()).await {
            // No token, so the call was not made: an App that was installed anew has a new installation.
            Err(Failed::WithoutToken(_)) if is_old => {
                self.installations().remove(repository);
                let (client, _) = self.client_for(repository).await?;
                self.exchange(&client, call).await
            }
            other => other,
        };
        let is_out = |status: u16| status == 401 || (is_write && matches!(status, 403 | 404));
        if self.is_app && reply.as_ref().map_or_else(Failed::is_without_token, |reply| is_out(reply.status)) {
            self.installations().remove(repository);
        }
        Ok(reply?)
    }

    /// A way that is proved for this repository, and whether it is one from before.
    async fn client_for(&self, repository: &RepositoryName) -> Result<(Arc<Octocrab>, bool), Failure> {
        if !self.is_app {
            return Ok((self.client.clone(), false));
        }
        if let Some(client) = self.installations().get(repository) {
            return Ok((client.clone(), true));
        }
        let reply = self.exchange(&self.client, Call::get(format!("{}/installation", repository.route()))).await?;
        if reply.is_absent() {
            let reason = format!("the GitHub App of github.app_id is not installed on {repository}: {}", reply.failure());
            return Err(Failure::Refused { status: reply.status, reason });
        }
        let id = reply.json().get("id").and_then(serde_json::Value::as_u64);
        let id = id.filter(|_| reply.is_success()).ok_or_else(|| reply.failure())?;
        let client = self.client.installation(InstallationId(id)).map_err(|error| Failure::no_reply(told(&error)))?;
        let client = Arc::new(client);
        self.installations().insert(repository.clone(), client.clone());
        Ok((client, false))
    }

    fn installations(&self) -> std::sync::MutexGuard<'_, HashMap<RepositoryName, Arc<Octocrab>>> {
        self.installed.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// One request and its reply, through as many redirects as a renamed repository takes.
    async fn exchange(&self, client: &Octocrab, mut call: Call) -> Result<Reply, Failed> {
        for _ in 0..MOST_REDIRECTS {
            let reply = self.send(client, &call).await?;
            // Reading calls are followed by the client itself.
            let elsewhere = reply.redirects_to().and_then(|location| self.route_of(location)).map(str::to_owned);
            match elsewhere {
                Some(path) => call.path = path,
                None => return Ok(reply),
            }
        }
        Err(Failure::no_reply("GitHub sent the call on and on").into())
    }

    /// The path below the API's address. Nothing is sent anywhere else: the token is for GitHub alone.
    fn route_of<'a>(&self, location: &'a str) -> Option<&'a str> {
        let path = location.strip_prefix(self.base.as_str()).unwrap_or(location);
        path.starts_with('/').then_some(path).filter(|path| !path.starts_with("//"))
    }

    async fn send(&self, client: &Octocrab, call: &Call) -> Result<Reply, Failed> {
        // A path alone: octocrab puts the API's address before it, and sends its proof to no other.
        let mut request = http::Request::builder().method(call.method.clone()).uri(call.path.as_str());
        if let Some(accept) = call.accept {
            request = request.header(ACCEPT, accept);
        }
        if let Some(etag) = &call.if_none_match {
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
                Err(Failed::WithoutToken(Reply::new(status, http::HeaderMap::new(), body).failure()))
            }
            Ok(Err(error)) => Err(Failure::no_reply(format!("GitHub cannot be reached: {}", told(&error))).into()),
            Err(_) => Err(Failure::no_reply(format!("GitHub did not answer within {} s", ENDS_WITHIN.as_secs())).into()),
        }
    }
}

/// Why there is no reply to a call.
enum Failed {
    /// The App got no token for its installation; the call itself was not made.
    WithoutToken(Failure),
    /// Whatever else.
    Other(Failure),
}

impl Failed {
    fn is_without_token(&self) -> bool {
        matches!(self, Self::WithoutToken(_))
    }
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::WithoutToken(failure) | Failed::Other(failure) => failure,
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
