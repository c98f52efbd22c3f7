//! The HTTP side: paths to calls, faults in between, replies as the real server words them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State as Held};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, DATE, HeaderValue, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::errors::{Answer, Refusal, malformed_token, not_found, unknown_token};
use super::faults::Fault;
use super::parameters::Parameters;
use super::state::{Call, Outcome};
use super::wait::Shared;
use super::{control, methods, page, polling};

/// Everything the server answers to.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .merge(page::routes())
        .merge(control::routes())
        .fallback(bot_api)
        .with_state(shared)
        .layer(DefaultBodyLimit::disable())
}

async fn bot_api(Held(shared): Held<Arc<Shared>>, request: Request) -> Response {
    let mut response = reply_to(&shared, request).await;
    // By the clock of the fake, which a test may move.
    let now = shared.look(|state| jiff::Timestamp::from_second(state.now()).ok());
    let date = now.and_then(|now| jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&now).ok());
    if let Some(date) = date.and_then(|date| HeaderValue::from_str(&date).ok()) {
        response.headers_mut().insert(DATE, date);
    }
    response
}

async fn reply_to(shared: &Arc<Shared>, request: Request) -> Response {
    let path = percent_decoded(request.uri().path());
    let Some((token, method)) = split(&path) else { return refused(&not_found()) };
    let parameters = match Parameters::read(request).await {
        Ok(parameters) => parameters,
        Err(refusal) => return refused(&refusal),
    };
    if let Err(refusal) = check_token(shared, &token) {
        return refused(&refusal);
    }
    let (number, fault, releases) = shared.change(|state| {
        let (at_ms, logged) = (state.now_ms(), parameters.logged());
        let fault = match state.is_down {
            true => Some(Fault::ResetBefore),
            false => state.faults.take(&method, &logged),
        };
        state.calls.push(Call { method: method.clone(), parameters: logged, at_ms, outcome: Outcome::Open });
        (state.calls.len() - 1, fault, state.faults.releases)
    });
    let call = Running { shared: Arc::clone(shared), token, method, parameters, number, releases };
    match fault {
        None => call.clean_reply().await,
        Some(fault) => call.spoilt_reply(fault).await,
    }
}

/// `/bot<token>/<method>` or `/bot<token>/test/<method>`; the method in lower case.
fn split(path: &str) -> Option<(String, String)> {
    let (token, method) = path.strip_prefix("/bot")?.rsplit_once('/')?;
    let token = token.strip_suffix("/test").unwrap_or(token);
    Some((token.to_owned(), method.to_ascii_lowercase()))
}

fn check_token(shared: &Shared, token: &str) -> Result<(), Refusal> {
    if token.starts_with('0') || token.len() > 80 || !token.contains(':') || token.contains('/') {
        return Err(malformed_token());
    }
    match shared.look(|state| state.bots.contains_key(token)) {
        true => Ok(()),
        false => Err(unknown_token()),
    }
}

/// A call on its way.
struct Running {
    shared: Arc<Shared>,
    token: String,
    method: String,
    parameters: Parameters,
    number: usize,
    /// How many releases there had been when it came in: any later one lets it go.
    releases: u64,
}

impl Drop for Running {
    fn drop(&mut self) {
        let is_open = self.shared.look(|state| state.calls[self.number].outcome == Outcome::Open);
        if is_open {
            self.note(Outcome::Abandoned);
        }
    }
}

impl Running {
    async fn carry_out(&self) -> Answer {
        if self.method == "getupdates" {
            return polling::get_updates(&self.shared, &self.token, &self.parameters).await;
        }
        self.shared.change(|state| methods::call(state, &self.token, &self.method, &self.parameters))
    }

    async fn clean_reply(&self) -> Response {
        let answer = self.carry_out().await;
        self.finish(answer)
    }

    fn finish(&self, answer: Answer) -> Response {
        if self.shared.look(|state| state.is_down) {
            self.note(Outcome::Spoilt { applied: answer.is_ok() });
            return reset();
        }
        match answer {
            Ok(result) => {
                let body = json!({ "ok": true, "result": result });
                self.note(Outcome::Done(result));
                reply(StatusCode::OK, &body)
            }
            Err(refusal) => {
                let response = refused(&refusal);
                self.note(Outcome::Refused(refusal));
                response
            }
        }
    }

    async fn spoilt_reply(&self, fault: Fault) -> Response {
        match fault {
            Fault::Status { code, description, retry_after } => {
                self.finish(Err(Refusal { retry_after, ..Refusal::new(code, description) }))
            }
            Fault::Hang { applied, milliseconds } => {
                let early = match applied {
                    true => Some(self.carry_out().await),
                    false => None,
                };
                self.hang(milliseconds).await;
                match early {
                    Some(answer) => self.finish(answer),
                    None => self.clean_reply().await,
                }
            }
            Fault::ResetBefore => {
                self.note(Outcome::Spoilt { applied: false });
                reset()
            }
            Fault::ResetAfter => {
                let applied = self.carry_out().await.is_ok();
                self.note(Outcome::Spoilt { applied });
                reset()
            }
            Fault::Garbage200 { applied } => {
                let applied = applied && self.carry_out().await.is_ok();
                self.note(Outcome::Spoilt { applied });
                (StatusCode::OK, "\u{0}not the server's reply{").into_response()
            }
            Fault::Http502 => {
                self.note(Outcome::Spoilt { applied: false });
                let page = "<html><head><title>502 Bad Gateway</title></head>\
                            <body><h1>502 Bad Gateway</h1></body></html>";
                (StatusCode::BAD_GATEWAY, [(CONTENT_TYPE, "text/html")], page).into_response()
            }
        }
    }

    async fn hang(&self, milliseconds: Option<u64>) {
        let deadline = Instant::now() + Fault::longest_hang(milliseconds);
        let mut changes = self.shared.changes();
        while self.shared.look(|state| state.faults.releases) == self.releases {
            if timeout_at(deadline, changes.changed()).await.is_err() {
                return;
            }
        }
    }

    fn note(&self, outcome: Outcome) {
        self.shared.change(|state| state.calls[self.number].outcome = outcome);
    }
}

fn refused(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = reply(status, &refusal.body());
    if let Some(seconds) = refusal.retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

fn reply(status: StatusCode, body: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// A body that fails before its first byte: the server drops the connection and nothing of
/// the reply, not even its status, goes out.
fn reset() -> Response {
    let failed = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    let body = futures_util::stream::once(std::future::ready(Err::<Vec<u8>, _>(failed)));
    Response::new(Body::from_stream(body))
}

fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = (byte == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
