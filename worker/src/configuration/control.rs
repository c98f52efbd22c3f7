//! The control repository: where it is, what its events prove themselves with, and who may send them.

mod inbox;
mod oidc;
mod secrets;

use std::collections::BTreeSet;

use pager_answers::github::RepositoryName;

use super::reader::Reader;

pub use inbox::Inbox;
pub use oidc::Oidc;
pub use secrets::ControlSecrets;

/// `control.*`. Nothing set: no event from outside is taken, and nothing goes out to a control repository.
#[derive(Debug, Default)]
pub struct Control {
    /// The control repository on GitHub: what its App sends is taken from it alone, and texts go out to it.
    pub repo: Option<RepositoryName>,
    /// What events are signed with.
    pub secrets: ControlSecrets,
    /// The numeric ids of the GitHub accounts whose events are taken. None: the proof alone decides.
    pub maintainers: Option<BTreeSet<u64>>,
    /// A branch that is watched for events; None when none is.
    pub inbox: Option<Inbox>,
    /// The one workflow whose tokens are taken; None when no token is.
    pub oidc: Option<Oidc>,
}

impl Control {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let repo = reader.parsed("control.repo", "the name of a repository on GitHub, like owner/repo");
        let secrets = ControlSecrets::read(reader);
        let maintainers = reader.list("control.maintainers", "the numeric id of a GitHub account");
        let maintainers: Option<BTreeSet<u64>> = maintainers.map(|ids: Vec<u64>| ids.into_iter().collect());
        let oidc = Oidc::read(reader);
        let inbox = Inbox::read(reader, repo.is_some());
        let control = Self { repo, secrets, maintainers, inbox, oidc };
        if control.maintainers.as_ref().is_some_and(BTreeSet::is_empty) {
            let detail = "is empty, so that nobody's events would be taken; name numeric ids of GitHub accounts";
            reader.missing("control.maintainers", detail);
        }
        control
    }

    /// What is set in part, so that its events are refused until the rest is: for the log.
    pub fn gaps(&self) -> Vec<&'static str> {
        let mut gaps = Vec::new();
        if self.maintainers.is_none() && (self.oidc.is_some() || self.secrets.has_app_secret()) {
            gaps.push(
                "control.maintainers is missing: events that GitHub vouches for are refused until it names the numeric ids of the \
                 accounts that may send them",
            );
        }
        if self.secrets.has_app_secret() && self.repo.is_none() && self.oidc.is_none() {
            gaps.push(
                "control.repo is missing: what a GitHub App sends is refused until it names the one repository that is meant",
            );
        }
        gaps
    }
}
