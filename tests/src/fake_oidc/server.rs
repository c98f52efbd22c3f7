//! The issuer's addresses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Query, State as Held};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

use super::odd::Odd;
use super::{State, lock};
use crate::keys::Key;

type Shared = Arc<Mutex<State>>;

pub(super) fn router(state: Shared) -> Router {
    Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/.well-known/jwks", get(keys))
        .route("/idtoken", get(id_token))
        .with_state(state)
}

async fn discovery(Held(shared): Held<Shared>) -> Response {
    let mut state = lock(&shared);
    state.discovery_fetches += 1;
    if state.is_down {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let issuer = &state.issuer;
    Json(json!({
        "issuer": issuer, "jwks_uri": format!("{issuer}/.well-known/jwks"),
        "subject_types_supported": ["public", "pairwise"], "response_types_supported": ["id_token"],
        "id_token_signing_alg_values_supported": ["RS256"], "scopes_supported": ["openid"],
    }))
    .into_response()
}

async fn keys(Held(shared): Held<Shared>) -> Response {
    let mut state = lock(&shared);
    state.key_fetches += 1;
    if state.is_down {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let keys: Vec<_> = state.published.iter().map(|(number, kid)| Key::number(*number).jwk(kid)).collect();
    Json(json!({ "keys": keys })).into_response()
}

async fn id_token(Held(shared): Held<Shared>, Query(query): Query<BTreeMap<String, String>>, headers: HeaderMap) -> Response {
    let mut state = lock(&shared);
    if state.is_down {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let authorization = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (scheme, bearer) = authorization.split_once(' ').unwrap_or_default();
    let job = state.jobs.get(bearer).filter(|_| scheme.eq_ignore_ascii_case("bearer")).cloned();
    let Some(job) = job else {
        return (StatusCode::UNAUTHORIZED, Json(json!({ "message": "Unauthorized" }))).into_response();
    };
    let usual = format!("https://github.com/{}", job["repository_owner"].as_str().unwrap_or_default());
    let audience = query.get("audience").cloned().unwrap_or(usual);
    let claims = state.claims(&job, &audience);
    let (key, kid) = state.signing.clone();
    let token = Odd::new(claims, Key::number(key), &kid).token();
    Json(json!({ "count": token.len(), "value": token })).into_response()
}
