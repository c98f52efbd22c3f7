//! Branches as references.

use serde_json::{Value, json};

use super::{ANSWERS, Check};

const NOBODY: &str = "0123456789012345678901234567890123456789";

impl Check {
    /// A commit upon another one, on no branch yet.
    async fn commit_on(&self, parent: &str, text: &str) -> String {
        let tree =
            json!({ "base_tree": parent, "tree": [{ "path": "file", "mode": "100644", "type": "blob", "content": text }] });
        let tree = self.call("POST", "/git/trees", tree).await.json()["sha"].clone();
        let commit = self.call("POST", "/git/commits", json!({ "message": text, "tree": tree, "parents": [parent] })).await;
        commit.json()["sha"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_branch_moves_forward_only_unless_it_is_forced() {
    let check = Check::start().await;
    let base = check.head();
    let (one, other) = (check.commit_on(&base, "one").await, check.commit_on(&base, "other").await);
    let move_to =
        async |sha: &str, force: bool| check.call("PATCH", "/git/refs/heads/main", json!({ "sha": sha, "force": force })).await;
    assert_eq!(move_to(&one, false).await.status, 200);
    assert_eq!(move_to(&other, false).await.told(), "422 Update is not a fast forward");
    assert_eq!(check.head(), one);
    assert_eq!(move_to(NOBODY, false).await.told(), "422 Object does not exist");
    assert_eq!(move_to(&other, true).await.status, 200);
    assert_eq!(check.head(), other);
    check.assert_sound();
}

#[tokio::test]
async fn a_branch_is_made_once_read_and_deleted() {
    let check = Check::start().await;
    let head = check.head();
    let make = async |name: &str, sha: &str| check.call("POST", "/git/refs", json!({ "ref": name, "sha": sha })).await;
    assert_eq!(check.get("/git/ref/heads/pager-events").await.told(), "404 Not Found");
    assert_eq!(make("refs/heads/pager-events", &head).await.status, 201);
    assert_eq!(make("refs/heads/pager-events", &head).await.told(), "422 Reference already exists");
    assert_eq!(make("refs/heads/more", NOBODY).await.told(), "422 Object does not exist");
    assert_eq!(make("pager", &head).await.told(), "422 Reference name must start with 'refs/' and contain at least two slashes.");
    assert_eq!(check.get("/git/ref/heads/pager-events").await.json()["object"]["sha"], head.as_str());
    assert_eq!(check.send(check.of("DELETE", "/git/refs/heads/pager-events")).await.status, 204);
    let gone = check.send(check.of("DELETE", "/git/refs/heads/pager-events")).await;
    assert_eq!(gone.told(), "422 Reference does not exist");
    let moved = check.call("PATCH", "/git/refs/heads/pager-events", json!({ "sha": head })).await;
    assert_eq!(moved.told(), "422 Reference does not exist");
    let default = check.send(check.of("DELETE", "/git/refs/heads/main")).await;
    assert_eq!(default.told(), "422 Cannot delete the default branch");
}

#[tokio::test]
async fn a_push_by_git_itself_is_seen_at_once() {
    let check = Check::start().await;
    let work = tempfile::tempdir().unwrap();
    let origin = check.github.git_dir(ANSWERS).display().to_string();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let mut command = std::process::Command::new("git");
        let done = command.current_dir(work.path()).args(identity).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["clone", "-q", &origin, "."]);
    assert_eq!(check.put("by-api", "1").await.status, 201);
    git(&["pull", "-q"]);
    std::fs::write(work.path().join("by-git"), "2").unwrap();
    git(&["add", "."]);
    git(&["commit", "-qm", "by git"]);
    git(&["push", "-q", "origin", "main"]);
    assert_eq!(check.put("by-api-again", "3").await.status, 201);
    let files: Vec<_> = check.github.files(ANSWERS, "main").into_keys().collect();
    assert_eq!(files, ["README.md", "by-api", "by-api-again", "by-git"]);
    let shown: Value = check.get("/branches").await.json();
    assert_eq!(shown[0]["name"], "main");
    check.assert_sound();
}
