//! One look or one event, tried until it comes through or it is clear that it will not. The only layer that tries again.

use std::time::Duration;

use pager_questions::{QuestionId, Time};

use super::{Distant, Event, Look, Rhythm, Trouble};
use crate::failure::Failure;
use crate::output;

const TRIES: u32 = 4;
/// A limit that takes longer than this many units is not waited for here.
const LONGEST_LIMIT: u32 = 24;

/// Looks, and proves by it that answers can be read.
///
/// # Errors
/// Code 1 with the causes.
pub fn look(
    way: &dyn Distant,
    id: &QuestionId,
    rhythm: &Rhythm,
    pause: &mut dyn FnMut(Duration) -> bool,
) -> Result<Look, Failure> {
    let look = persist(rhythm, pause, || way.look(id, None)).map_err(|trouble| failure(&trouble))?;
    look.ok_or_else(|| Failure::failed("the repository of answers says that nothing moved, which nobody asked; try again"))
}

/// Sends an event. The time is when it was first tried.
///
/// # Errors
/// Code 2 for an event that is not taken as it is, code 1 otherwise; whether it arrived is said.
pub fn send(way: &dyn Distant, event: &Event, rhythm: &Rhythm, pause: &mut dyn FnMut(Duration) -> bool) -> Result<Time, Failure> {
    let sent_at = way.now();
    persist(rhythm, pause, || way.send(event, sent_at)).map_err(|trouble| match trouble {
        Trouble::Passing(words) => Failure::failed(format!("{words}. Whether the event arrived is not known")),
        definite => failure(&definite),
    })?;
    Ok(sent_at)
}

/// The failure that a trouble is when nothing more is tried.
pub fn failure(trouble: &Trouble) -> Failure {
    match trouble {
        Trouble::Invalid(words) => Failure::usage(words),
        Trouble::Limited { words, wait: Some(wait) } => {
            Failure::failed(format!("{words}; try again in {}", crate::duration::for_people(*wait)))
        }
        Trouble::Limited { words, wait: None } => Failure::failed(format!("{words}; try again in some minutes")),
        Trouble::Passing(words) | Trouble::Refused(words) => Failure::failed(words),
    }
}

fn persist<T>(
    rhythm: &Rhythm,
    pause: &mut dyn FnMut(Duration) -> bool,
    mut work: impl FnMut() -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let mut tries = 0;
    loop {
        let trouble = match work() {
            Ok(done) => return Ok(done),
            Err(trouble) => trouble,
        };
        tries += 1;
        let wait = match &trouble {
            Trouble::Passing(_) => rhythm.times(1 << tries) / 10,
            Trouble::Limited { wait, .. } => wait.unwrap_or(rhythm.times(12)),
            Trouble::Refused(_) | Trouble::Invalid(_) => return Err(trouble),
        };
        if tries == TRIES || wait > rhythm.times(LONGEST_LIMIT).max(Duration::from_secs(2)) {
            return Err(trouble);
        }
        if matches!(trouble, Trouble::Limited { .. }) {
            output::say(&format!("{trouble}; trying again"));
        }
        if !pause(wait) {
            return Err(trouble);
        }
    }
}
