//! A server on loopback that writes down what it gets and answers what a test says: pagerd's door, an issuer of tokens, or
//! GitHub's API.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Response};
use serde_json::{Value, json};

/// One request, as it came.
#[derive(Debug, Clone)]
pub struct Received {
    /// Method and path with its query.
    pub line: String,
    /// All headers.
    pub headers: HeaderMap,
    /// To the byte.
    pub body: Vec<u8>,
    /// When it came.
    pub at: Instant,
}

impl Received {
    /// A header; empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Status, one header, body.
pub struct Answer(pub u16, pub Option<(&'static str, String)>, pub Vec<u8>);

impl Answer {
    /// JSON.
    pub fn json(status: u16, body: &Value) -> Self {
        Self(status, None, body.to_string().into_bytes())
    }

    /// A problem of pagerd's.
    pub fn problem(status: u16, code: &str) -> Self {
        Self::json(status, &json!({"title": "T", "status": status, "code": code, "detail": "words of the event perhaps"}))
    }

    /// The same with a header.
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.1 = Some((name, value.to_owned()));
        self
    }
}

type Behaviour = Box<dyn FnMut(&Received, usize) -> Answer + Send>;

struct Inner {
    received: Vec<Received>,
    behaviour: Behaviour,
}

/// See above. It answers for as long as the test runs.
#[derive(Clone)]
pub struct Door {
    inner: Arc<Mutex<Inner>>,
    /// Where it listens, without a slash at the end.
    pub url: String,
}

impl Door {
    /// Answers each request by this rule, which is told how many came before.
    pub async fn answering(behaviour: impl FnMut(&Received, usize) -> Answer + Send + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let inner = Arc::new(Mutex::new(Inner { received: Vec::new(), behaviour: Box::new(behaviour) }));
        let router = Router::new().fallback(take).with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { inner, url }
    }

    /// Always the same.
    pub async fn with_status(status: u16) -> Self {
        Self::answering(move |_, _| Answer::json(status, &json!({}))).await
    }

    /// Everything that came, in order.
    pub fn received(&self) -> Vec<Received> {
        self.inner.lock().unwrap().received.clone()
    }

    /// Everything that came, as lines.
    pub fn lines(&self) -> Vec<String> {
        self.received().into_iter().map(|received| received.line).collect()
    }
}

/// An address at which nobody listens.
pub async fn nobody() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

async fn take(State(inner): State<Arc<Mutex<Inner>>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    let line = format!("{} {}", parts.method, parts.uri);
    let received = Received { line, headers: parts.headers, body, at: Instant::now() };
    let mut inner = inner.lock().unwrap();
    let before = inner.received.len();
    let Answer(status, header, body) = (inner.behaviour)(&received, before);
    inner.received.push(received);
    let mut response = Response::builder().status(status);
    if let Some((name, value)) = header {
        response = response.header(name, value);
    }
    response.body(Body::from(body)).unwrap()
}
