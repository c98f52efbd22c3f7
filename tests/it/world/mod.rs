//! One pagerd with everything around it, for one test: a folder, tokens, a fake Telegram, the answers repository. Worlds
//! know nothing of each other, so tests may run side by side.

mod ageing;
mod chats;
mod cli;
mod daemon;
mod http;
mod programs;
mod proxy;
mod questions;
mod remote;
mod repository;
mod traces;
mod until;

use std::path::{Path, PathBuf};

use pager_tests::fake_telegram::{FORUM, FakeTelegram, OWNER, TOKEN};
use tempfile::TempDir;
use tokio::process::Child;

pub use chats::{GROUP, PLAIN};
pub use http::{Address, Caller, Reply, sent};
pub use programs::{Ended, Running, signal};
pub use questions::Shown;
pub use until::{PATIENCE, a_moment, until, within};

/// See above. What runs is killed when it is dropped, and the log printed when the test failed.
pub struct World {
    folder: TempDir,
    settings: Vec<(String, String)>,
    telegram: Option<FakeTelegram>,
    daemon: Option<Child>,
    /// Where pagerd listens.
    pub address: Address,
    /// The secret of the agent `tester`.
    pub agent_token: String,
    /// The secret of the owner `olga`.
    pub owner_token: String,
}

impl World {
    /// A pagerd that serves, without Telegram.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// The same with further settings.
    pub async fn start_with(settings: &[(&str, &str)]) -> Self {
        let mut world = Self::prepare(settings, None).await;
        world.serve().await;
        world
    }

    /// A pagerd that serves, with a fake Telegram. Neither side holds back for the sake of a budget.
    pub async fn with_telegram() -> Self {
        Self::with_telegram_and(&[]).await
    }

    /// The same with further settings, which win.
    pub async fn with_telegram_and(settings: &[(&str, &str)]) -> Self {
        let mut world = Self::prepare(settings, Some(FakeTelegram::start().await)).await;
        world.serve().await;
        world
    }

    /// A pagerd to which the fake Telegram sends updates, with this secret and further settings.
    pub async fn with_webhook_and(secret: &str, settings: &[(&str, &str)]) -> Self {
        let mut world = Self::prepare(settings, Some(FakeTelegram::start().await)).await;
        world.use_webhook(secret).await;
        world.serve().await;
        world
    }

    /// From the next start on updates are sent, not asked for.
    pub async fn use_webhook(&mut self, secret: &str) {
        self.telegram().be_kind_about_webhook_urls();
        let url = proxy::start(self.address.clone()).await;
        self.set("PAGER_TELEGRAM__MODE", "webhook");
        self.set("PAGER_TELEGRAM__WEBHOOK_SECRET", secret);
        self.set("PAGER_SERVER__PUBLIC_URL", &url);
    }

    /// A folder and tokens; nothing serves yet.
    pub async fn prepare(settings: &[(&str, &str)], telegram: Option<FakeTelegram>) -> Self {
        let mut world = Self::empty();
        if let Some(telegram) = &telegram {
            telegram.enforce_flood(false);
            let url = telegram.base_url();
            let (forum, owner) = (FORUM.to_string(), OWNER.to_string());
            world.set("PAGER_TELEGRAM__TOKEN", TOKEN);
            world.set("PAGER_TELEGRAM__CHAT_ID", &forum);
            world.set("PAGER_TELEGRAM__OWNERS", &owner);
            world.set("PAGER_TELEGRAM__API_URL", &url);
            world.set("PAGER_TELEGRAM__GROUP_BUDGET_PER_MINUTE", "6000");
        }
        world.telegram = telegram;
        for (name, value) in settings {
            world.set(name, value);
        }
        world.agent_token = world.new_token("agent", "tester").await;
        world.owner_token = world.new_token("owner", "olga").await;
        world
    }

    /// A folder alone: no store, no tokens.
    pub fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            settings: Vec::new(),
            telegram: None,
            daemon: None,
            address: Address::default(),
            agent_token: String::new(),
            owner_token: String::new(),
        }
    }

    /// Sets a variable for every pagerd that is started from here on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|(other, _)| other != name);
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// Takes a variable away from every pagerd that is started from here on.
    pub fn unset(&mut self, name: &str) {
        self.settings.retain(|(other, _)| other != name);
    }

    /// Makes a token and gives its secret.
    pub async fn new_token(&self, role: &str, name: &str) -> String {
        let ended = self.pagerd(&["token", "create", "--role", role, "--name", name]).await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.output.trim().to_owned()
    }

    /// The fake Telegram.
    pub fn telegram(&self) -> &FakeTelegram {
        self.telegram.as_ref().expect("this world has a Telegram")
    }

    /// The folder that everything of this world lies in; the home folder of its programs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// pagerd's data folder.
    pub fn data_dir(&self) -> PathBuf {
        self.folder().join("data")
    }

    /// The agent, over HTTP.
    pub fn agent(&self) -> Caller {
        self.caller(&self.agent_token)
    }

    /// The owner, over HTTP.
    pub fn owner(&self) -> Caller {
        self.caller(&self.owner_token)
    }

    /// Whoever has this token, over HTTP.
    pub fn caller(&self, token: &str) -> Caller {
        Caller::new(self.address.clone(), Some(token))
    }

    /// Somebody without a token, over HTTP.
    pub fn nobody(&self) -> Caller {
        Caller::new(self.address.clone(), None)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = self.log();
            let from = log.char_indices().rev().nth(20_000).map_or(0, |(index, _)| index);
            eprintln!("--- pagerd's log ---\n{}", &log[from..]);
        }
    }
}
