//! The branch in any git repository, without GitHub.

use std::path::Path;
use std::process::Command;

use pager_tests::git_http::GitHttp;
use serde_json::Value;

use super::{BRANCH, ask, degraded, ids, in_state, path, withdraw};
use crate::world::{World, until};

/// A repository, an agent's clone of it, and a pagerd that watches its branch.
struct Inbox {
    world: World,
    server: GitHttp,
}

impl Inbox {
    async fn start(settings: &[(&str, &str)]) -> Self {
        let server = GitHttp::start();
        let mut world = World::prepare(settings, None).await;
        world.set("PAGER_CONTROL__INBOX", "branch");
        world.set("PAGER_CONTROL__INBOX_URL", &format!("git+file:{}", server.repository().display()));
        world.serve().await;
        Self { world, server }
    }

    /// An agent pushes an event.
    fn push(&self, number: u32, body: &Value) {
        let clone = self.world.folder().join("clone");
        if !clone.exists() {
            std::fs::create_dir(&clone).unwrap();
            git(&clone, &["init", "--quiet", "--initial-branch", BRANCH]);
            git(&clone, &["remote", "add", "origin", self.server.repository().to_str().unwrap()]);
        } else {
            git(&clone, &["fetch", "--quiet", "origin", BRANCH]);
            git(&clone, &["reset", "--quiet", "--hard", "FETCH_HEAD"]);
        }
        let file = clone.join(path(number));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, body.to_string()).unwrap();
        git(&clone, &["add", "."]);
        git(&clone, &["commit", "--quiet", "--message", "event"]);
        git(&clone, &["push", "--quiet", "origin", &format!("HEAD:refs/heads/{BRANCH}")]);
    }

    fn files(&self) -> Vec<String> {
        let listing = self.server.git(&["ls-tree", "-r", "--name-only", BRANCH]);
        listing.lines().map(str::to_owned).collect()
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=ci", "-c", "user.email=ci@example.org"]).args(arguments);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn a_question_and_its_withdrawal_come_through_a_branch_of_any_git_repository() {
    let inbox = Inbox::start(&[]).await;
    assert_eq!(degraded(&inbox.world).await, "[]", "a branch that is not there yet is no trouble");
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-1", "open").await;
    inbox.push(2, &withdraw("rel-1", "2026-11-30T13:01:00Z"));
    in_state(&inbox.world, "rel-1", "withdrawn").await;
}

#[tokio::test]
async fn beside_maintainers_whoever_pushes_names_no_sender_and_one_that_is_named_has_to_be_listed() {
    let inbox = Inbox::start(&[("PAGER_CONTROL__MAINTAINERS", "7")]).await;
    let with = |id: &str, sender: u64| {
        let mut body = ask(id, "2026-11-30T13:00:00Z");
        body["sender"] = serde_json::json!({"id": sender});
        body
    };
    inbox.push(1, &with("rel-1", 9));
    inbox.push(2, &with("rel-2", 7));
    inbox.push(3, &ask("rel-3", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-3", "open").await;
    in_state(&inbox.world, "rel-2", "open").await;
    assert!(!ids(&inbox.world).await.contains(&"rel-1".to_owned()));
    assert!(inbox.world.log().contains("sender_not_allowed"));
}

#[tokio::test]
async fn what_was_taken_is_removed_in_one_commit_and_a_bad_file_moved_aside() {
    let inbox = Inbox::start(&[("PAGER_INBOX_TIDY_MILLIS", "1")]).await;
    inbox.push(1, &serde_json::json!({"type": "dance"}));
    inbox.push(2, &ask("rel-1", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-1", "open").await;
    let expected = vec!["README.md".to_owned(), path(1).replace("events/", "refused/")];
    until("the branch is tidied", async || (inbox.files() == expected).then_some(())).await;
    inbox.push(3, &ask("rel-2", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-2", "open").await;
    assert_eq!(ids(&inbox.world).await, ["rel-2", "rel-1"]);
}

#[tokio::test]
async fn a_repository_that_is_away_is_waited_for() {
    let mut inbox = Inbox::start(&[]).await;
    inbox.push(1, &ask("rel-1", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-1", "open").await;
    inbox.server.take_away();
    until("readyz tells of it", async || degraded(&inbox.world).await.contains("inbox: ").then_some(())).await;
    inbox.server.bring_back();
    inbox.push(2, &ask("rel-2", "2026-11-30T13:00:00Z"));
    in_state(&inbox.world, "rel-2", "open").await;
    inbox.world.restart().await;
    assert_eq!(ids(&inbox.world).await, ["rel-2", "rel-1"]);
}
