//! Writes: one file by PUT contents, which creates only; several by the git database, where moving the branch is
//! compare-and-set. Neither sends an author or committer, so that GitHub signs what its App writes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gix::ObjectId;
use http::Method;
use serde_json::{Value, json};

use super::contents::Contents;
use super::line::Line;
use super::load::id;
use super::saver::New;
use super::verdict::Verdict;
use super::watch::{Written, undecodable};
use crate::github::{Call, Reply, segment};
use crate::objects::commit::message;
use crate::{AnswerPath, SaveOutcome};

/// The writes of one commit by the git database: tree, commit, branch.
const WRITES_OF_A_COMMIT: usize = 3;

/// See above.
pub(super) struct Committer<'a> {
    pub(super) line: &'a Line,
    pub(super) branch: &'a str,
}

impl Committer<'_> {
    /// Creates one answer.
    pub(super) async fn create(&self, new: &New) -> Result<Written, Verdict> {
        let body = json!({
            "message": message(&[&*new.file]).trim_end(),
            "content": STANDARD.encode(&new.file.bytes),
            "branch": self.branch,
        });
        let path = self.line.route(&format!("/contents/{}", segment(&new.file.path.to_string())));
        let reply = self.line.write(Call::new(Method::PUT, path).body(body)).await?.json();
        let written = written(reply.get("commit")).filter(|_| id(reply.pointer("/content/sha")) == Some(new.blob));
        Ok(written.ok_or_else(|| undecodable("an answer that it was given"))?)
    }

    /// Adds several answers to what `base` has, in one commit.
    pub(super) async fn commit_all(&self, base: &Contents, new: &[New]) -> Result<Written, Verdict> {
        let mut entries = Vec::with_capacity(new.len());
        for New { file, .. } in new {
            let mut entry = json!({ "path": file.path.to_string(), "mode": "100644", "type": "blob" });
            match std::str::from_utf8(&file.bytes) {
                Ok(text) => entry["content"] = text.into(),
                Err(_) => entry["sha"] = self.blob(&file.bytes).await?.to_string().into(),
            }
            entries.push(entry);
        }
        let files: Vec<_> = new.iter().map(|new| &*new.file).collect();
        self.commit(base, entries, message(&files).trim_end()).await
    }

    /// Moves these answers of `base` to their places in the archive, in one commit.
    pub(super) async fn archive(&self, base: &Contents, moved: &[(AnswerPath, ObjectId)]) -> Result<Written, Verdict> {
        let file = |path: String, blob: Value| json!({ "path": path, "mode": "100644", "type": "blob", "sha": blob });
        let entries = moved.iter().flat_map(|(path, blob)| {
            let there = base.archived(path).is_none().then(|| file(path.archived(), blob.to_string().into()));
            there.into_iter().chain([file(path.to_string(), Value::Null)])
        });
        self.commit(base, entries.collect(), &format!("archive {} answers", moved.len())).await
    }

    /// Makes a commit that has what `base` has.
    pub(super) async fn prove(&self, base: &Contents) -> Result<Written, Verdict> {
        self.commit_tree(base, base.root, "check that answers can be saved").await
    }

    /// What the branch has at a path, read there: these bytes, others, or nothing.
    pub(super) async fn find(&self, path: &AnswerPath, blob: ObjectId) -> Result<Option<SaveOutcome>, Verdict> {
        let file = segment(&path.to_string());
        let branch = segment(self.branch);
        let reply = self.line.read(Call::get(self.line.route(&format!("/contents/{file}?ref={branch}")))).await?;
        if reply.is_absent() {
            return Ok(None);
        }
        let there = id(expect(reply)?.get("sha")).ok_or_else(|| undecodable("a file"))?;
        if there != blob {
            return Ok(Some(SaveOutcome::Taken));
        }
        let history = format!("/commits?sha={branch}&path={file}&per_page=1");
        let newest = expect(self.line.read(Call::get(self.line.route(&history))).await?)?;
        let commit = id(newest.pointer("/0/sha")).ok_or_else(|| undecodable("the history of a file"))?;
        Ok(Some(SaveOutcome::Saved { commit: commit.to_string() }))
    }

    pub(super) async fn commit(&self, base: &Contents, entries: Vec<Value>, words: &str) -> Result<Written, Verdict> {
        self.line.room_for(WRITES_OF_A_COMMIT)?;
        let tree = json!({ "base_tree": base.root.to_string(), "tree": entries });
        let tree = self.made("/git/trees", tree).await?;
        self.commit_tree(base, tree, words).await
    }

    /// Moves the branch from `base` to a commit of this tree.
    async fn commit_tree(&self, base: &Contents, tree: ObjectId, words: &str) -> Result<Written, Verdict> {
        let commit = json!({ "message": words, "tree": tree.to_string(), "parents": [base.commit.to_string()] });
        let commit = self.made("/git/commits", commit).await?;
        let path = self.line.route(&format!("/git/refs/{}", segment(&format!("heads/{}", self.branch))));
        let body = json!({ "sha": commit.to_string(), "force": false });
        let reply = self.line.write(Call::new(Method::PATCH, path).body(body)).await?.json();
        if id(reply.pointer("/object/sha")) != Some(commit) {
            return Err(undecodable("the branch that it was to move").into());
        }
        Ok(Written { commit, tree, parent: Some(base.commit) })
    }

    async fn blob(&self, bytes: &[u8]) -> Result<ObjectId, Verdict> {
        self.made("/git/blobs", json!({ "content": STANDARD.encode(bytes), "encoding": "base64" })).await
    }

    /// Makes an object, which nothing names yet.
    async fn made(&self, rest: &str, body: Value) -> Result<ObjectId, Verdict> {
        make(self.line, rest, body).await
    }
}

/// Makes an object of the git database. As long as no branch names it, nobody sees it.
pub(super) async fn make(line: &Line, rest: &str, body: Value) -> Result<ObjectId, Verdict> {
    let reply = line.write(Call::new(Method::POST, line.route(rest)).body(body)).await?.json();
    Ok(id(reply.get("sha")).ok_or_else(|| undecodable("an object that it was given"))?)
}

/// A commit as GitHub shows it.
pub(super) fn written(commit: Option<&Value>) -> Option<Written> {
    let commit = commit?;
    Some(Written {
        commit: id(commit.get("sha"))?,
        tree: id(commit.pointer("/tree/sha"))?,
        parent: id(commit.pointer("/parents/0/sha")),
    })
}

fn expect(reply: Reply) -> Result<Value, Verdict> {
    if reply.is_success() { Ok(reply.json()) } else { Err(reply.failure().into()) }
}
