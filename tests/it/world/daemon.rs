//! Starting, killing and restarting pagerd.

use std::fs::{File, OpenOptions};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::process::{Child, Command};

use super::World;
use super::programs::{Ended, Running, program, signal};
use super::until::{PATIENCE, until};

impl World {
    /// `pagerd` with this world's settings and nothing of the machine's.
    pub fn pagerd_command(&self) -> Command {
        let mut command = Command::new(program("pagerd"));
        command
            .env_clear()
            .current_dir(self.folder())
            .env("HOME", self.folder())
            .env("PAGER_DATA_DIR", self.data_dir())
            .env("PAGER_TIME_ZONE", "UTC")
            .env("PAGER_SERVER__LISTEN", "127.0.0.1:0")
            .envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// `pagerd` in this world's folder with none of its settings but the folder of its data.
    pub fn bare_pagerd_command(&self) -> Command {
        let mut command = Command::new(program("pagerd"));
        command.env_clear().current_dir(self.folder()).env("HOME", self.folder());
        command.env("PAGER_DATA_DIR", self.data_dir()).env("PAGER_SERVER__LISTEN", "127.0.0.1:0");
        command
    }

    /// Runs `pagerd` with arguments to its end.
    pub async fn pagerd(&self, arguments: &[&str]) -> Ended {
        Running::start(self.pagerd_command().args(arguments)).end().await
    }

    /// Starts `pagerd serve` and waits until it serves.
    pub async fn serve(&mut self) {
        self.serve_with(&[]).await;
    }

    /// The same with further variables.
    pub async fn serve_with(&mut self, variables: &[(&str, &str)]) {
        self.launch(variables).await;
        assert!(!self.has_crashed(), "pagerd ended instead of serving");
    }

    /// Starts it so that it dies at a crash point, which may lie before it serves.
    pub async fn serve_to_crash(&mut self, point: &str) {
        self.launch(&[("PAGER_CRASH", point)]).await;
    }

    /// The same at this address, where it was before.
    pub async fn serve_to_crash_at(&mut self, point: &str, address: &str) {
        self.launch(&[("PAGER_CRASH", point), ("PAGER_SERVER__LISTEN", address)]).await;
    }

    async fn launch(&mut self, variables: &[(&str, &str)]) {
        let ready = self.folder().join("ready");
        let _ = std::fs::remove_file(&ready);
        let mut command = self.pagerd_command();
        command.arg("serve").env("PAGER_READY_FILE", &ready).envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(self.log_file()).stderr(self.log_file()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let address = until("pagerd serves or ends", async || {
            let has_ended = child.try_wait().unwrap().is_some();
            let address = std::fs::read_to_string(&ready).ok();
            if has_ended { Some(address) } else { address.map(Some) }
        })
        .await;
        if let Some(address) = address {
            self.address.set(&address);
        }
        self.daemon = Some(child);
    }

    /// Starts it again at the address where it was before.
    pub async fn serve_at_the_same_address(&mut self) {
        let address = self.address.host();
        self.serve_with(&[("PAGER_SERVER__LISTEN", &address)]).await;
    }

    /// Ends it as a power cut would.
    pub async fn kill9(&mut self) {
        let mut child = self.daemon.take().expect("pagerd runs");
        child.kill().await.unwrap();
    }

    /// Waits until no call is under way whose outcome a death would leave unknown: Telegram has what the test saw there, and
    /// pagerd has stored that it has.
    pub async fn rests(&self) {
        until("no call to Telegram is under way", async || {
            let metrics = self.nobody().get("/metrics").await.text;
            (!metrics.contains("state=\"attempting\"")).then_some(())
        })
        .await;
    }

    /// Kills it between two calls and starts it again.
    pub async fn restart(&mut self) {
        self.rests().await;
        self.kill9().await;
        self.serve().await;
    }

    /// Sends SIGTERM and waits for the end; how long that took.
    pub async fn terminate(&mut self) -> (ExitStatus, Duration) {
        let mut child = self.daemon.take().expect("pagerd runs");
        let began = Instant::now();
        signal(child.id().expect("pagerd runs"), Signal::TERM);
        (ended(&mut child).await, began.elapsed())
    }

    /// Waits until it died by itself.
    pub async fn until_crashed(&mut self) {
        let mut child = self.daemon.take().expect("pagerd runs");
        let status = ended(&mut child).await;
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(6), "it ended with {status}");
    }

    /// Whether it died by itself; forgets it then.
    pub fn has_crashed(&mut self) -> bool {
        let crashed = self.daemon.as_mut().is_none_or(|child| child.try_wait().unwrap().is_some());
        if crashed {
            self.daemon = None;
        }
        crashed
    }

    /// Its process id.
    pub fn process(&self) -> u32 {
        self.daemon.as_ref().and_then(Child::id).expect("pagerd runs")
    }

    /// Everything it logged.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder().join("pagerd.log")).unwrap_or_default()).into_owned()
    }

    fn log_file(&self) -> File {
        OpenOptions::new().create(true).append(true).open(self.folder().join("pagerd.log")).unwrap()
    }
}

async fn ended(child: &mut Child) -> ExitStatus {
    tokio::time::timeout(PATIENCE, child.wait()).await.expect("pagerd came to no end").unwrap()
}
