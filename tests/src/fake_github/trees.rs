//! Folders of the git database: read, and made of entries upon another one.

use gix::ObjectId;
use gix::objs::Kind;
use gix::objs::tree::{EntryKind, EntryMode};
use serde_json::{Map, Value, json};

use super::git::Entry;
use super::refusal::{Refusal, invalid, not_found, not_supplied};
use super::reply::{Answer, Given};
use super::repository::hash;
use super::request::{optional_text, text};
use super::routes::Visit;
use super::writing::{broken, check_not_empty, check_workflow};

/// A recursive listing ends there.
const LONGEST_LISTING: usize = 100_000;

pub(super) fn get(visit: &mut Visit<'_>, name: &str) -> Answer {
    check_not_empty(visit)?;
    let repository = visit.repository();
    let git = &repository.git;
    let by_commit = || repository.commit_named(name, visit.now_ms()).and_then(|id| git.commit(id)).map(|commit| commit.tree);
    let tree = hash(name).filter(|id| git.kind(*id) == Some(Kind::Tree)).or_else(by_commit).ok_or_else(not_found)?;
    // Any value means yes.
    let is_recursive = visit.asked.query.contains_key("recursive");
    Ok(Given::json(200, &value(visit, tree, is_recursive)))
}

pub(super) fn create(visit: &mut Visit<'_>) -> Answer {
    let body = visit.asked.object()?;
    check_not_empty(visit)?;
    let git = &visit.repository().git;
    let base = match optional_text(&body, "base_tree")? {
        None => None,
        Some(base) => {
            let id = hash(&base).ok_or_else(|| invalid("base_tree is not a valid tree oid"))?;
            let of_commit = git.commit(id).map(|commit| commit.tree);
            let tree = of_commit.or_else(|| (git.kind(id) == Some(Kind::Tree)).then_some(id));
            Some(tree.ok_or_else(|| invalid("base_tree is not a valid tree oid"))?)
        }
    };
    let entries = body.get("tree").and_then(Value::as_array).ok_or_else(|| not_supplied("tree"))?;
    if entries.is_empty() {
        return Err(invalid("Invalid tree info"));
    }
    let mut tree = base;
    for entry in entries {
        let entry = entry.as_object().ok_or_else(|| invalid("Invalid tree info"))?;
        tree = Some(put(visit, tree, entry)?);
    }
    let tree = tree.ok_or_else(|| invalid("Invalid tree info"))?;
    Ok(Given::json(201, &value(visit, tree, false)))
}

fn put(visit: &Visit<'_>, tree: Option<ObjectId>, entry: &Map<String, Value>) -> Result<ObjectId, Refusal> {
    let git = &visit.repository().git;
    let path = text(entry, "path").map_err(|_| invalid("tree.path contains a malformed path component"))?;
    check_workflow(visit, &path)?;
    let mode = optional_text(entry, "mode")?.ok_or_else(|| invalid("Must supply a valid tree.mode"))?;
    let mode = kind(&mode).ok_or_else(|| invalid("Must supply a valid tree.mode"))?;
    let (content, sha) = (optional_text(entry, "content")?, entry.get("sha"));
    let what = match (content, sha) {
        (Some(_), Some(sha)) if !sha.is_null() => {
            return Err(invalid("Must supply either tree.sha or tree.content, not both"));
        }
        (Some(content), _) => Some(git.write_blob(content.as_bytes()).map_err(broken)?),
        // Null takes the file away.
        (None, Some(Value::Null)) => {
            let is_there = tree.is_some_and(|tree| git.find(tree, &path).is_some());
            if !is_there {
                return Err(invalid("GitRPC::BadObjectState"));
            }
            None
        }
        (None, Some(sha)) => {
            let wanted = if mode == EntryKind::Tree { Kind::Tree } else { Kind::Blob };
            let id = sha.as_str().and_then(hash).filter(|id| git.kind(*id) == Some(wanted));
            Some(id.ok_or_else(|| invalid(format!("tree.sha {} is not a valid {wanted}", sha.as_str().unwrap_or_default())))?)
        }
        (None, None) => return Err(invalid("Must supply either tree.sha or tree.content")),
    };
    let what = what.map(|id| (EntryMode::from(mode), id));
    git.put(tree, &path, what).map_err(|_| invalid("tree.path contains a malformed path component"))
}

fn kind(mode: &str) -> Option<EntryKind> {
    match mode {
        "100644" => Some(EntryKind::Blob),
        "100755" => Some(EntryKind::BlobExecutable),
        "040000" => Some(EntryKind::Tree),
        "120000" => Some(EntryKind::Link),
        _ => None,
    }
}

fn value(visit: &Visit<'_>, tree: ObjectId, is_recursive: bool) -> Value {
    let mut found = Vec::new();
    collect(visit, tree, "", is_recursive, &mut found);
    let is_truncated = found.len() > LONGEST_LISTING;
    found.truncate(LONGEST_LISTING);
    let url = visit.url(&format!("git/trees/{tree}"));
    json!({ "sha": tree.to_string(), "url": url, "tree": found, "truncated": is_truncated })
}

fn collect(visit: &Visit<'_>, tree: ObjectId, above: &str, is_recursive: bool, found: &mut Vec<Value>) {
    for entry in visit.repository().git.entries(tree) {
        let path = if above.is_empty() { entry.name.clone() } else { format!("{above}/{}", entry.name) };
        found.push(shown(visit, &entry, &path));
        if is_recursive && entry.mode.is_tree() {
            collect(visit, entry.id, &path, true, found);
        }
    }
}

fn shown(visit: &Visit<'_>, entry: &Entry, path: &str) -> Value {
    let kind = if entry.mode.is_tree() { "tree" } else { "blob" };
    let mut value = json!({
        "path": path, "mode": format!("{:06o}", entry.mode.value()), "type": kind, "sha": entry.id.to_string(),
        "url": visit.url(&format!("git/{kind}s/{}", entry.id)),
    });
    if !entry.mode.is_tree() {
        value["size"] = visit.repository().git.blob(entry.id).map_or(0, |bytes| bytes.len()).into();
    }
    value
}
