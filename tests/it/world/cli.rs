//! `ask`, the command line tool, as scripts run it.

use tokio::process::Command;

use super::World;
use super::programs::{Ended, Running, program};

impl World {
    /// `ask` with nothing of the machine's settings.
    pub fn ask_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program("ask"));
        command.env_clear().env("HOME", self.folder()).args(arguments);
        command
    }

    /// The folder with the programs of this workspace.
    pub fn programs() -> std::path::PathBuf {
        program("ask").parent().unwrap().to_owned()
    }

    /// Starts `ask` as the agent.
    pub fn start_ask(&self, arguments: &[&str]) -> Running {
        let mut command = self.ask_command(arguments);
        Running::start(command.env("ASK_URL", self.address.url()).env("ASK_TOKEN", &self.agent_token))
    }

    /// Runs `ask` as the agent to its end.
    pub async fn ask(&self, arguments: &[&str]) -> Ended {
        self.start_ask(arguments).end().await
    }

    /// Runs `ask` as the owner to its end.
    pub async fn ask_as_owner(&self, arguments: &[&str]) -> Ended {
        self.ask_with(&self.owner_token, arguments).await
    }

    /// Runs `ask` with this token to its end.
    pub async fn ask_with(&self, token: &str, arguments: &[&str]) -> Ended {
        let mut command = self.ask_command(arguments);
        Running::start(command.env("ASK_URL", self.address.url()).env("ASK_TOKEN", token)).end().await
    }
}
