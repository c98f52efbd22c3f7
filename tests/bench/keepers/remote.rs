//! A git remote over HTTP, beside a bare `git push` of a commit that lies ready, to another branch of the same server.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use base64::Engine;
use pager_answers::{BareRepository, Credentials, Keeper, KeeperSettings, RemoteRepository};
use pager_tests::git_http::{GitHttp, PASSWORD, USER};

use super::answer::{answer, save};
use super::arguments::Arguments;
use super::figures::{Row, Times};

/// One row.
pub async fn rows(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir_in(&arguments.folder)?;
    let server = GitHttp::start();
    let settings = KeeperSettings {
        credentials: Credentials { user: Some(USER.to_owned()), token: Some(PASSWORD.to_owned().into()) },
        clones: folder.path().join("clones"),
        ..KeeperSettings::local(format!("git+{}", server.url()), "main")
    };
    let keeper = RemoteRepository::open(&settings).await?;
    let ready = folder.path().join("ready.git");
    let local = BareRepository::open(&ready, "main")?;
    let (mut own, mut floors) = (Times::default(), Times::default());
    for round in 0..arguments.rounds {
        let answer = answer(&format!("one-{round}"))?;
        own.push(save(&keeper, vec![answer.clone()]).await?);
        save(&local, vec![answer]).await?;
        let commit = local.head().await?.context("a saved answer is in a commit")?;
        floors.push(push(&ready, &server, &commit)?);
    }
    Ok(vec![Row::of_times("save, git remote over HTTP", &own, "`git push` of a ready commit", &floors, "")])
}

/// Pushes with the password at hand, so that nothing is asked twice.
fn push(repository: &Path, server: &GitHttp, commit: &str) -> anyhow::Result<Duration> {
    let password = base64::engine::general_purpose::STANDARD.encode(format!("{USER}:{PASSWORD}"));
    let mut command = Command::new("git");
    command
        .arg("--git-dir")
        .arg(repository)
        .args(["push", "--quiet", &server.url(), &format!("{commit}:refs/heads/floor")])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "http.extraHeader")
        .env("GIT_CONFIG_VALUE_0", format!("Authorization: Basic {password}"));
    let began = Instant::now();
    let ended = command.output().context("there is no git program")?;
    let took = began.elapsed();
    ensure!(ended.status.success(), "git push: {}", String::from_utf8_lossy(&ended.stderr));
    Ok(took)
}
