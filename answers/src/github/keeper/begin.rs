//! Makes the branch of answers where there is none. It begins with a README of its own and no history of any other
//! branch: whatever else the repository holds is none of its business, and no code comes along with the answers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gix::ObjectId;
use http::Method;
use serde_json::json;

use super::commit::{make, written};
use super::line::Line;
use super::verdict::Verdict;
use super::watch::{Head, undecodable};
use crate::github::{Call, Failure};
use crate::objects::commit::README;

/// The message of a branch's first commit.
const BEGINNING: &str = "begin to keep answers";

/// Makes it. The commit it stands at; None when somebody else made it meanwhile.
pub(super) async fn branch(line: &Line, branch: &str, head: Head) -> Result<Option<ObjectId>, Verdict> {
    if head == Head::Empty {
        // The git database takes nothing before there is a commit, and only the default branch can have the first one.
        let first = first_commit(line).await?;
        let is_wanted = default_branch(line).await? == branch;
        if is_wanted {
            return Ok(first);
        }
    }
    let tree = json!({ "tree": [{ "path": "README.md", "mode": "100644", "type": "blob", "content": README }] });
    let tree = make(line, "/git/trees", tree).await?;
    let commit = json!({ "message": BEGINNING, "tree": tree.to_string(), "parents": [] });
    let commit = make(line, "/git/commits", commit).await?;
    let body = json!({ "ref": format!("refs/heads/{branch}"), "sha": commit.to_string() });
    match line.write(Call::new(Method::POST, line.route("/git/refs")).body(body)).await {
        Ok(_) => Ok(Some(commit)),
        Err(Failure::Refused { reason, .. }) if reason.contains("already exists") => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

async fn first_commit(line: &Line) -> Result<Option<ObjectId>, Verdict> {
    let body = json!({ "message": BEGINNING, "content": STANDARD.encode(README) });
    let call = Call::new(Method::PUT, line.route("/contents/README.md")).body(body);
    match line.write(call).await.map_err(Verdict::from) {
        Ok(reply) => {
            let commit = written(reply.json().get("commit")).ok_or_else(|| undecodable("the first commit"))?;
            Ok(Some(commit.commit))
        }
        // Somebody else began it.
        Err(Verdict::There) => Ok(None),
        Err(verdict) => Err(verdict),
    }
}

async fn default_branch(line: &Line) -> Result<String, Verdict> {
    let reply = line.read(Call::get(line.route(""))).await?;
    if !reply.is_success() {
        return Err(reply.failure().into());
    }
    let name = reply.json().get("default_branch").and_then(|name| name.as_str().map(str::to_owned));
    Ok(name.ok_or_else(|| undecodable("the repository"))?)
}
