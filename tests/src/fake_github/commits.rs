//! Commits: by any name, as objects, and made.

use gix::ObjectId;
use gix::actor::Signature;
use gix::objs::Kind as ObjectKind;
use serde_json::{Map, Value, json};

use super::access::Kind;
use super::refusal::{Refusal, empty_repository, invalid, not_found, not_supplied};
use super::reply::{Answer, Given};
use super::repository::hash;
use super::request::{optional_text, text};
use super::routes::Visit;
use super::writing::{broken, check_not_empty};

/// Who made a commit and who put it there.
#[derive(Debug, Clone)]
pub(super) struct Signatures {
    pub(super) author: Signature,
    pub(super) committer: Signature,
}

impl Signatures {
    /// As the body says; else the caller.
    pub(super) fn read(visit: &Visit<'_>, body: &Map<String, Value>) -> Result<Self, Refusal> {
        let now = visit.state.now();
        let caller = visit.caller.as_ref().map(|token| &token.user);
        let (login, id) = caller.map_or(("ghost", 10137), |user| (user.login.as_str(), user.id));
        let email = format!("{id}+{login}@users.noreply.github.com");
        let usual = signature(login, &email, now);
        let committer = person(body, "committer", now)?;
        let author = person(body, "author", now)?.or_else(|| committer.clone()).unwrap_or_else(|| usual.clone());
        let by_github = || match visit.caller.as_ref().map(|token| token.kind) {
            Some(Kind::Installation) => signature("GitHub", "noreply@github.com", now),
            _ => usual.clone(),
        };
        Ok(Self { committer: committer.unwrap_or_else(by_github), author })
    }
}

fn signature(name: &str, email: &str, seconds: i64) -> Signature {
    Signature { name: name.into(), email: email.into(), time: gix::date::Time { seconds, offset: 0 } }
}

fn person(body: &Map<String, Value>, name: &str, now: i64) -> Result<Option<Signature>, Refusal> {
    let Some(person) = body.get(name).filter(|person| !person.is_null()) else { return Ok(None) };
    let of = |part: &str| {
        let value = person.get(part).and_then(Value::as_str).filter(|value| !value.is_empty());
        value.ok_or_else(|| not_supplied(&format!("{name}.{part}")))
    };
    let (called, email) = (of("name")?, of("email")?);
    let date = person.get("date").and_then(Value::as_str).and_then(|date| date.parse::<jiff::Timestamp>().ok());
    Ok(Some(signature(called, email, date.map_or(now, jiff::Timestamp::as_second))))
}

/// GET commits/{name}: with the media type `sha` the hash alone, which is its own ETag.
pub(super) fn get(visit: &mut Visit<'_>, name: &str) -> Answer {
    let repository = visit.repository();
    if repository.git.is_empty() {
        return Err(empty_repository());
    }
    let no_commit = || invalid(format!("No commit found for SHA: {name}"));
    let id = repository.commit_named(name, visit.now_ms()).ok_or_else(no_commit)?;
    if visit.asked.accepts("sha") {
        let given = Given::raw("application/vnd.github.sha; charset=utf-8", id.to_string().into_bytes());
        return Ok(given.etag(format!("\"{id}\"")));
    }
    Ok(Given::json(200, &listed(visit, id)))
}

/// GET commits: the newest first, with `sha`, `path` left out.
pub(super) fn list(visit: &mut Visit<'_>) -> Answer {
    check_not_empty(visit)?;
    let repository = visit.repository();
    let name = visit.asked.query.get("sha").cloned().unwrap_or_else(|| repository.default_branch.clone());
    let mut next = Some(repository.commit_named(&name, visit.now_ms()).ok_or_else(not_found)?);
    let most = visit.asked.query.get("per_page").and_then(|most| most.parse().ok()).unwrap_or(30).min(100);
    let mut found = Vec::new();
    while let Some(id) = next.filter(|_| found.len() < most) {
        found.push(listed(visit, id));
        next = repository.git.commit(id).and_then(|commit| commit.parents.first().copied());
    }
    Ok(Given::json(200, &Value::Array(found)))
}

pub(super) fn get_object(visit: &mut Visit<'_>, name: &str) -> Answer {
    check_not_empty(visit)?;
    let id = hash(name).filter(|id| visit.repository().git.commit(*id).is_some()).ok_or_else(not_found)?;
    Ok(Given::json(200, &object(visit, id)))
}

pub(super) fn create(visit: &mut Visit<'_>) -> Answer {
    let body = visit.asked.object()?;
    check_not_empty(visit)?;
    let (message, tree) = (text(&body, "message")?, text(&body, "tree")?);
    let git = &visit.repository().git;
    let tree =
        hash(&tree).filter(|tree| git.kind(*tree) == Some(ObjectKind::Tree)).ok_or_else(|| invalid("Tree SHA does not exist"))?;
    let none = Vec::new();
    let mut parents = Vec::new();
    for parent in body.get("parents").and_then(Value::as_array).unwrap_or(&none) {
        let id = parent.as_str().and_then(hash).filter(|id| git.kind(*id) == Some(ObjectKind::Commit));
        parents.push(id.ok_or_else(|| invalid("Parent SHA does not exist or is not a commit object"))?);
    }
    optional_text(&body, "signature")?;
    let Signatures { author, committer } = Signatures::read(visit, &body)?;
    let id = git.write_commit(tree, parents, author, committer, &message).map_err(broken)?;
    Ok(Given::json(201, &object(visit, id)))
}

/// A commit of the git database.
pub(super) fn object(visit: &Visit<'_>, id: ObjectId) -> Value {
    let Some(commit) = visit.repository().git.commit(id) else { return Value::Null };
    let parents = commit.parents.iter().map(|parent| json!({ "sha": parent.to_string(), "url": visit.url(&format!("git/commits/{parent}")), "html_url": format!("https://github.com/{}/commit/{parent}", visit.repository().full_name()) }));
    // GitHub signs what a bot sends without an author or committer of its own.
    let is_verified = commit.committer.email == "noreply@github.com";
    let reason = if is_verified { "valid" } else { "unsigned" };
    json!({
        "sha": id.to_string(), "node_id": format!("C_{id}"), "url": visit.url(&format!("git/commits/{id}")),
        "html_url": format!("https://github.com/{}/commit/{id}", visit.repository().full_name()),
        "author": shown(&commit.author), "committer": shown(&commit.committer), "message": commit.message.to_string(),
        "tree": { "sha": commit.tree.to_string(), "url": visit.url(&format!("git/trees/{}", commit.tree)) },
        "parents": parents.collect::<Vec<_>>(),
        "verification": { "verified": is_verified, "reason": reason, "signature": null, "payload": null, "verified_at": null },
    })
}

fn listed(visit: &Visit<'_>, id: ObjectId) -> Value {
    let inner = object(visit, id);
    json!({
        "sha": inner["sha"], "node_id": inner["node_id"], "url": visit.url(&format!("commits/{id}")), "html_url": inner["html_url"],
        "comments_url": visit.url(&format!("commits/{id}/comments")), "author": null, "committer": null,
        "parents": inner["parents"],
        "commit": {
            "author": inner["author"], "committer": inner["committer"], "message": inner["message"], "tree": inner["tree"],
            "url": inner["url"], "comment_count": 0, "verification": inner["verification"],
        },
    })
}

fn shown(person: &Signature) -> Value {
    let date = jiff::Timestamp::from_second(person.time.seconds).map(|at| at.to_string()).unwrap_or_default();
    json!({ "name": person.name.to_string(), "email": person.email.to_string(), "date": date })
}
