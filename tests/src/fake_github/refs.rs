//! Branches as references: read, made, moved, deleted.

use gix::ObjectId;
use gix::objs::Kind;
use serde_json::{Value, json};

use super::refusal::{Refusal, invalid, not_found};
use super::reply::{Answer, Given};
use super::repository::hash;
use super::request::text;
use super::routes::Visit;
use super::writing::check_not_empty;

pub(super) fn get(visit: &mut Visit<'_>, name: &str) -> Answer {
    check_not_empty(visit)?;
    let repository = visit.repository();
    let id = match name.strip_prefix("heads/") {
        Some(branch) => repository.seen_head(branch, visit.now_ms()),
        None => repository.git.reference(&format!("refs/{name}")),
    };
    let id = id.ok_or_else(not_found)?;
    Ok(Given::json(200, &value(visit, &format!("refs/{name}"), id)))
}

pub(super) fn create(visit: &mut Visit<'_>) -> Answer {
    let body = visit.asked.object()?;
    check_not_empty(visit)?;
    let (name, sha) = (text(&body, "ref")?, text(&body, "sha")?);
    let is_name =
        name.starts_with("refs/") && name.matches('/').count() >= 2 && gix::refs::FullName::try_from(name.as_str()).is_ok();
    if !is_name {
        return Err(invalid("Reference name must start with 'refs/' and contain at least two slashes."));
    }
    let id = existing(visit, &sha)?;
    let now = visit.now_ms();
    if visit.repository_mut().set(&name, None, Some(id), now).is_err() {
        return Err(invalid("Reference already exists"));
    }
    Ok(Given::json(201, &value(visit, &name, id)))
}

pub(super) fn update(visit: &mut Visit<'_>, name: &str) -> Answer {
    let body = visit.asked.object()?;
    check_not_empty(visit)?;
    let name = format!("refs/{name}");
    let sha = text(&body, "sha")?;
    let is_forced = body.get("force").and_then(Value::as_bool).unwrap_or(false);
    let old = visit.repository().git.reference(&name).ok_or_else(|| invalid("Reference does not exist"))?;
    let new = existing(visit, &sha)?;
    if !is_forced && !visit.repository().git.is_before(old, new) {
        return Err(invalid("Update is not a fast forward"));
    }
    let now = visit.now_ms();
    let moved = visit.repository_mut().set(&name, Some(old), Some(new), now);
    moved.map_err(|_| Refusal::new(409, "Reference cannot be updated"))?;
    Ok(Given::json(200, &value(visit, &name, new)))
}

pub(super) fn delete(visit: &mut Visit<'_>, name: &str) -> Answer {
    check_not_empty(visit)?;
    let name = format!("refs/{name}");
    let repository = visit.repository();
    let old = repository.git.reference(&name).ok_or_else(|| invalid("Reference does not exist"))?;
    if name == format!("refs/heads/{}", repository.default_branch) {
        return Err(invalid("Cannot delete the default branch"));
    }
    let now = visit.now_ms();
    let moved = visit.repository_mut().set(&name, Some(old), None, now);
    moved.map_err(|_| Refusal::new(409, "Reference cannot be updated"))?;
    Ok(Given::nothing())
}

pub(super) fn branch(visit: &mut Visit<'_>, name: &str) -> Answer {
    let repository = visit.repository();
    let id = repository.seen_head(name, visit.now_ms()).ok_or_else(|| Refusal::new(404, "Branch not found"))?;
    Ok(Given::json(200, &shown(visit, name, id)))
}

pub(super) fn branches(visit: &mut Visit<'_>) -> Answer {
    let branches = visit.repository().git.branches();
    let shown: Vec<_> = branches.iter().map(|(name, id)| shown(visit, name, *id)).collect();
    Ok(Given::json(200, &Value::Array(shown)))
}

fn shown(visit: &Visit<'_>, name: &str, id: ObjectId) -> Value {
    json!({ "name": name, "commit": { "sha": id.to_string(), "url": visit.url(&format!("commits/{id}")) }, "protected": false })
}

fn existing(visit: &Visit<'_>, sha: &str) -> Result<ObjectId, Refusal> {
    if sha.len() != 40 {
        return Err(invalid("The sha parameter must be exactly 40 characters and contain only [0-9a-f]."));
    }
    let found = hash(sha).filter(|id| visit.repository().git.kind(*id) == Some(Kind::Commit));
    found.ok_or_else(|| invalid("Object does not exist"))
}

fn value(visit: &Visit<'_>, name: &str, id: ObjectId) -> Value {
    let kind = visit.repository().git.kind(id).map_or("commit".to_owned(), |kind| kind.to_string());
    json!({
        "ref": name, "node_id": format!("REF_{name}"), "url": visit.url(&format!("git/{name}")),
        "object": { "sha": id.to_string(), "type": kind, "url": visit.url(&format!("git/{kind}s/{id}")) },
    })
}
