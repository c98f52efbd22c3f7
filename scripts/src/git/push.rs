//! One push, and what became of it by git's own report: taken, too late, refused, or spoilt by the server's own trouble.

use std::path::Path;
use std::time::Duration;

use super::{Address, Program};
use crate::distant::Trouble;

const PUSHES_WITHIN: Duration = Duration::from_secs(60);

/// What became of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Pushed {
    /// The branch has it.
    Done,
    /// Somebody else was faster.
    Raced,
}

/// Pushes, and never by force.
///
/// # Errors
/// [`Trouble::Refused`] when the server refuses it; [`Trouble::Passing`] when it failed at it, or the push may have arrived.
pub fn push(program: &Program, address: &Address, folder: &Path, refspec: &str) -> Result<Pushed, Trouble> {
    let ended = program.run(folder, &["push", "--porcelain", "origin", refspec], &[], PUSHES_WITHIN)?;
    if ended.is_success {
        return Ok(Pushed::Done);
    }
    match String::from_utf8_lossy(&ended.output).lines().find(|line| line.starts_with('!')) {
        Some(line) if is_race(line) => Ok(Pushed::Raced),
        Some(line) if is_passing(line) => {
            Err(Trouble::Passing(format!("{} failed to take the event: {}; {}", address.shown(), reported(line), ended.why())))
        }
        Some(line) => {
            let reported = reported(line);
            Err(Trouble::Refused(format!(
                "{} refuses the event: {reported}; {}; check that it may be pushed to, on its branch pager-events",
                address.shown(),
                ended.why()
            )))
        }
        None => Err(ended.trouble("ASK_EVENTS", address)),
    }
}

/// What git reports of one branch, without its names.
fn reported(line: &str) -> &str {
    line.rsplit('\t').next().unwrap_or(line)
}

/// The server tried and failed: it is worth another try, and its rules have said nothing.
fn is_passing(line: &str) -> bool {
    const TROUBLES: [&str; 6] =
        ["internal server error", "internal error", "(failure)", "unpacker error", "[remote failure]", "timed out"];
    let line = line.to_lowercase();
    TROUBLES.iter().any(|words| line.contains(words))
}

/// The branch moved between our reading and the push; servers have several words for it.
fn is_race(line: &str) -> bool {
    const RACES: [&str; 7] = [
        "fetch first",
        "non-fast-forward",
        "stale info",
        "cannot lock ref",
        "failed to update ref",
        "reference already exists",
        "incorrect old value",
    ];
    RACES.iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_is_told_from_a_refusal() {
        let line = |reason: &str| format!("!\trefs/pager/made:refs/heads/pager-events\t{reason}");
        assert!(is_race(&line("[rejected] (fetch first)")));
        assert!(is_race(&line("[remote rejected] (cannot lock ref 'refs/heads/pager-events': is at 1 but expected 2)")));
        assert!(!is_race(&line("[remote rejected] (pre-receive hook declined)")));
        assert!(!is_race(&line("[remote rejected] (protected branch)")));
    }

    #[test]
    fn trouble_of_the_servers_own_is_no_refusal() {
        let line = |reason: &str| format!("!\trefs/pager/made:refs/heads/pager-events\t{reason}");
        for passing in [
            "[remote rejected] (Internal Server Error)",
            "[remote rejected] (failure)",
            "[remote rejected] (unpacker error)",
            "[remote failure] (remote failed to report status)",
        ] {
            assert!(is_passing(&line(passing)) && !is_race(&line(passing)), "{passing}");
        }
        for refusal in ["(pre-receive hook declined)", "(protected branch hook declined)", "(shallow update not allowed)"] {
            assert!(!is_passing(&line(&format!("[remote rejected] {refusal}"))), "{refusal}");
        }
    }
}
