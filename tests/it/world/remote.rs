//! A pagerd whose answers go to a git remote.

use pager_tests::git_http::{GitHttp, PASSWORD, USER};

use super::World;

impl World {
    /// A pagerd that serves, without Telegram, with its answers in this server's repository.
    pub async fn start_with_git(git: &GitHttp) -> Self {
        let url = format!("git+{}", git.url());
        Self::start_with(&[("PAGER_ANSWERS__URL", &url), ("PAGER_ANSWERS__USER", USER), ("PAGER_ANSWERS__TOKEN", PASSWORD)]).await
    }
}
