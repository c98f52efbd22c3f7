//! The fake checked from outside, over HTTP as a client sees it.
#![expect(clippy::unwrap_used)]

mod commits;
mod contents;
mod dispatches;
mod objects;
mod refs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use super::{FakeGitHub, Rights, Visibility};

const ANSWERS: &str = "me/answers";

/// A fake with a private repository, a token that may do everything there, and a client.
struct Check {
    github: FakeGitHub,
    client: reqwest::Client,
    token: String,
}

/// What came back.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: reqwest::header::HeaderMap,
    text: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Status and message.
    fn told(&self) -> String {
        format!("{} {}", self.status, self.json()["message"].as_str().unwrap_or_default())
    }
}

impl Check {
    async fn start() -> Self {
        let check = Self::empty().await;
        check.github.commit(ANSWERS, "main", "README.md", b"# Answers\n");
        check
    }

    async fn empty() -> Self {
        let github = FakeGitHub::start().await;
        github.add_empty_repository(ANSWERS, Visibility::Private);
        let token = github.add_token("me", &[(ANSWERS, Rights::everything())]);
        let client = reqwest::Client::builder().user_agent("check").redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { github, client, token }
    }

    fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        self.client.request(method, format!("{}{path}", self.github.base_url()))
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Reply {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Reply { status, headers, text: response.text().await.unwrap() }
    }

    /// A request for the repository.
    fn of(&self, method: &str, rest: &str) -> reqwest::RequestBuilder {
        self.request(method, &format!("/repos/{ANSWERS}{rest}")).bearer_auth(&self.token)
    }

    async fn get(&self, rest: &str) -> Reply {
        self.send(self.of("GET", rest)).await
    }

    async fn call(&self, method: &str, rest: &str, body: Value) -> Reply {
        self.send(self.of(method, rest).json(&body)).await
    }

    async fn put(&self, path: &str, text: &str) -> Reply {
        self.call("PUT", &format!("/contents/{path}"), json!({ "message": "answer", "content": STANDARD.encode(text) })).await
    }

    fn head(&self) -> String {
        self.github.head(ANSWERS, "main").unwrap()
    }

    fn assert_sound(&self) {
        assert_eq!(self.github.git(ANSWERS, &["fsck", "--strict", "--full", "--no-dangling"]), "");
    }
}
