//! The same reins over HTTP for the program of its own: `POST /_fake/<act>` with a JSON object, `GET /_fake/state` to look.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State as Held};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::access::Rights;
use super::faults::Fault;
use super::rule::{self, Visibility};
use super::state::State;
use super::wait::Shared;

/// Everything that can be done over HTTP; the name in snake case is the last part of the path.
#[derive(Debug, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
enum Act {
    /// `{"name": "me/answers", "public": false}`: an empty repository.
    AddRepository {
        name: String,
        #[serde(default)]
        public: bool,
    },
    /// `{"login": "me", "write": ["me/control"], "read": ["me/answers"]}`
    AddToken {
        login: String,
        #[serde(default)]
        write: Vec<String>,
        #[serde(default)]
        read: Vec<String>,
    },
    /// `{"repository": "me/answers", "branch": "main", "path": "a.txt", "text": "…"}`; without a text it is removed.
    Commit {
        repository: String,
        branch: String,
        path: String,
        text: Option<String>,
    },
    /// `{"method": "PUT", "path": "*/contents/*", "fault": {"bad_gateway": {"applied": true}}, "times": 2}`
    Fault {
        method: String,
        path: String,
        fault: Fault,
        times: Option<usize>,
    },
    ClearFaults {},
    Release {},
    Down {
        on: bool,
    },
    Gone {
        repository: String,
        on: bool,
    },
    Lag {
        repository: String,
        seconds: i64,
    },
    Age {
        seconds: i64,
    },
}

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/_fake/state", get(look)).route("/_fake/{act}", post(act))
}

type Reply = (StatusCode, Json<Value>);

async fn act(Held(shared): Held<Arc<Shared>>, Path(name): Path<String>, body: Bytes) -> Reply {
    let wrong = |why: String| (StatusCode::BAD_REQUEST, Json(json!({ "error": why })));
    let body = if body.is_empty() { Bytes::from_static(b"{}") } else { body };
    let mut fields: Map<String, Value> = match serde_json::from_slice(&body) {
        Ok(fields) => fields,
        Err(error) => return wrong(format!("the body is no JSON object: {error}")),
    };
    fields.insert("act".into(), name.into());
    let act: Act = match serde_json::from_value(Value::Object(fields)) {
        Ok(act) => act,
        Err(error) => return wrong(error.to_string()),
    };
    match shared.change(|state| carry_out(state, act)) {
        Ok(result) => (StatusCode::OK, Json(result)),
        Err(error) => wrong(error.to_string()),
    }
}

fn carry_out(state: &mut State, act: Act) -> anyhow::Result<Value> {
    match act {
        Act::AddRepository { name, public } => {
            anyhow::ensure!(name.matches('/').count() == 1, "name must be owner/name");
            let visibility = if public { Visibility::Public } else { Visibility::Private };
            return Ok(json!({ "id": rule::add_repository(state, &name, visibility) }));
        }
        Act::AddToken { login, write, read } => {
            let granted =
                |names: &[String], rights: Rights| names.iter().map(|name| (name.clone(), rights.clone())).collect::<Vec<_>>();
            let all = [granted(&read, Rights::read()), granted(&write, Rights::write())].concat();
            for (name, _) in &all {
                check_known(state, name)?;
            }
            let all: Vec<_> = all.iter().map(|(name, rights)| (name.as_str(), rights.clone())).collect();
            return Ok(json!({ "token": rule::add_token(state, &login, &all) }));
        }
        Act::Commit { repository, branch, path, text } => {
            check_known(state, &repository)?;
            let sha = rule::commit(state, &repository, &branch, &path, text.as_deref().map(str::as_bytes))?;
            return Ok(json!({ "sha": sha }));
        }
        Act::Fault { method, path, fault, times } => state.faults.add(&method, &path, &fault, times.unwrap_or(1)),
        Act::ClearFaults {} => state.faults.clear(),
        Act::Release {} => state.faults.releases += 1,
        Act::Down { on } => state.is_down = on,
        Act::Gone { repository, on } => {
            check_known(state, &repository)?;
            state.repository_mut(&repository).is_gone = on;
        }
        Act::Lag { repository, seconds } => {
            check_known(state, &repository)?;
            state.repository_mut(&repository).lag_ms = seconds * 1000;
        }
        Act::Age { seconds } => state.age(seconds * 1000),
    }
    Ok(json!({}))
}

fn check_known(state: &State, name: &str) -> anyhow::Result<()> {
    let is_known = state.repositories.iter().any(|it| it.is_called(name));
    anyhow::ensure!(is_known, "there is no repository {name}");
    Ok(())
}

async fn look(Held(shared): Held<Arc<Shared>>) -> Json<Value> {
    Json(shared.look(|state| {
        let repositories: Vec<_> = state
            .repositories
            .iter()
            .map(|it| {
                let branches: Map<String, Value> =
                    it.git.branches().into_iter().map(|(name, id)| (name, id.to_string().into())).collect();
                json!({ "id": it.id, "name": it.full_name(), "private": it.is_private, "git_dir": it.git.folder(), "branches": branches })
            })
            .collect();
        let events: Vec<_> = state.events.iter().map(|event| event.payload(state)).collect();
        let calls: Vec<_> = state.calls.iter().map(|call| format!("{} {} {:?}", call.method, call.path, call.outcome)).collect();
        json!({ "repositories": repositories, "events": events, "calls": calls, "violations": state.violations })
    }))
}
