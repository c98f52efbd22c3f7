//! One push, and what became of it by git's own report: taken, too late, or refused.

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
/// [`Trouble::Refused`] when the server refuses it; [`Trouble::Passing`] when it may have arrived.
pub fn push(program: &Program, address: &Address, folder: &Path, refspec: &str) -> Result<Pushed, Trouble> {
    let ended = program.run(folder, &["push", "--porcelain", "origin", refspec], &[], PUSHES_WITHIN)?;
    if ended.is_success {
        return Ok(Pushed::Done);
    }
    match String::from_utf8_lossy(&ended.output).lines().find(|line| line.starts_with('!')) {
        Some(line) if is_race(line) => Ok(Pushed::Raced),
        Some(line) => {
            let reported = line.rsplit('\t').next().unwrap_or(line);
            Err(Trouble::Refused(format!(
                "{} refuses the event: {reported}; {}; check that it may be pushed to, on its branch pager-events",
                address.shown(),
                ended.why()
            )))
        }
        None => Err(ended.trouble("ASK_EVENTS", address)),
    }
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
}
