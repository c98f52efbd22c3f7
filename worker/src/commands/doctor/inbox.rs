//! The branch of events in a git repository: the git program reaches it, with what this user has. The one in the control
//! repository is looked at with that.

use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use pager_answers::git::{GitRemote, Patience, PrivateClone};

use super::Report;
use crate::configuration::{Configuration, Inbox};
use crate::control::branch::{self, BRANCH};
use crate::secrets;

const CHECK: &str = "inbox";

/// Looks where the branch stands. Fetches nothing.
pub(super) async fn check(configuration: &Configuration, report: &mut Report) {
    let Some(Inbox::Url(url)) = &configuration.control.inbox else { return };
    let credentials = branch::credentials(url, &configuration.answers.keeper);
    let remote = match GitRemote::new(url, &credentials) {
        Ok(remote) => remote,
        Err(wrong) => return report.fail(CHECK, format!("control.inbox_url: {wrong}"), "correct that"),
    };
    // Not within data_dir: nothing is made there before the first start.
    let folder = std::env::temp_dir().join(secrets::new("pagerd-doctor-"));
    if let Err(error) = std::fs::DirBuilder::new().mode(0o700).create(&folder) {
        let says = format!("whether control.inbox_url can be reached is not known: {} cannot be made: {error}", folder.display());
        return report.warn(CHECK, says, "make room there, then run this again");
    }
    look(remote, &folder, report).await;
    let _ = std::fs::remove_dir_all(&folder);
}

async fn look(remote: GitRemote, folder: &Path, report: &mut Report) {
    let address = remote.to_string();
    let head = async { PrivateClone::open(remote, BRANCH, folder, Patience::default())?.head().await };
    match head.await {
        Ok(Some(_)) => report.ok(CHECK, format!("{address} can be read and has the branch {BRANCH}")),
        Ok(None) => report.ok(CHECK, format!("{address} can be read and has no branch {BRANCH} yet; the first event makes it")),
        Err(failure) => report.fail(
            CHECK,
            format!("control.inbox_url cannot be read: {failure}"),
            "correct it, or let this user's git read and write there: a key, a helper, or answers.token on the same host",
        ),
    }
}
