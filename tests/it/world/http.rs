//! Callers of the API: one token, and wherever pagerd listens by now.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::until::{PATIENCE, a_moment};

/// Where pagerd listens: another place after each restart.
#[derive(Debug, Clone, Default)]
pub struct Address(Arc<Mutex<String>>);

impl Address {
    /// It is `host:port` from here on.
    pub fn set(&self, address: &str) {
        address.clone_into(&mut self.0.lock().unwrap());
    }

    /// `host:port`.
    pub fn host(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    /// `http://host:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.host())
    }
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub text: String,
}

impl Reply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The body as JSON, after a look at the status.
    #[track_caller]
    pub fn with(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// The problem document, after a look at its status and code.
    #[track_caller]
    pub fn problem(self, status: u16, code: &str) -> Value {
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
        let problem = self.with(status);
        assert_eq!((problem["code"].as_str(), &problem["status"]), (Some(code), &status.into()), "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{problem}");
        problem
    }

    /// A header, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

/// Somebody with a token, or without.
#[derive(Debug, Clone)]
pub struct Caller {
    client: reqwest::Client,
    address: Address,
    token: Option<String>,
}

impl Caller {
    /// Whoever has this token.
    pub fn new(address: Address, token: Option<&str>) -> Self {
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
        Self { client, address, token: token.map(str::to_owned) }
    }

    /// A request, dressed with the token.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.address.url()));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Reply {
        sent(self.request(Method::GET, path)).await.unwrap()
    }

    /// GET that is held for so many seconds.
    pub async fn held(&self, path: &str, seconds: u64) -> Reply {
        sent(self.request(Method::GET, path).header("prefer", format!("wait={seconds}"))).await.unwrap()
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.try_post(path, body).await.unwrap()
    }

    /// The same, while pagerd may be gone.
    pub async fn try_post(&self, path: &str, body: &Value) -> reqwest::Result<Reply> {
        sent(self.request(Method::POST, path).json(body)).await
    }

    /// POST without a body.
    pub async fn post_empty(&self, path: &str) -> Reply {
        sent(self.request(Method::POST, path)).await.unwrap()
    }

    /// Waits for an answer over restarts of pagerd, as `ask wait` does.
    pub async fn answer(&self, id: &str) -> Value {
        let path = format!("/v1/questions/{id}/answer");
        let asking = async {
            loop {
                let request = self.request(Method::GET, &path).header("prefer", "wait=20");
                match sent(request).await {
                    Ok(reply) if reply.status == 200 => return reply.json(),
                    Ok(_) | Err(_) => a_moment().await,
                }
            }
        };
        tokio::time::timeout(PATIENCE * 2, asking).await.unwrap_or_else(|_| panic!("nobody got the answer to {id}"))
    }
}

/// Sends a request and reads the whole reply.
pub async fn sent(request: reqwest::RequestBuilder) -> reqwest::Result<Reply> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Reply { status, headers, text: response.text().await? })
}
