//! PUT and DELETE of contents: one file, one commit on the tip of a branch.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gix::ObjectId;
use gix::objs::tree::{EntryKind, EntryMode};
use serde_json::{Map, Value, json};

use super::access::{Kind, Level, Permission};
use super::commits::{self, Signatures};
use super::contents::described;
use super::refusal::{Refusal, empty_repository, head_moved, invalid, not_found, not_supplied};
use super::reply::{Answer, Given};
use super::request::{optional_text, text};
use super::routes::Visit;

/// What is to become of the file.
struct Change {
    path: String,
    branch: String,
    message: String,
    sha: Option<String>,
    signatures: Signatures,
}

impl Change {
    fn read(visit: &Visit<'_>, body: &Map<String, Value>, path: &str) -> Result<Self, Refusal> {
        check_path(path)?;
        let repository = visit.repository();
        let branch = optional_text(body, "branch")?.unwrap_or_else(|| repository.default_branch.clone());
        let branch = branch.strip_prefix("refs/heads/").map(str::to_owned).unwrap_or(branch);
        let (message, sha) = (text(body, "message")?, optional_text(body, "sha")?);
        let signatures = Signatures::read(visit, body)?;
        check_workflow(visit, path)?;
        Ok(Self { path: path.to_owned(), branch, message, sha, signatures })
    }
}

pub(super) fn put(visit: &mut Visit<'_>, path: &str) -> Answer {
    let body = visit.asked.object()?;
    let change = Change::read(visit, &body, path)?;
    let content = text(&body, "content")?.replace(['\n', '\r'], "");
    let bytes = STANDARD.decode(content).map_err(|_| invalid("content is not valid Base64"))?;
    let head = head(visit, &change.branch)?;
    let git = &visit.repository().git;
    let tree = head.and_then(|head| git.commit(head)).map(|commit| commit.tree);
    let there = tree.and_then(|tree| git.find(tree, path));
    match (&there, &change.sha) {
        (Some(entry), _) if entry.mode.is_tree() => return Err(invalid(format!("{path} is a directory"))),
        (Some(_), None) => return Err(not_supplied("sha")),
        (Some(entry), Some(sha)) if entry.id.to_string() == *sha => {}
        (_, Some(sha)) => return Err(Refusal::new(409, format!("{path} does not match {sha}"))),
        (None, None) => {}
    }
    let blob = git.write_blob(&bytes).map_err(broken)?;
    let mode = there.as_ref().map_or(EntryMode::from(EntryKind::Blob), |entry| entry.mode);
    let commit = carry_out(visit, &change, head, Some((mode, blob)))?;
    let entry = visit.repository().git.find(visit.repository().git.commit(commit).ok_or_else(not_found)?.tree, path);
    let content = entry.map(|entry| described(visit, &entry, path, bytes.len(), &change.branch));
    let status = if there.is_some() { 200 } else { 201 };
    Ok(Given::json(status, &json!({ "content": content, "commit": commits::object(visit, commit) })))
}

pub(super) fn delete(visit: &mut Visit<'_>, path: &str) -> Answer {
    let mut body = visit.asked.object()?;
    for (name, value) in &visit.asked.query {
        body.entry(name.clone()).or_insert_with(|| value.clone().into());
    }
    let change = Change::read(visit, &body, path)?;
    let sha = change.sha.clone().ok_or_else(|| not_supplied("sha"))?;
    let head = head(visit, &change.branch)?;
    let git = &visit.repository().git;
    let tree = head.and_then(|head| git.commit(head)).map(|commit| commit.tree).ok_or_else(not_found)?;
    let entry = git.find(tree, path).ok_or_else(not_found)?;
    if entry.id.to_string() != sha {
        return Err(Refusal::new(409, format!("{path} does not match {sha}")));
    }
    let commit = carry_out(visit, &change, head, None)?;
    Ok(Given::json(200, &json!({ "content": null, "commit": commits::object(visit, commit) })))
}

/// Where the branch stood when the request came in. An empty repository has only the default branch to begin.
fn head(visit: &Visit<'_>, branch: &str) -> Result<Option<ObjectId>, Refusal> {
    let seen = visit.seen.iter().find(|(name, _)| name == branch).map(|(_, head)| *head);
    let repository = visit.repository();
    let begins = visit.seen.is_empty() && branch == repository.default_branch;
    match seen {
        Some(head) => Ok(Some(head)),
        None if begins => Ok(None),
        None => Err(Refusal::new(404, format!("Branch {branch} not found"))),
    }
}

fn carry_out(
    visit: &mut Visit<'_>,
    change: &Change,
    head: Option<ObjectId>,
    what: Option<(EntryMode, ObjectId)>,
) -> Result<ObjectId, Refusal> {
    let now = visit.now_ms();
    let repository = visit.repository_mut();
    let git = &repository.git;
    let before = head.and_then(|head| git.commit(head)).map(|commit| commit.tree);
    let tree = git.put(before, &change.path, what).map_err(|error| invalid(error.to_string()))?;
    let Signatures { author, committer } = change.signatures.clone();
    let parents = head.into_iter().collect();
    let commit = git.write_commit(tree, parents, author, committer, &change.message).map_err(broken)?;
    let moved = repository.set(&format!("refs/heads/{}", change.branch), head, Some(commit), now);
    moved.map_err(|at| {
        let word = |id: Option<ObjectId>| id.unwrap_or(ObjectId::null(gix::hash::Kind::Sha1)).to_string();
        head_moved(&word(at), &word(head))
    })?;
    Ok(commit)
}

fn check_path(path: &str) -> Result<(), Refusal> {
    if path.starts_with('/') {
        return Err(invalid("path cannot start with a slash"));
    }
    let is_fine = |part: &str| !part.is_empty() && !matches!(part, "." | "..") && !part.eq_ignore_ascii_case(".git");
    if path.split('/').all(is_fine) { Ok(()) } else { Err(invalid("path contains a malformed path component")) }
}

/// Workflow files need a right of their own.
pub(super) fn check_workflow(visit: &Visit<'_>, path: &str) -> Result<(), Refusal> {
    let Some(token) = visit.caller else { return Ok(()) };
    let is_allowed =
        token.rights.get(&visit.id).is_some_and(|rights| rights.0.get(&Permission::Workflows) == Some(&Level::Write));
    if is_allowed || !path.starts_with(".github/workflows/") {
        return Ok(());
    }
    let holder = if token.kind == Kind::Personal { "personal access token" } else { "integration" };
    Err(Refusal::new(403, format!("Resource not accessible by {holder}"))
        .header("x-accepted-github-permissions", "contents=write; contents=write,workflows=write"))
}

pub(super) fn broken(error: anyhow::Error) -> Refusal {
    Refusal::new(500, format!("Server Error: {error}"))
}

/// 409 of the git database while there is no commit.
pub(super) fn check_not_empty(visit: &Visit<'_>) -> Result<(), Refusal> {
    if visit.repository().git.is_empty() { Err(empty_repository()) } else { Ok(()) }
}
