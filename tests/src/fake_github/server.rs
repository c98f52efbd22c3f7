//! The HTTP side: what stands before and around every route, faults in between, headers as the real server sends them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State as Held};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};

use super::access::{self, Caller};
use super::control;
use super::faults::Fault;
use super::refusal::Refusal;
use super::reply::{Answer, Given};
use super::request::Asked;
use super::routes::{self, Seen};
use super::state::{Call, Outcome, State};
use super::wait::Shared;

/// A client gives up long before a day.
const LONGEST_HANG: u64 = 86_400_000;

/// Everything the server answers to.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new().merge(control::routes()).fallback(api).with_state(shared).layer(DefaultBodyLimit::disable())
}

async fn api(Held(shared): Held<Arc<Shared>>, request: Request) -> Response {
    let mut asked = Asked::begin(&request);
    let (number, fault, releases, seen) = shared.change(|state| arrive(state, &asked));
    let call = Running { shared, number, releases };
    if !asked.read_body(request).await {
        return reset();
    }
    call.shared.change(|state| state.calls[number].body = serde_json::from_slice(&asked.body).unwrap_or_default());
    match fault {
        None => call.clean(&asked, &seen, 0).await,
        Some(fault) => call.spoilt(&asked, &seen, fault).await,
    }
}

/// Notes a request, and where the branches stand as it comes in.
fn arrive(state: &mut State, asked: &Asked) -> (usize, Option<Fault>, u64, Seen) {
    let path = asked.path();
    let fault = if state.is_down { Some(Fault::reset()) } else { state.faults.take(&asked.method, &path) };
    let named = asked.headers.iter().filter(|(name, _)| *name != "authorization");
    let headers = named.map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    let call = Call {
        method: asked.method.clone(),
        path,
        query: asked.raw_query.clone(),
        body: Value::Null,
        token: asked.bearer().map(str::to_owned),
        headers: headers.collect(),
        at_ms: state.now_ms(),
        is_counted: false,
        outcome: Outcome::Open,
    };
    state.calls.push(call);
    let writes = matches!(asked.method.as_str(), "PUT" | "DELETE");
    let seen = match asked.parts.as_slice() {
        [repos, owner, name, ..] if repos == "repos" && writes => {
            let name = format!("{owner}/{name}");
            state.repositories.iter().find(|it| it.is_called(&name)).map(|it| it.git.branches())
        }
        [repositories, id, ..] if repositories == "repositories" && writes => {
            id.parse().ok().and_then(|id| state.by_id(id)).map(|it| it.git.branches())
        }
        _ => None,
    };
    (state.calls.len() - 1, fault, state.faults.releases, seen.unwrap_or_default())
}

/// A request on its way.
struct Running {
    shared: Arc<Shared>,
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
    async fn clean(&self, asked: &Asked, seen: &Seen, pause: u64) -> Response {
        let pause = Duration::from_millis(pause.max(self.shared.look(|state| state.write_pause)));
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        self.carry_out(asked, seen).0
    }

    fn carry_out(&self, asked: &Asked, seen: &Seen) -> (Response, bool) {
        self.shared.change(|state| {
            let (caller, answer) = guarded(state, asked, seen, &self.request_id());
            let is_applied = answer.is_ok();
            if state.is_down {
                state.calls[self.number].outcome = Outcome::Spoilt { applied: is_applied };
                return (reset(), is_applied);
            }
            (self.finish(state, asked, &caller, answer), is_applied)
        })
    }

    /// Makes the reply, takes it off the budget unless it is a 304, and notes it.
    fn finish(&self, state: &mut State, asked: &Asked, caller: &Caller, answer: Answer) -> Response {
        let (mut response, outcome) = match answer {
            Ok(given) => given_response(asked, given),
            Err(refusal) => (refused(&refusal), Outcome::Refused(refusal)),
        };
        let is_counted = response.status() != StatusCode::NOT_MODIFIED && asked.path() != "/rate_limit";
        if is_counted {
            state.limits.spend(caller, state.now_ms());
        }
        let call = &mut state.calls[self.number];
        call.is_counted = is_counted;
        call.outcome = outcome;
        add_usual_headers(state, &mut response, caller, &self.request_id());
        response
    }

    async fn spoilt(&self, asked: &Asked, seen: &Seen, fault: Fault) -> Response {
        let now = self.shared.look(State::now);
        if let Some(refusal) = fault.refusal(&self.request_id(), now) {
            return self.refuse(asked, refusal);
        }
        match fault {
            Fault::Slow { milliseconds } => self.clean(asked, seen, milliseconds).await,
            Fault::Hang { applied, milliseconds } => {
                let early = if applied { Some(self.carry_out(asked, seen).0) } else { None };
                self.hang(milliseconds).await;
                match early {
                    Some(response) => response,
                    None => self.clean(asked, seen, 0).await,
                }
            }
            Fault::Reset { applied } => {
                self.spoil(asked, seen, applied);
                reset()
            }
            Fault::BadGateway { applied } => {
                self.spoil(asked, seen, applied);
                let page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
                (StatusCode::BAD_GATEWAY, [("content-type", "text/html")], page).into_response()
            }
            Fault::Garbage { applied } => {
                self.spoil(asked, seen, applied);
                let status = if asked.method == "GET" { StatusCode::OK } else { StatusCode::CREATED };
                (status, [("content-type", "application/json; charset=utf-8")], "\u{0}not the server's reply{").into_response()
            }
            Fault::Reply { status, body, headers } => self.scripted(asked, status, &body, headers),
            _ => reset(),
        }
    }

    fn refuse(&self, asked: &Asked, refusal: Refusal) -> Response {
        self.shared.change(|state| {
            let caller = access::caller(state, asked.bearer()).unwrap_or_default();
            self.finish(state, asked, &caller, Err(refusal))
        })
    }

    fn scripted(&self, asked: &Asked, status: u16, body: &Value, headers: BTreeMap<String, String>) -> Response {
        let message = body.get("message").and_then(Value::as_str).unwrap_or_default();
        let mut refusal = Refusal::new(status, message);
        refusal.headers = headers.into_iter().collect();
        if let Some(members) = body.as_object() {
            refusal.members = members.clone();
        }
        self.refuse(asked, refusal)
    }

    fn spoil(&self, asked: &Asked, seen: &Seen, applied: bool) {
        let applied = applied && self.carry_out(asked, seen).1;
        self.note(Outcome::Spoilt { applied });
    }

    async fn hang(&self, milliseconds: Option<u64>) {
        let deadline = Instant::now() + Duration::from_millis(milliseconds.unwrap_or(LONGEST_HANG));
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

    fn request_id(&self) -> String {
        format!("FA4E:{:04X}:{:06X}", self.number, self.number * 7 + 1)
    }
}

/// The checks before every route, then the route.
fn guarded(state: &mut State, asked: &Asked, seen: &Seen, request: &str) -> (Caller, Answer) {
    if asked.header("user-agent").is_none_or(|agent| agent.trim().is_empty()) {
        let message = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header \
                       (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required).";
        return (None, Err(Refusal::new(403, message)));
    }
    if let Err(refusal) = check_version(asked) {
        return (None, Err(refusal));
    }
    let is_app = matches!(asked.parts.first().map(String::as_str), Some("app"))
        || asked.parts.get(3).is_some_and(|it| it == "installation");
    let caller = if is_app { Ok(None) } else { access::caller(state, asked.bearer()) };
    let caller = match caller {
        Ok(caller) => caller,
        Err(refusal) => return (None, Err(refusal)),
    };
    if !is_app {
        let now = state.now_ms();
        if let Err(refusal) = state.limits.check(&caller, now, request) {
            return (caller, Err(refusal));
        }
        if asked.method != "GET"
            && let Err(refusal) = state.limits.write(&caller, now, request)
        {
            return (caller, Err(refusal));
        }
    }
    let answer = routes::answer(state, asked, seen);
    if let (Ok(_), Some(violation)) = (&answer, super::description::violation(asked)) {
        state.violations.push(violation.clone());
        return (caller, Err(Refusal::new(422, format!("Invalid request.\n\n{violation}"))));
    }
    (caller, answer)
}

fn check_version(asked: &Asked) -> Result<(), Refusal> {
    match asked.header("x-github-api-version") {
        None | Some("2022-11-28" | "2026-03-10") => Ok(()),
        Some(other) => Err(Refusal::new(400, format!("The API version {other} is not supported"))),
    }
}

fn given_response(asked: &Asked, given: Given) -> (Response, Outcome) {
    let etag = given.etag.unwrap_or_else(|| {
        // It varies with the token, as the real one does.
        let seed = [given.body.as_slice(), asked.bearer().unwrap_or_default().as_bytes()].concat();
        let digest = Sha256::digest(seed);
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("W/\"{hex}\"")
    });
    let is_reading = asked.method == "GET" && given.status == 200;
    let is_same = |known: &str| known.trim().trim_start_matches("W/") == etag.trim_start_matches("W/");
    let is_unchanged = is_reading && asked.header("if-none-match").is_some_and(|known| known.split(',').any(is_same));
    let status = if is_unchanged { 304 } else { given.status };
    let body = if is_unchanged { Vec::new() } else { given.body };
    let mut response = (code(status), Body::from(body)).into_response();
    let headers = response.headers_mut();
    if status != 204 && status != 304 {
        headers.insert("content-type", HeaderValue::from_static(given.content_type));
    }
    if is_reading && let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert("etag", etag);
    }
    if let Some(location) = given.location.and_then(|it| HeaderValue::from_str(&it).ok()) {
        headers.insert("location", location);
    }
    (response, Outcome::Done(status))
}

fn refused(refusal: &Refusal) -> Response {
    let mut response = (code(refusal.status), refusal.body().to_string()).into_response();
    response.headers_mut().insert("content-type", HeaderValue::from_static("application/json; charset=utf-8"));
    for (name, value) in &refusal.headers {
        add(&mut response, name, value);
    }
    response
}

fn add_usual_headers(state: &State, response: &mut Response, caller: &Caller, request: &str) {
    let standing = state.limits.standing(caller, state.now_ms());
    let now = jiff::Timestamp::from_second(state.now()).ok();
    let date = now.and_then(|now| jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&now).ok());
    let usual = [
        ("date", date.unwrap_or_default()),
        ("server", "github.com".to_owned()),
        ("x-github-request-id", request.to_owned()),
        ("x-github-media-type", "github.v3; format=json".to_owned()),
        ("x-ratelimit-limit", standing.limit.to_string()),
        ("x-ratelimit-remaining", standing.remaining.to_string()),
        ("x-ratelimit-used", standing.used.to_string()),
        ("x-ratelimit-reset", standing.reset.to_string()),
        ("x-ratelimit-resource", "core".to_owned()),
    ];
    for (name, value) in usual {
        // A scripted reply has the last word.
        if !response.headers().contains_key(name) {
            add(response, name, &value);
        }
    }
}

fn add(response: &mut Response, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        response.headers_mut().insert(name, value);
    }
}

fn code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A body that fails before its first byte: the connection is dropped, and nothing of the reply goes out.
fn reset() -> Response {
    let failed = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    let body = futures_util::stream::once(std::future::ready(Err::<Vec<u8>, _>(failed)));
    Response::new(Body::from_stream(body))
}
