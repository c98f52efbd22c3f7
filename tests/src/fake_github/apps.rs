//! GitHub Apps: proved by a JWT of their key, installed on repositories, with tokens that live an hour.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde_json::{Map, Value, json};

use super::access::{Kind, Level, Permission, Rights, Token, User};
use super::hooks::Hook;
use super::refusal::{Refusal, invalid, not_found};
use super::reply::{Answer, Given};
use super::request::Asked;
use super::state::State;

/// A token of an installation lives so long.
const LIFE_MS: i64 = 3_600_000;
const LONGEST_JWT_SECONDS: i64 = 600;

/// A GitHub App.
#[derive(Debug, Clone)]
pub struct App {
    /// Its number.
    pub id: u64,
    /// Its name in addresses.
    pub slug: String,
    pub(super) public_pem: String,
    pub(super) hook: Option<Hook>,
    pub(super) installations: Vec<Installation>,
}

/// An App on the repositories of one owner.
#[derive(Debug, Clone)]
pub(super) struct Installation {
    pub(super) id: u64,
    pub(super) account: User,
    /// By the number of the repository.
    pub(super) rights: BTreeMap<u64, Rights>,
}

/// `/app` and what is below.
pub(super) fn answer(state: &mut State, asked: &Asked, rest: &[&str]) -> Answer {
    let app = proved(state, asked)?;
    match (asked.method.as_str(), rest) {
        ("GET", []) => Ok(Given::json(200, &shown(state, &app))),
        ("GET", ["installations"]) => {
            let all = app.installations.iter().map(|it| installed(state, &app, it)).collect();
            Ok(Given::json(200, &Value::Array(all)))
        }
        ("GET", ["installations", id]) => Ok(Given::json(200, &installed(state, &app, by_id(&app, id)?))),
        ("POST", ["installations", id, "access_tokens"]) => new_token(state, asked, &app, by_id(&app, id)?),
        _ => Err(not_found()),
    }
}

/// `/repos/{owner}/{repo}/installation`
pub(super) fn installation(state: &State, asked: &Asked, name: &str) -> Answer {
    let app = proved(state, asked)?;
    let repository = state.repositories.iter().find(|it| it.is_called(name) && !it.is_gone).ok_or_else(not_found)?;
    let found = app.installations.iter().find(|it| it.rights.contains_key(&repository.id)).ok_or_else(not_found)?;
    Ok(Given::json(200, &installed(state, &app, found)))
}

fn by_id<'a>(app: &'a App, id: &str) -> Result<&'a Installation, Refusal> {
    app.installations.iter().find(|it| it.id.to_string() == id).ok_or_else(not_found)
}

/// The App whose key signed the request. Times are held against the machine's clock, which the signer used too.
fn proved(state: &State, asked: &Asked) -> Result<App, Refusal> {
    let undecodable = || Refusal::new(401, "A JSON web token could not be decoded");
    let jwt = asked.bearer().ok_or_else(undecodable)?;
    let claims = jwt.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part).ok()).ok_or_else(undecodable)?;
    let claims: Value = serde_json::from_slice(&claims).map_err(|_| undecodable())?;
    let issuer = claims.get("iss").and_then(|iss| iss.as_u64().or_else(|| iss.as_str()?.parse().ok()));
    let issuer = issuer.ok_or_else(|| Refusal::new(401, "'Issuer' claim ('iss') must be an Integer"))?;
    let app = state.apps.get(&issuer).ok_or_else(|| Refusal::new(404, "Integration not found"))?;
    let mut validation = Validation::new(Algorithm::RS256);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let key = DecodingKey::from_rsa_pem(app.public_pem.as_bytes()).map_err(|_| undecodable())?;
    jsonwebtoken::decode::<Value>(jwt, &key, &validation).map_err(|_| undecodable())?;
    check_times(&claims)?;
    Ok(app.clone())
}

fn check_times(claims: &Value) -> Result<(), Refusal> {
    let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(real.as_secs()).unwrap_or(i64::MAX);
    let of = |name: &str| claims.get(name).and_then(Value::as_i64);
    let issued = of("iat").filter(|issued| *issued <= now).ok_or_else(|| {
        Refusal::new(401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
    })?;
    let expires = of("exp").filter(|expires| *expires > now).ok_or_else(|| {
        Refusal::new(
            401,
            "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
        )
    })?;
    if expires - issued.max(now) > LONGEST_JWT_SECONDS {
        return Err(Refusal::new(401, "'Expiration time' claim ('exp') is too far in the future"));
    }
    Ok(())
}

fn new_token(state: &mut State, asked: &Asked, app: &App, installation: &Installation) -> Answer {
    let body = asked.object()?;
    let rights = narrowed(state, &body, installation)?;
    let number = state.new_id();
    let text = format!("ghs_installation{number}");
    let expires_ms = state.now_ms() + LIFE_MS;
    let user = state.user(&format!("{}[bot]", app.slug));
    let budget = format!("installation:{}", installation.id);
    let names: Vec<Value> = rights.keys().filter_map(|id| Some(state.by_id(*id)?.brief(&state.base_url))).collect();
    let expires_at = jiff::Timestamp::from_second(expires_ms / 1000).map(|at| at.to_string()).unwrap_or_default();
    let granted = permissions(&rights);
    let selection = "selected";
    let token = Token { user, kind: Kind::Installation, rights, may_create: false, expires_ms: Some(expires_ms), budget };
    state.tokens.insert(text.clone(), token);
    let mut reply = json!({ "token": text, "expires_at": expires_at, "permissions": granted, "repository_selection": selection });
    if body.contains_key("repositories") || body.contains_key("repository_ids") {
        reply["repositories"] = names.into();
    }
    Ok(Given::json(201, &reply))
}

/// The rights of the installation, or less of them when less is asked for.
fn narrowed(state: &State, body: &Map<String, Value>, installation: &Installation) -> Result<BTreeMap<u64, Rights>, Refusal> {
    let mut rights = installation.rights.clone();
    let list = |name: &str| body.get(name).and_then(Value::as_array).filter(|list| !list.is_empty());
    let mut wanted: Vec<u64> = list("repository_ids").into_iter().flatten().filter_map(Value::as_u64).collect();
    for name in list("repositories").into_iter().flatten().filter_map(Value::as_str) {
        let id = rights.keys().find(|id| state.by_id(**id).is_some_and(|it| it.name.eq_ignore_ascii_case(name)));
        wanted.push(id.copied().unwrap_or_default());
    }
    if wanted.iter().any(|id| !rights.contains_key(id)) {
        return Err(invalid(
            "There is at least one repository that does not exist or is not accessible to the parent installation.",
        ));
    }
    if !wanted.is_empty() {
        rights.retain(|id, _| wanted.contains(id));
    }
    let Some(asked) = body.get("permissions").and_then(Value::as_object) else { return Ok(rights) };
    let granted = permissions(&rights);
    for (name, level) in asked {
        let has = granted.get(name).and_then(Value::as_str);
        if has.is_none() || (level == "write" && has != Some("write")) {
            return Err(invalid("The permissions requested are not granted to this installation."));
        }
    }
    for rights in rights.values_mut() {
        rights.0.retain(|permission, level| {
            if asked.get(permission.word()).is_some_and(|asked| asked == "read") {
                *level = Level::Read;
            }
            asked.contains_key(permission.word())
        });
    }
    Ok(rights)
}

fn permissions(rights: &BTreeMap<u64, Rights>) -> Map<String, Value> {
    let word = |level: Level| if level == Level::Write { "write" } else { "read" };
    let all = rights.values().flat_map(|rights| rights.0.iter());
    let mut words: Map<String, Value> = all.map(|(permission, level)| (name(*permission), word(*level).into())).collect();
    words.insert("metadata".to_owned(), "read".into());
    words
}

fn name(permission: Permission) -> String {
    permission.word().to_owned()
}

fn shown(state: &State, app: &App) -> Value {
    json!({
        "id": app.id, "slug": app.slug, "node_id": format!("A_{}", app.id), "name": app.slug, "owner": null,
        "html_url": format!("https://github.com/apps/{}", app.slug), "external_url": state.base_url,
        "permissions": app.installations.first().map(|it| permissions(&it.rights)), "events": ["repository_dispatch"],
    })
}

fn installed(state: &State, app: &App, it: &Installation) -> Value {
    let url = &state.base_url;
    json!({
        "id": it.id, "account": it.account.value(url), "app_id": app.id, "app_slug": app.slug, "target_type": "User",
        "target_id": it.account.id, "repository_selection": "selected", "permissions": permissions(&it.rights),
        "access_tokens_url": format!("{url}/app/installations/{}/access_tokens", it.id),
        "repositories_url": format!("{url}/installation/repositories"), "events": ["repository_dispatch"],
        "html_url": format!("https://github.com/settings/installations/{}", it.id), "suspended_at": null, "suspended_by": null,
    })
}
