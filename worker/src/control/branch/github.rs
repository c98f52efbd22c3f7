//! The branch on GitHub, by its API: a look that finds nothing new costs no quota.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::http::Method;
use base64::{Engine, engine::general_purpose::STANDARD};
use pager_answers::github::{Call, GitHub, Reply, RepositoryName};
use serde_json::{Value, json};

use super::source::{Found, Look, Source, Trouble};
use super::tidying::{README, message};
use super::{BRANCH, EVENTS, REFUSED};

/// A look at a branch that is not there costs quota: four a minute leave enough of it.
const WHILE_MISSING: Duration = Duration::from_secs(15);
/// GitHub asks for a second between calls that make something.
const BETWEEN: Duration = Duration::from_secs(1);

/// The branch of a repository on GitHub.
pub struct GitHubBranch {
    github: Arc<GitHub>,
    repository: RepositoryName,
}

impl GitHubBranch {
    /// The branch of this repository.
    pub fn new(github: Arc<GitHub>, repository: RepositoryName) -> Self {
        Self { github, repository }
    }

    async fn call(&self, method: Method, path: &str) -> Result<Reply, Trouble> {
        Ok(self.github.call(&self.repository, Call::new(method, self.route(path))).await?)
    }

    async fn make(&self, method: Method, path: &str, body: Value) -> Result<Reply, Trouble> {
        let call = Call::new(method, self.route(path)).body(body);
        Ok(self.github.call(&self.repository, call).await?)
    }

    fn route(&self, path: &str) -> String {
        format!("{}/{path}", self.repository.route())
    }

    /// What lies in one folder, or in the top one of a commit. Half a list would pass for files that were taken away.
    async fn folder(&self, sha: &str) -> Result<Vec<Value>, Trouble> {
        let listed = done(self.call(Method::GET, &format!("git/trees/{sha}")).await?)?.json();
        if listed["truncated"] == true {
            return Err(Trouble::failed("GitHub lists a folder of the branch of events in part only; remove files from it"));
        }
        listed["tree"].as_array().cloned().ok_or_else(|| unreadable("list of files"))
    }
}

#[async_trait]
impl Source for GitHubBranch {
    async fn look(&self, known: Option<&str>) -> Result<Look, Trouble> {
        let call = Call::get(self.route(&format!("commits/{BRANCH}"))).accept("application/vnd.github.sha");
        let call = match known {
            Some(known) => call.unless(format!("\"{known}\"")),
            None => call,
        };
        let reply = self.github.call(&self.repository, call).await?;
        let is_missing = match reply.status {
            422 => reply.body.contains("No commit found"),
            409 => reply.body.contains("epository is empty"),
            _ => false,
        };
        if reply.is_unchanged() {
            return Ok(Look::Unchanged);
        }
        if is_missing {
            return Ok(Look::Missing);
        }
        let commit = sha(done(reply)?.body.trim())?;
        Ok(if Some(commit.as_str()) == known { Look::Unchanged } else { Look::At(commit) })
    }

    async fn files(&self, at: &str) -> Result<Vec<Found>, Trouble> {
        let top = self.folder(at).await?;
        let Some(events) = top.iter().find(|entry| entry["path"] == EVENTS && entry["type"] == "tree") else {
            return Ok(Vec::new());
        };
        let entries = self.folder(&sha(events["sha"].as_str().unwrap_or_default())?).await?;
        let found = entries.iter().filter(|entry| entry["type"] == "blob").filter_map(|entry| {
            let (name, content) = (entry["path"].as_str()?.to_owned(), entry["sha"].as_str()?.to_owned());
            Some(Found { name, content, size: entry["size"].as_u64().unwrap_or_default() })
        });
        Ok(found.collect())
    }

    async fn read(&self, _at: &str, file: &Found) -> Result<Vec<u8>, Trouble> {
        // In base64: a file may hold anything, also what is no text.
        let blob = done(self.call(Method::GET, &format!("git/blobs/{}", file.content)).await?)?.json();
        let content: String = blob["content"].as_str().unwrap_or_default().split_ascii_whitespace().collect();
        let bytes = STANDARD.decode(content).ok().filter(|_| blob["encoding"] == "base64");
        bytes.ok_or_else(|| unreadable("file"))
    }

    async fn tidy(&self, at: &str, handled: &[Found], refused: &[Found]) -> Result<String, Trouble> {
        let commit = done(self.call(Method::GET, &format!("git/commits/{at}")).await?)?.json();
        // A name that is none must not become a commit upon nothing: whatever else lies on the branch would be gone.
        let base = sha(commit["tree"]["sha"].as_str().unwrap_or_default())?;
        let path = |folder: &str, file: &Found| format!("{folder}/{}", file.name);
        let entry = |path: String, sha: Value| json!({"path": path, "mode": "100644", "type": "blob", "sha": sha});
        let mut entries: Vec<Value> = handled.iter().map(|file| entry(path(EVENTS, file), Value::Null)).collect();
        for file in refused {
            entries.push(entry(path(EVENTS, file), Value::Null));
            entries.push(entry(path(REFUSED, file), file.content.as_str().into()));
        }
        entries.push(json!({"path": "README.md", "mode": "100644", "type": "blob", "content": README}));
        let tree = json!({"base_tree": base, "tree": entries});
        let tree = done(self.make(Method::POST, "git/trees", tree).await?)?.json();
        let tree = sha(tree["sha"].as_str().unwrap_or_default())?;
        tokio::time::sleep(BETWEEN).await;
        let message = message(handled.len(), refused.len());
        let commit = json!({"message": message, "tree": tree, "parents": [at]});
        let commit = done(self.make(Method::POST, "git/commits", commit).await?)?.json();
        tokio::time::sleep(BETWEEN).await;
        let id = sha(commit["sha"].as_str().unwrap_or_default())?;
        let moved = json!({"sha": id, "force": false});
        let reply = self.make(Method::PATCH, &format!("git/refs/heads/{BRANCH}"), moved).await?;
        // Not forced, so it moves only when nobody else moved it.
        let is_raced = reply.status == 409 || (reply.status == 422 && reply.body.contains("fast forward"));
        if is_raced {
            return Err(Trouble::Raced);
        }
        done(reply)?;
        Ok(id)
    }

    fn pause_while_missing(&self) -> Duration {
        WHILE_MISSING
    }
}

/// The name of a commit or a tree.
fn sha(text: &str) -> Result<String, Trouble> {
    let is_one = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_one { Ok(text.to_owned()) } else { Err(unreadable("name of a commit")) }
}

fn unreadable(what: &str) -> Trouble {
    Trouble::failed(format!("GitHub gave a {what} of the branch of events in a form that is not known"))
}

fn done(reply: Reply) -> Result<Reply, Trouble> {
    if reply.is_success() { Ok(reply) } else { Err(reply.failure().into()) }
}
