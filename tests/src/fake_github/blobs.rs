//! Bytes of the git database.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::contents::wrapped;
use super::refusal::{invalid, not_found};
use super::reply::{Answer, Given};
use super::repository::hash;
use super::request::{optional_text, text};
use super::routes::Visit;
use super::writing::{broken, check_not_empty};

pub(super) fn get(visit: &mut Visit<'_>, name: &str) -> Answer {
    check_not_empty(visit)?;
    let id = hash(name).ok_or_else(|| invalid("The sha parameter must be exactly 40 characters and contain only [0-9a-f]."))?;
    let bytes = visit.repository().git.blob(id).ok_or_else(not_found)?;
    if visit.asked.accepts("raw") {
        return Ok(Given::raw("application/vnd.github.raw+json; charset=utf-8", bytes));
    }
    let body = json!({
        "sha": name, "node_id": format!("B_{name}"), "size": bytes.len(), "url": visit.url(&format!("git/blobs/{name}")),
        "content": wrapped(&bytes), "encoding": "base64",
    });
    Ok(Given::json(200, &body))
}

pub(super) fn create(visit: &mut Visit<'_>) -> Answer {
    let body = visit.asked.object()?;
    check_not_empty(visit)?;
    let content = text(&body, "content")?;
    let bytes = match optional_text(&body, "encoding")?.as_deref() {
        None | Some("utf-8") => content.into_bytes(),
        Some("base64") => {
            STANDARD.decode(content.replace(['\n', '\r'], "")).map_err(|_| invalid("content is not valid Base64"))?
        }
        Some(other) => return Err(invalid(format!("{other} is not a supported encoding"))),
    };
    let id = visit.repository().git.write_blob(&bytes).map_err(broken)?;
    Ok(Given::json(201, &json!({ "sha": id.to_string(), "url": visit.url(&format!("git/blobs/{id}")) })))
}
