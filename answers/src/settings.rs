//! What leads to a keeper: the settings `answers.*`, and for GitHub `github.*`.

use std::fmt;
use std::path::PathBuf;

use secrecy::SecretString;

use crate::github::{Access, RepositoryName};

/// Everything that [`open`](crate::open) needs. Printed, it shows neither the URL nor a secret: a URL may hold a password.
#[derive(Clone)]
pub struct KeeperSettings {
    /// `answers.url`
    pub url: String,
    /// `answers.branch`
    pub branch: String,
    /// `answers.user` and `answers.token`
    pub credentials: Credentials,
    /// `github.*`; None without a token and without an App.
    pub github: Option<Access>,
    /// A folder of pagerd's own for private clones of remote repositories; made when absent.
    pub clones: PathBuf,
    /// Whether a branch that is not there is begun on another machine. Whoever only looks leaves it as it is.
    pub begins: bool,
}

/// What a git remote is asked with. With neither, git's own helpers are asked.
#[derive(Clone, Default)]
pub struct Credentials {
    /// The user name.
    pub user: Option<String>,
    /// The password or token.
    pub token: Option<SecretString>,
}

impl KeeperSettings {
    /// For a bare repository on this machine.
    pub fn local(url: impl Into<String>, branch: impl Into<String>) -> Self {
        let (url, branch) = (url.into(), branch.into());
        Self { url, branch, credentials: Credentials::default(), github: None, clones: PathBuf::new(), begins: true }
    }
}

impl KeeperSettings {
    /// The repository on GitHub that the URL names; None when it names something else.
    pub fn github_repository(&self) -> Option<RepositoryName> {
        self.url.strip_prefix("github:")?.parse().ok()
    }
}

impl fmt::Debug for KeeperSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.url.split_once(':').map_or("", |(kind, _)| kind);
        formatter.debug_struct("KeeperSettings").field("kind", &kind).field("branch", &self.branch).finish_non_exhaustive()
    }
}
