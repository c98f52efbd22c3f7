//! `ask run --log`: the journal for people and programs, a run a line. Marks stay inside.

use serde_json::json;

use super::journal::Journal;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Prints it, the newest run last.
///
/// # Errors
/// When the journal is damaged, or nobody reads.
pub fn print(journal: &Journal) -> Result<Exit, Failure> {
    for run in journal.read()?.map(|kept| kept.runs).unwrap_or_default() {
        let end = run.end.as_ref();
        output::line(&json!({
            "run": run.run,
            "started": run.started,
            "duration_ms": end.map(|end| end.duration_ms),
            "reasons": run.reasons,
            "wakes": run.wakes,
            "exit": end.and_then(|end| end.exit),
            "signal": end.and_then(|end| end.signal),
            "interrupted": end.is_some_and(|end| end.interrupted),
            "acknowledged": end.is_some_and(|end| !end.interrupted) && run.owed.is_empty(),
            "output": end.map(|end| end.output.as_str()),
        }))?;
    }
    Ok(Exit::Done)
}
