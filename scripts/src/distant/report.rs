//! Prints how a wait ended where the state of a question cannot be asked for.

use std::sync::Arc;
use std::time::Duration;

use super::{Distant, unknown_state};
use crate::duration::for_people;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::reading::Reading;
use crate::verdict;
use crate::waiting::Stopped;

/// Prints it.
///
/// # Errors
/// When nothing could be printed.
pub fn report(way: &Arc<dyn Distant>, reading: &Reading, patience: Duration, stopped: Stopped) -> Result<Exit, Failure> {
    let id = &reading.id;
    let goes_on = || format!("it may be open: `ask wait {id}` goes on waiting, `ask withdraw {id} --reason …` takes it back");
    match stopped {
        Stopped::Answer { answer, exit } => hand_over(way.as_ref(), reading, &answer, exit),
        Stopped::Signal(signal) => {
            output::say(&format!("interrupted; no answer of {id} was seen, {}", goes_on()));
            Ok(Exit::Interrupted(signal))
        }
        Stopped::OutOfPatience | Stopped::Ended { .. } => {
            output::say(&format!("no answer of {id} within {}; {}", for_people(patience), goes_on()));
            output::line(&unknown_state(id))?;
            Ok(Exit::NoAnswer)
        }
    }
}

/// Prints an answer to whoever waits for it, and gives back what it is worth.
///
/// # Errors
/// When nobody reads it.
pub fn hand_over(way: &dyn Distant, reading: &Reading, answer: &Json, exit: Exit) -> Result<Exit, Failure> {
    print(way, answer)?;
    if let Some(note) = verdict::told_no(answer, reading.asked.as_ref().map(|asked| asked.purpose), exit) {
        output::say(&format!("{}: {note}", reading.id));
    }
    Ok(exit)
}

/// Prints an answer, and says when nothing vouches for who wrote it.
///
/// # Errors
/// When nobody reads it.
pub fn print(way: &dyn Distant, answer: &Json) -> Result<(), Failure> {
    if way.keys().is_empty() {
        output::say(&"the answer's signature is not verified: set ASK_VERIFY_KEY to what `pagerd key` prints");
    }
    output::line(answer)
}
