//! The way that a verb goes to pagerd: straight, or through places that both can reach. Nothing is connected here, and only
//! what the mode needs is made.

use std::sync::Arc;
use std::time::Duration;

use crate::client::Client;
use crate::distant::{Distant, Rhythm, UNIT};
use crate::failure::Failure;
use crate::git::Git;
use crate::github::GitHub;
use crate::settings::{GitHubSettings, GitSettings, Mode, Role, Settings, Sources};

/// Flags of every verb.
#[derive(Debug, clap::Args)]
pub struct Connection {
    /// pagerd's address, like http://127.0.0.1:7117
    #[arg(long, global = true, value_name = "URL")]
    pub url: Option<String>,
    /// The shortest pause between two looks in GitHub and git mode, in milliseconds; made for tests
    #[arg(long, global = true, hide = true)]
    look_every: Option<u64>,
}

/// A way to pagerd.
pub enum Door {
    /// HTTP to pagerd.
    Direct(Client),
    /// Events and files.
    Distant(Arc<dyn Distant>),
}

impl Door {
    /// The one that the settings choose, for an agent.
    ///
    /// # Errors
    /// Code 1, naming the setting.
    pub fn open(connection: &Connection) -> Result<Self, Failure> {
        let sources = Sources::of_process(connection.url.as_deref())?;
        Ok(match sources.mode() {
            Mode::Direct => Self::Direct(Client::new(Settings::of(&sources, Role::Agent)?)),
            Mode::GitHub => Self::Distant(Arc::new(GitHub::new(GitHubSettings::of(&sources)?))),
            Mode::Git => Self::Distant(Arc::new(Git::new(GitSettings::of(&sources)?))),
        })
    }
}

impl Connection {
    /// How often to look, where one has to.
    pub fn rhythm(&self) -> Rhythm {
        Rhythm::of(self.look_every.map_or(UNIT, Duration::from_millis))
    }
}
