//! A call's parameters, from the query string, a form, multipart or JSON, as the one kind the
//! real server knows: strings, with objects as JSON text.

use std::collections::BTreeMap;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::{Form, Json};
use serde_json::{Map, Value};

use super::errors::{Refusal, bad};

/// A file sent with multipart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// The file's name as the client gave it.
    pub name: String,
    /// Its media type as the client gave it.
    pub media_type: String,
    /// Its whole content.
    pub content: Vec<u8>,
}

/// The parameters of one call.
#[derive(Debug, Clone, Default)]
pub(super) struct Parameters {
    values: BTreeMap<String, String>,
    files: BTreeMap<String, Upload>,
}

impl Parameters {
    /// Reads them from wherever the client put them; the body wins over the query string.
    pub(super) async fn read(request: Request) -> Result<Self, Refusal> {
        // The whole body is taken first: a connection with an unread rest would be closed.
        let (head, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.map_err(|_| bad("can't read the request"))?;
        let request = Request::from_parts(head, Body::from(body.clone()));
        let mut parameters = Self::default();
        if let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(request.uri()) {
            parameters.values.extend(pairs);
        }
        let kind =
            request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
        if kind.starts_with("application/json") {
            parameters.read_json(&body)?;
        } else if kind.starts_with("application/x-www-form-urlencoded") {
            if request.method() == axum::http::Method::POST {
                let Form(pairs) = Form::<Vec<(String, String)>>::from_request(request, &())
                    .await
                    .map_err(|_| bad("can't parse urlencoded parameters"))?;
                parameters.values.extend(pairs);
            }
        } else if kind.starts_with("multipart/form-data") {
            parameters.read_multipart(request).await?;
        } else if !body.is_empty() {
            return Err(Refusal::new(415, "Unsupported Media Type: unsupported content type"));
        }
        Ok(parameters)
    }

    fn read_json(&mut self, body: &Bytes) -> Result<(), Refusal> {
        if body.is_empty() {
            return Ok(());
        }
        let Json(fields) =
            Json::<Map<String, Value>>::from_bytes(body).map_err(|_| bad("can't parse request parameters as a JSON object"))?;
        self.take(fields);
        Ok(())
    }

    /// The parameters of a call that is given as JSON.
    pub(super) fn of(fields: Map<String, Value>) -> Self {
        let mut parameters = Self::default();
        parameters.take(fields);
        parameters
    }

    fn take(&mut self, fields: Map<String, Value>) {
        for (name, value) in fields {
            // The real server takes anything but a string as its JSON text, `null` too.
            let text = match value {
                Value::String(text) => text,
                other => other.to_string(),
            };
            self.values.insert(name, text);
        }
    }

    async fn read_multipart(&mut self, request: Request) -> Result<(), Refusal> {
        let broken = || bad("can't parse multipart parameters");
        let mut multipart = Multipart::from_request(request, &()).await.map_err(|_| broken())?;
        while let Some(part) = multipart.next_field().await.map_err(|_| broken())? {
            let name = part.name().unwrap_or_default().to_owned();
            if let Some(file) = part.file_name().map(ToOwned::to_owned) {
                let media_type = part.content_type().unwrap_or("application/octet-stream").to_owned();
                let content = part.bytes().await.map_err(|_| broken())?.to_vec();
                self.files.insert(name, Upload { name: file, media_type, content });
            } else {
                let text = part.text().await.map_err(|_| broken())?;
                self.values.insert(name, text);
            }
        }
        Ok(())
    }

    /// A text; absent and empty are the same.
    pub(super) fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// Whether the parameter was sent at all, even empty.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// A number; what is not one counts as absent.
    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.text(name).trim().parse().ok()
    }

    /// A truth value: `true`, `yes` or `1` in any case.
    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.text(name).to_ascii_lowercase().as_str(), "true" | "yes" | "1")
    }

    /// A JSON value; absent, empty and `null` are `None`, broken text is an error.
    pub(super) fn json(&self, name: &str) -> Result<Option<Value>, serde_json::Error> {
        match self.text(name) {
            "" | "null" => Ok(None),
            text => serde_json::from_str(text).map(Some),
        }
    }

    /// The file of a parameter: sent under its name, or under another with `attach://`.
    pub(super) fn file(&self, name: &str) -> Option<&Upload> {
        let attached = self.text(name).strip_prefix("attach://");
        self.files.get(attached.unwrap_or(name))
    }

    /// What the log of calls keeps: JSON texts as the values they hold, files as their names.
    pub(super) fn logged(&self) -> Value {
        let mut fields = Map::new();
        for (name, text) in &self.values {
            let value = match text.as_bytes().first() {
                Some(b'{' | b'[') => serde_json::from_str(text).ok(),
                _ => None,
            };
            fields.insert(name.clone(), value.unwrap_or_else(|| Value::String(text.clone())));
        }
        for (name, file) in &self.files {
            fields.insert(name.clone(), Value::String(format!("file:{}", file.name)));
        }
        Value::Object(fields)
    }
}
