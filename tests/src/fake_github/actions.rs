//! Variables and secrets of Actions, as far as a setup sets them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::refusal::{Refusal, invalid, not_found};
use super::reply::{Answer, Given};
use super::request::{optional_text, text};
use super::routes::Visit;

/// The number of the key that secrets are sealed with.
const KEY_ID: &str = "568250167242549743";

pub(super) fn answer(visit: &mut Visit<'_>, rest: &[&str]) -> Answer {
    match (visit.asked.method.as_str(), rest) {
        ("GET", ["variables"]) => {
            let all: Vec<_> = visit.repository().variables.iter().map(|(name, value)| variable(name, value)).collect();
            Ok(Given::json(200, &json!({ "total_count": all.len(), "variables": all })))
        }
        ("POST", ["variables"]) => create_variable(visit),
        ("GET", ["variables", name]) => {
            let (name, value) = variable_named(visit, name)?;
            Ok(Given::json(200, &variable(&name, &value)))
        }
        ("PATCH", ["variables", name]) => {
            let (name, _) = variable_named(visit, name)?;
            let body = visit.asked.object()?;
            if let Some(value) = optional_text(&body, "value")? {
                visit.repository_mut().variables.insert(name, value);
            }
            Ok(Given::nothing())
        }
        ("DELETE", ["variables", name]) => {
            let (name, _) = variable_named(visit, name)?;
            visit.repository_mut().variables.remove(&name);
            Ok(Given::nothing())
        }
        ("GET", ["secrets"]) => {
            let all: Vec<_> = visit.repository().secrets.keys().map(|name| secret(name)).collect();
            Ok(Given::json(200, &json!({ "total_count": all.len(), "secrets": all })))
        }
        ("GET", ["secrets", "public-key"]) => Ok(Given::json(200, &json!({ "key_id": KEY_ID, "key": STANDARD.encode([9; 32]) }))),
        ("GET", ["secrets", name]) => {
            let name = name.to_uppercase();
            let is_there = visit.repository().secrets.contains_key(&name);
            if is_there { Ok(Given::json(200, &secret(&name))) } else { Err(not_found()) }
        }
        ("PUT", ["secrets", name]) => put_secret(visit, &name.to_uppercase()),
        _ => Err(not_found()),
    }
}

fn create_variable(visit: &mut Visit<'_>) -> Answer {
    let body = visit.asked.object()?;
    let (name, value) = (text(&body, "name")?.to_uppercase(), text(&body, "value")?);
    check_name("variable", &name)?;
    if visit.repository().variables.contains_key(&name) {
        return Err(Refusal::new(409, "Already exists - Variable already exists"));
    }
    visit.repository_mut().variables.insert(name, value);
    Ok(Given::json(201, &json!({})))
}

fn put_secret(visit: &mut Visit<'_>, name: &str) -> Answer {
    let body = visit.asked.object()?;
    check_name("secret", name)?;
    let (sealed, key) = (text(&body, "encrypted_value")?, text(&body, "key_id")?);
    if key != KEY_ID || STANDARD.decode(&sealed).map_or(0, |bytes| bytes.len()) < 48 {
        return Err(invalid("Bad request - public key doesn't match or the value is not sealed with it"));
    }
    match visit.repository_mut().secrets.insert(name.to_owned(), sealed) {
        None => Ok(Given::json(201, &json!({}))),
        Some(_) => Ok(Given::nothing()),
    }
}

fn check_name(what: &str, name: &str) -> Result<(), Refusal> {
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if begins && is_plain && !name.starts_with("GITHUB_") {
        return Ok(());
    }
    Err(invalid(format!(
        "The {what} name must only contain alphanumeric characters or underscores, must not start with a number, and must not \
         start with the GITHUB_ prefix."
    )))
}

fn variable_named(visit: &Visit<'_>, name: &str) -> Result<(String, String), Refusal> {
    let name = name.to_uppercase();
    let value = visit.repository().variables.get(&name).cloned().ok_or_else(not_found)?;
    Ok((name, value))
}

fn variable(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": value, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z" })
}

fn secret(name: &str) -> Value {
    json!({ "name": name, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z" })
}
