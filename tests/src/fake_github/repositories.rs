//! The repository itself, and who calls.

use serde_json::json;

use super::access::{Caller, Kind, Level, Permission};
use super::refusal::Refusal;
use super::reply::{Answer, Given};
use super::routes::Visit;
use super::state::State;

pub(super) fn get(visit: &mut Visit<'_>) -> Answer {
    let repository = visit.repository();
    let mut body = repository.brief(&visit.state.base_url);
    let rights = visit.caller.as_ref().and_then(|token| token.rights.get(&repository.id));
    if visit.caller.is_some() {
        // What the token's holder may, who may more than the token.
        let pushes = rights.is_some_and(|rights| rights.0.get(&Permission::Contents) == Some(&Level::Write));
        body["permissions"] = json!({ "admin": false, "maintain": false, "push": pushes, "triage": false, "pull": true });
    }
    Ok(Given::json(200, &body))
}

pub(super) fn user(state: &State, caller: &Caller) -> Answer {
    let token = caller.as_ref().ok_or_else(|| Refusal::new(401, "Requires authentication"))?;
    match token.kind {
        Kind::Personal => Ok(Given::json(200, &token.user.value(&state.base_url))),
        Kind::Installation | Kind::Workflow => Err(Refusal::new(403, "Resource not accessible by integration")),
    }
}

pub(super) fn rate_limit(state: &State, caller: &Caller) -> Answer {
    let standing = state.limits.standing(caller, state.now_ms());
    let core = json!({
        "limit": standing.limit, "remaining": standing.remaining, "reset": standing.reset, "used": standing.used,
        "resource": "core",
    });
    Ok(Given::json(200, &json!({ "resources": { "core": core }, "rate": core })))
}
