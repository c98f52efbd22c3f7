//! Takes away what was dealt with, in one commit, and nothing else: a file counts only with the very bytes that were taken.

use super::Watch;
use super::source::{Found, Trouble};
use crate::crash;

/// The most files of one commit.
const MOST_TOGETHER: usize = 500;

/// Tidies the branch as it stands at this commit; the new one, whose files were all dealt with, and whether that was all. When
/// somebody pushed meanwhile, nothing is changed.
pub(super) async fn tidy(watch: &Watch, at: &str) -> Result<(String, bool), Trouble> {
    let mut handled: Vec<Found> = Vec::new();
    let mut refused: Vec<Found> = Vec::new();
    for file in watch.source.files(at).await? {
        match watch.done.get(&file.name).filter(|done| done.content == file.content) {
            Some(done) if done.is_refused => refused.push(file),
            Some(_) => handled.push(file),
            None => {}
        }
    }
    let is_all = handled.len() + refused.len() <= MOST_TOGETHER;
    handled.truncate(MOST_TOGETHER);
    refused.truncate(MOST_TOGETHER - handled.len());
    if handled.is_empty() && refused.is_empty() {
        return Ok((at.to_owned(), true));
    }
    let commit = watch.source.tidy(at, &handled, &refused).await?;
    crash::point("inbox.tidied");
    tracing::info!(handled = handled.len(), refused = refused.len(), "events that were dealt with were taken from the branch");
    Ok((commit, is_all))
}

/// The message of the commit.
pub(super) fn message(handled: usize, refused: usize) -> String {
    match refused {
        0 => format!("events: {handled} handled"),
        _ => format!("events: {handled} handled, {refused} refused"),
    }
}

/// Stands on the branch, so that it is never empty and whoever finds it knows what it is for.
pub(super) const README: &str = "# Events for pager\n\n\
    `events/` holds events that wait for pagerd, one file each. It takes them within seconds and removes them once an hour.\n\
    `refused/` holds what it could not take; its log says why. Delete them as you like.\n";
