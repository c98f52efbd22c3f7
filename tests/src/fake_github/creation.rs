//! Making repositories. Organisations are accounts like any other here, and their members are not looked at.

use serde_json::Value;

use super::access::{Caller, Rights};
use super::refusal::Refusal;
use super::reply::{Answer, Given};
use super::request::{Asked, text};
use super::rule::{self, Visibility};
use super::state::State;

pub(super) fn create(state: &mut State, asked: &Asked, caller: &Caller, organisation: Option<&str>) -> Answer {
    let token = caller.as_ref().ok_or_else(|| Refusal::new(401, "Requires authentication"))?;
    if !token.may_create {
        return Err(Refusal::new(403, "Resource not accessible by personal access token")
            .header("x-accepted-github-permissions", "administration=write".to_owned()));
    }
    let body = asked.object()?;
    let owner = organisation.unwrap_or(&token.user.login);
    let full_name = format!("{owner}/{}", text(&body, "name")?);
    if state.repositories.iter().any(|it| it.is_called(&full_name)) {
        return Err(Refusal::new(422, "Repository creation failed."));
    }
    let is = |key: &str| body.get(key).and_then(Value::as_bool).unwrap_or(false);
    let visibility = if is("private") { Visibility::Private } else { Visibility::Public };
    let id = rule::add_repository(state, &full_name, visibility);
    if is("auto_init") {
        let readme = format!("# {full_name}\n");
        let made = rule::commit(state, &full_name, "main", "README.md", Some(readme.as_bytes()));
        made.map_err(|error| Refusal::new(500, error.to_string()))?;
    }
    let bearer = asked.bearer().unwrap_or_default();
    if let Some(token) = state.tokens.get_mut(bearer) {
        token.rights.insert(id, Rights::everything());
    }
    let brief = state.by_id(id).map(|made| made.brief(&state.base_url));
    Ok(Given::json(201, &brief.unwrap_or_default()))
}
