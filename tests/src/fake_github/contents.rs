//! GET contents: a file in three media types, or the listing of a folder.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::git::Entry;
use super::refusal::{Refusal, not_found};
use super::reply::{Answer, Given};
use super::routes::Visit;

const LONGEST_LISTING: usize = 1000;
/// Beyond it a file is given in the raw media type alone.
const LONGEST_INLINE: usize = 1 << 20;
const LONGEST: usize = 100 << 20;

pub(super) fn get(visit: &mut Visit<'_>, path: &str) -> Answer {
    let path = path.trim_end_matches('/');
    let repository = visit.repository();
    if repository.git.is_empty() {
        return Err(Refusal::new(404, "This repository is empty."));
    }
    let name = visit.asked.query.get("ref").filter(|name| !name.is_empty());
    let commit = match name {
        Some(name) => repository
            .commit_named(name, visit.now_ms())
            .ok_or_else(|| Refusal::new(404, format!("No commit found for the ref {name}")))?,
        None => repository.commit_named(&repository.default_branch, visit.now_ms()).ok_or_else(not_found)?,
    };
    let tree = repository.git.commit(commit).ok_or_else(not_found)?.tree;
    let reference = name.cloned().unwrap_or_else(|| repository.default_branch.clone());
    if path.is_empty() {
        return Ok(listing(visit, tree, "", &reference));
    }
    let entry = repository.git.find(tree, path).ok_or_else(not_found)?;
    if entry.mode.is_tree() {
        return Ok(listing(visit, entry.id, path, &reference));
    }
    let bytes = repository.git.blob(entry.id).ok_or_else(not_found)?;
    if visit.asked.accepts("raw") && bytes.len() <= LONGEST {
        return Ok(Given::raw("application/vnd.github.raw+json; charset=utf-8", bytes));
    }
    if bytes.len() > LONGEST {
        return Err(too_large(path));
    }
    let mut body = described(visit, &entry, path, bytes.len(), &reference);
    let is_inline = bytes.len() <= LONGEST_INLINE;
    body["content"] = if is_inline { wrapped(&bytes) } else { String::new() }.into();
    body["encoding"] = if is_inline { "base64" } else { "none" }.into();
    if !is_inline && !visit.asked.accepts("object") {
        return Err(too_large(path));
    }
    Ok(Given::json(200, &body))
}

fn too_large(path: &str) -> Refusal {
    let message = "This API returns blobs up to 1 MB in size. The requested blob is too large to fetch via the API, but you can use \
                   the Git Data API to request blobs up to 100 MB in size.";
    Refusal::new(403, message).with("errors", json!([{ "resource": "Blob", "field": path, "code": "too_large" }]))
}

fn listing(visit: &Visit<'_>, tree: gix::ObjectId, path: &str, reference: &str) -> Given {
    let git = &visit.repository().git;
    let entries = git.entries(tree).into_iter().take(LONGEST_LISTING);
    let described = entries.map(|entry| {
        let below = if path.is_empty() { entry.name.clone() } else { format!("{path}/{}", entry.name) };
        let size = if entry.mode.is_tree() { 0 } else { git.blob(entry.id).map_or(0, |bytes| bytes.len()) };
        described(visit, &entry, &below, size, reference)
    });
    let entries: Vec<Value> = described.collect();
    if visit.asked.accepts("object") {
        return Given::json(200, &json!({ "type": "dir", "path": path, "sha": tree.to_string(), "entries": entries }));
    }
    Given::json(200, &Value::Array(entries))
}

/// A file or folder without its content.
pub(super) fn described(visit: &Visit<'_>, entry: &Entry, path: &str, size: usize, reference: &str) -> Value {
    let kind = if entry.mode.is_tree() { "dir" } else { "file" };
    let url = visit.url(&format!("contents/{path}?ref={reference}"));
    let inner = if entry.mode.is_tree() { "trees" } else { "blobs" };
    let git_url = visit.url(&format!("git/{inner}/{}", entry.id));
    let full = visit.repository().full_name();
    let html = format!("https://github.com/{full}/blob/{reference}/{path}");
    let download = (!entry.mode.is_tree()).then(|| format!("https://raw.githubusercontent.com/{full}/{reference}/{path}"));
    json!({
        "name": entry.name, "path": path, "sha": entry.id.to_string(), "size": size, "url": url, "html_url": html,
        "git_url": git_url, "download_url": download, "type": kind,
        "_links": { "self": url, "git": git_url, "html": html },
    })
}

/// Base64 in lines of 60 letters, as GitHub gives it.
pub(super) fn wrapped(bytes: &[u8]) -> String {
    let encoded = STANDARD.encode(bytes);
    let lines = encoded.as_bytes().chunks(60).map(|line| format!("{}\n", String::from_utf8_lossy(line)));
    lines.collect()
}
