//! A repository beside its objects: its names, who may see it, and how it looks in a reply.

use std::collections::BTreeMap;

use gix::ObjectId;
use serde_json::{Value, json};

use super::access::User;
use super::git::Git;

/// A repository.
#[derive(Debug)]
pub struct Repository {
    /// Its number.
    pub id: u64,
    /// Its owner.
    pub owner: User,
    /// Its name without the owner.
    pub name: String,
    /// Hidden from whoever has no right.
    pub is_private: bool,
    /// Such as `main`.
    pub default_branch: String,
    /// Full names it had before: they redirect.
    pub(super) former: Vec<String>,
    pub(super) is_gone: bool,
    pub(super) git: Git,
    pub(super) variables: BTreeMap<String, String>,
    /// The encrypted values of secrets.
    pub(super) secrets: BTreeMap<String, String>,
    /// How far reads by branch lag behind, milliseconds.
    pub(super) lag_ms: i64,
    /// Where branches stood before each move by the API: when, which, what.
    pub(super) moves: Vec<(i64, String, Option<ObjectId>)>,
}

impl Repository {
    /// `owner/name`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.owner.login, self.name)
    }

    pub(super) fn is_called(&self, full_name: &str) -> bool {
        self.full_name().eq_ignore_ascii_case(full_name)
    }

    /// Where a branch stands for a reader, which may be behind.
    pub(super) fn seen_head(&self, branch: &str, now_ms: i64) -> Option<ObjectId> {
        let unseen = self.moves.iter().find(|(at, moved, _)| moved == branch && *at > now_ms - self.lag_ms);
        match unseen {
            Some((_, _, before)) if self.lag_ms > 0 => *before,
            _ => self.git.head(branch),
        }
    }

    /// The commit that a branch, a reference or a full hash names for a reader.
    pub(super) fn commit_named(&self, name: &str, now_ms: i64) -> Option<ObjectId> {
        let short = name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("heads/")).unwrap_or(name);
        let by_branch = if short == "HEAD" { &self.default_branch } else { short };
        self.seen_head(by_branch, now_ms).or_else(|| {
            let id = hash(name)?;
            self.git.commit(id).map(|_| id)
        })
    }

    /// Moves a reference and remembers where it stood.
    pub(super) fn set(
        &mut self,
        name: &str,
        from: Option<ObjectId>,
        to: Option<ObjectId>,
        now_ms: i64,
    ) -> Result<(), Option<ObjectId>> {
        self.git.set(name, from, to)?;
        if let Some(branch) = name.strip_prefix("refs/heads/") {
            self.moves.push((now_ms, branch.to_owned(), from));
        }
        Ok(())
    }

    /// How it looks as a part of other things.
    pub(super) fn brief(&self, base_url: &str) -> Value {
        let (full, owner) = (self.full_name(), self.owner.value(base_url));
        json!({
            "id": self.id, "node_id": format!("R_{}", self.id), "name": self.name, "full_name": full, "owner": owner,
            "private": self.is_private, "html_url": format!("https://github.com/{full}"), "description": null,
            "fork": false, "url": format!("{base_url}/repos/{full}"), "default_branch": self.default_branch,
            "visibility": if self.is_private { "private" } else { "public" },
            "archived": false, "disabled": false,
        })
    }
}

/// A full object name.
pub(super) fn hash(text: &str) -> Option<ObjectId> {
    (text.len() == 40).then(|| ObjectId::from_hex(text.as_bytes()).ok()).flatten()
}
