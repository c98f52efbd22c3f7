//! A request as the routes read it: decoded path, query, body.

use std::collections::BTreeMap;

use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::HeaderMap;
use serde_json::{Map, Value};

use super::refusal::{Refusal, not_supplied, wrong_kind};

/// More than GitHub takes in one request.
const LONGEST_BODY: usize = 100 << 20;

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) method: String,
    /// As it came, without the query.
    pub(super) raw_path: String,
    /// The parts between slashes, each decoded.
    pub(super) parts: Vec<String>,
    pub(super) raw_query: String,
    pub(super) query: BTreeMap<String, String>,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Asked {
    /// Everything but the body, which is read later.
    pub(super) fn begin(request: &Request) -> Self {
        let raw_path = request.uri().path().to_owned();
        let raw_query = request.uri().query().unwrap_or_default().to_owned();
        let pairs = raw_query.split('&').filter(|pair| !pair.is_empty());
        let query = pairs
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .map(|(name, value)| (decoded(name), decoded(&value.replace('+', " "))));
        Self {
            method: request.method().to_string(),
            parts: raw_path.split('/').skip(1).map(decoded).collect(),
            query: query.collect(),
            raw_path,
            raw_query,
            headers: request.headers().clone(),
            body: Bytes::new(),
        }
    }

    /// Reads the body. False when the client went away within it.
    pub(super) async fn read_body(&mut self, request: Request) -> bool {
        match to_bytes(request.into_body(), LONGEST_BODY).await {
            Ok(body) => {
                self.body = body;
                true
            }
            Err(_) => false,
        }
    }

    /// The decoded path.
    pub(super) fn path(&self) -> String {
        format!("/{}", self.parts.join("/"))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(super) fn bearer(&self) -> Option<&str> {
        let (scheme, token) = self.header("authorization")?.split_once(' ')?;
        let is_known = scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token");
        is_known.then(|| token.trim())
    }

    /// Is this media type, such as `raw`, asked for?
    pub(super) fn accepts(&self, kind: &str) -> bool {
        let accepted = self.header("accept").unwrap_or_default();
        accepted.split(',').map(str::trim).any(|it| {
            let it = it.strip_prefix("application/vnd.github.").unwrap_or_default();
            let it = it.strip_prefix("v3.").unwrap_or(it);
            it.strip_suffix("+json").unwrap_or(it) == kind
        })
    }

    /// The body as an object.
    pub(super) fn object(&self) -> Result<Map<String, Value>, Refusal> {
        if self.body.is_empty() {
            return Ok(Map::new());
        }
        match serde_json::from_slice(&self.body) {
            Ok(Value::Object(body)) => Ok(body),
            Ok(_) => Err(Refusal::new(400, "Body should be a JSON object")),
            Err(_) => Err(Refusal::new(400, "Problems parsing JSON")),
        }
    }
}

/// A text of a body that has to be there.
pub(super) fn text(body: &Map<String, Value>, name: &str) -> Result<String, Refusal> {
    optional_text(body, name)?.ok_or_else(|| not_supplied(name))
}

/// A text of a body.
pub(super) fn optional_text(body: &Map<String, Value>, name: &str) -> Result<Option<String>, Refusal> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(wrong_kind(name, other, "a string")),
    }
}

/// Percent-decoded.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = (byte == b'%').then(|| after.get(..2)).flatten();
        let code = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
