//! The real pagerd, as released, on a folder of its own.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use pager_tests::fake_telegram::{FORUM, FakeTelegram, OWNER, TOKEN};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection as _};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::connection::Connection;

const PATIENCE: Duration = Duration::from_secs(15);

/// A pagerd that serves. It is killed when this is dropped.
pub struct Daemon {
    child: Child,
    folder: TempDir,
    settings: Vec<(&'static str, String)>,
    /// `host:port`.
    pub address: String,
    /// The secret of an agent.
    pub agent_token: String,
    /// The secret of an owner.
    pub owner_token: String,
}

impl Daemon {
    /// Starts one on a new store, with or without a Telegram.
    pub async fn start(on: &Path, telegram: Option<&FakeTelegram>) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir_in(on).with_context(|| format!("{} cannot be written to", on.display()))?;
        let settings = telegram.map_or_else(Vec::new, settings_of);
        let agent_token = new_token(folder.path(), "agent").await?;
        let owner_token = new_token(folder.path(), "owner").await?;
        let ready = folder.path().join("ready");
        let child = command(folder.path(), &settings).env("PAGER_READY_FILE", &ready).spawn()?;
        let began = Instant::now();
        let address = loop {
            match std::fs::read_to_string(&ready) {
                Ok(address) => break address,
                Err(_) if began.elapsed() < PATIENCE => tokio::time::sleep(Duration::from_millis(1)).await,
                Err(_) => anyhow::bail!("pagerd did not start within {PATIENCE:?}"),
            }
        };
        Ok(Self { child, folder, settings, address, agent_token, owner_token })
    }

    /// Kills it and starts it again at the same address: how long until it accepts a connection.
    pub async fn restart(&mut self) -> anyhow::Result<Duration> {
        self.child.kill().await?;
        let mut command = command(self.folder.path(), &self.settings);
        command.env("PAGER_SERVER__LISTEN", &self.address);
        let began = Instant::now();
        self.child = command.spawn()?;
        while TcpStream::connect(&self.address).await.is_err() {
            ensure!(began.elapsed() < PATIENCE, "pagerd did not start again within {PATIENCE:?}");
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        Ok(began.elapsed())
    }

    /// Connects the agent.
    pub async fn agent(&self) -> anyhow::Result<Connection> {
        Connection::open(&self.address, &self.agent_token).await
    }

    /// Connects the owner.
    pub async fn owner(&self) -> anyhow::Result<Connection> {
        Connection::open(&self.address, &self.owner_token).await
    }

    /// `ask` as the agent.
    pub fn ask(&self, arguments: &[&str]) -> anyhow::Result<Command> {
        let mut command = Command::new(program("ask")?);
        command.env_clear().env("HOME", self.folder.path()).args(arguments);
        command.env("ASK_URL", format!("http://{}", self.address)).env("ASK_TOKEN", &self.agent_token);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        Ok(command)
    }

    /// Its process id.
    pub fn process(&self) -> anyhow::Result<u32> {
        self.child.id().context("pagerd has ended")
    }

    /// The file of its store.
    pub fn store(&self) -> PathBuf {
        self.folder.path().join("data/pager.sqlite")
    }

    /// A connection to that file beside the daemon's own.
    pub async fn open_store(&self) -> anyhow::Result<SqliteConnection> {
        let options = SqliteConnectOptions::new().filename(self.store()).busy_timeout(PATIENCE).disable_statement_logging();
        Ok(SqliteConnection::connect_with(&options).await?)
    }
}

/// The path of a released program.
///
/// # Errors
/// When it was not built.
pub fn program(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::parent).context("the benchmark lies in no folder of cargo's")?;
    let path = folder.join(name);
    ensure!(path.exists(), "{} is not there: run `cargo build --release -p pager-worker -p pager-scripts` first", path.display());
    Ok(path)
}

fn command(folder: &Path, settings: &[(&'static str, String)]) -> Command {
    let mut command = Command::new(program("pagerd").unwrap_or_else(|_| PathBuf::from("pagerd")));
    command
        .env_clear()
        .env("HOME", folder)
        .env("PAGER_LOG", "error")
        .env("PAGER_DATA_DIR", folder.join("data"))
        .env("PAGER_SERVER__LISTEN", "127.0.0.1:0")
        // One agent asks for all.
        .env("PAGER_LIMITS__RECORDS", "0")
        .env("PAGER_LIMITS__BYTES", "0")
        // Some rows wait for one.
        .env("PAGER_DEADLINE__MIN", "1s")
        .envs(settings.iter().map(|(name, value)| (*name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Neither side holds back for the sake of a budget.
fn settings_of(telegram: &FakeTelegram) -> Vec<(&'static str, String)> {
    telegram.enforce_flood(false);
    vec![
        ("PAGER_TELEGRAM__TOKEN", TOKEN.to_owned()),
        ("PAGER_TELEGRAM__CHAT_ID", FORUM.to_string()),
        ("PAGER_TELEGRAM__OWNERS", OWNER.to_string()),
        ("PAGER_TELEGRAM__API_URL", telegram.base_url()),
        ("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "600000".to_owned()),
    ]
}

async fn new_token(folder: &Path, role: &str) -> anyhow::Result<String> {
    program("pagerd")?;
    let mut command = command(folder, &[]);
    let made = command.args(["token", "create", "--role", role, "--name", role]).stdout(Stdio::piped()).output().await?;
    ensure!(made.status.success(), "pagerd made no token: {}", String::from_utf8_lossy(&made.stderr));
    Ok(String::from_utf8(made.stdout)?.trim().to_owned())
}
