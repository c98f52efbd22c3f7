//! The answers repository: it opens, and an answer could be saved this minute.

use std::path::Path;

use pager_answers::KeeperSettings;

use super::Report;
use crate::configuration::Answers;

const CHECK: &str = "answers";

/// Looks at it. One that is not there yet is not made.
/// `commits`: proves it by a commit that changes no file.
pub(super) async fn check(settings: &Answers, commits: bool, report: &mut Report) {
    if let Some(path) = settings.keeper.url.strip_prefix("file:").map(Path::new)
        && !path.exists()
    {
        return report.ok(CHECK, format!("{} is not there yet; the first start makes it", path.display()));
    }
    let looking = KeeperSettings { begins: false, ..settings.keeper.clone() };
    let keeper = match pager_answers::open(&looking).await {
        Ok(keeper) => keeper,
        Err(error) => return report.fail(CHECK, format!("{error}"), "mend that, then run pagerd doctor again"),
    };
    if let Ok(None) = keeper.head().await {
        let branch = &settings.keeper.branch;
        return report.ok(CHECK, format!("the repository has no branch {branch} yet; the first start makes it"));
    }
    match (keeper.check().await, keeper.list().await) {
        (Ok(()), Ok(ids)) => report.ok(CHECK, format!("the repository can be written to; answers in it: {}", ids.len())),
        (Err(error), _) | (_, Err(error)) => report.fail(
            CHECK,
            format!("{error}"),
            "give this user the right to write there and look at the room on its disk; presses wait until then",
        ),
    }
    if commits {
        match keeper.prove().await {
            Ok(commit) => report.ok(CHECK, format!("a commit that changes no file went through: {commit}")),
            Err(error) => report.fail(CHECK, format!("a real commit is refused: {error}"), "do what the repository says"),
        }
    }
}
