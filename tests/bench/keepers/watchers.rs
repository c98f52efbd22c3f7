//! Those who look at GitHub while nothing happens: the real programs, as released, against a fake.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use pager_tests::fake_github::{FakeGitHub, Rights, Visibility};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// The repository that events are pushed to.
pub const CONTROL: &str = "me/control";
/// The branch of events.
pub const EVENTS: &str = "pager-events";
const ANSWERS: &str = "me/answers";
const PATIENCE: Duration = Duration::from_secs(30);

/// A program that runs, and its own GitHub. Killed when this is dropped.
pub struct Watcher {
    fake: FakeGitHub,
    _child: Child,
    _folder: TempDir,
}

impl Watcher {
    /// A pagerd that keeps its answers on GitHub and takes its events from a branch there.
    pub async fn pagerd(on: &Path, fake: FakeGitHub) -> anyhow::Result<Self> {
        let token = fake.add_token("pager", &[(CONTROL, Rights::write()), (ANSWERS, Rights::write())]);
        let folder = tempfile::tempdir_in(on)?;
        let mut command = Command::new(program("pagerd")?);
        command
            .env_clear()
            .env("HOME", folder.path())
            .env("PAGER_LOG", "error")
            .env("PAGER_DATA_DIR", folder.path().join("data"))
            .env("PAGER_SERVER__LISTEN", "127.0.0.1:0")
            .env("PAGER_GITHUB__API_URL", fake.base_url())
            .env("PAGER_GITHUB__TOKEN", token)
            .env("PAGER_ANSWERS__URL", format!("github:{ANSWERS}"))
            .env("PAGER_CONTROL__REPO", CONTROL)
            .env("PAGER_CONTROL__INBOX", "branch");
        Self::start(command, fake, folder)
    }

    /// An `ask` that waits for an answer, with all its times divided so that it looks first after this one.
    pub fn ask(on: &Path, fake: FakeGitHub, look_every: Duration) -> anyhow::Result<Self> {
        let sends = fake.add_token("robot", &[(CONTROL, Rights::write())]);
        let reads = fake.add_token("robot", &[(ANSWERS, Rights::read())]);
        let folder = tempfile::tempdir_in(on)?;
        let mut command = Command::new(program("ask")?);
        command
            .env_clear()
            .env("HOME", folder.path())
            .env("ASK_GITHUB_API", fake.base_url())
            .env("ASK_CONTROL", CONTROL)
            .env("ASK_ANSWERS", ANSWERS)
            .env("GH_TOKEN", sends)
            .env("ASK_ANSWERS_TOKEN", reads)
            .args(["--look-every", &look_every.as_millis().to_string(), "wait", "rel-42", "--timeout", "0"]);
        Self::start(command, fake, folder)
    }

    fn start(mut command: Command, fake: FakeGitHub, folder: TempDir) -> anyhow::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        Ok(Self { fake, _child: command.spawn()?, _folder: folder })
    }

    /// Waits until it looked at a branch so often.
    pub async fn looks(&self, repository: &str, branch: &str, times: usize) -> anyhow::Result<()> {
        let path = format!("/repos/{repository}/commits/{branch}");
        let began = Instant::now();
        while self.fake.calls_of("GET", &path).len() < times {
            ensure!(began.elapsed() < PATIENCE, "{branch} was not looked at: {:#?}", self.fake.calls());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// The requests so far: all, and those that cost quota.
    pub fn requests(&self) -> (usize, usize) {
        let calls = self.fake.calls();
        (calls.len(), calls.iter().filter(|call| call.is_counted).count())
    }
}

/// A fake with both repositories.
pub async fn hub() -> FakeGitHub {
    let fake = FakeGitHub::start().await;
    fake.add_repository(CONTROL, Visibility::Private);
    fake.add_repository(ANSWERS, Visibility::Private);
    fake
}

fn program(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::parent).context("the benchmark lies in no folder of cargo's")?;
    let path = folder.join(name);
    ensure!(path.exists(), "{} is not there: run `cargo build --release -p pager-worker -p pager-scripts` first", path.display());
    Ok(path)
}
