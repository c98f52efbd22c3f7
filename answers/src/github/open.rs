//! From `github:owner/repo` to a keeper.

use std::sync::Arc;

use super::{GitHubRepository, PaceLimits, RepositoryName};
use crate::{Keeper, KeeperError, KeeperSettings, OpenError};

/// Opens the keeper for what stands after `github:`.
pub(crate) async fn open(name: &str, settings: &KeeperSettings) -> Result<Arc<dyn Keeper>, OpenError> {
    let name = name.strip_suffix('/').unwrap_or(name);
    let repository: RepositoryName = name
        .strip_suffix(".git")
        .unwrap_or(name)
        .parse()
        .map_err(|_| OpenError::InvalidUrl { problem: "github: is not followed by owner/repo" })?;
    if gix::refs::FullName::try_from(format!("refs/heads/{}", settings.branch)).is_err() {
        return Err(OpenError::InvalidBranch { branch: settings.branch.clone() });
    }
    let access = settings.github.as_ref().ok_or(OpenError::NoAccess)?;
    let refused = |reason: String| OpenError::GitHub { repository: repository.to_string(), reason };
    let keeper = GitHubRepository::new(access, repository.clone(), &settings.branch, PaceLimits::default())
        .map_err(|error| refused(error.to_string()))?;
    if !settings.begins {
        return Ok(Arc::new(keeper));
    }
    if let Err(KeeperError::Refused { reason }) = keeper.begin().await {
        // A token that has expired is renewed while the service runs; until then answers wait, and health tells why.
        tracing::warn!(%repository, reason, "GitHub refuses the answers repository; it is tried again when it is needed");
    }
    Ok(Arc::new(keeper))
}
