//! Acknowledges what was done and stands in the journal as owed. A service that hangs keeps nobody from ending the runner:
//! whatever did not get through is owed still.

use super::journal::Journal;
use super::round::{Runner, Work};
use super::wakes::{Trouble, Wakes};
use crate::again;
use crate::interrupts::Heard;

impl Runner {
    /// Acknowledges everything that is owed. The signal, when one came first.
    ///
    /// # Errors
    /// [`Trouble`]
    pub fn settle(&mut self) -> Result<Option<i32>, Trouble> {
        let kept = self.journal.read().map_err(Trouble::Lasting)?;
        if kept.iter().flat_map(|kept| &kept.runs).all(|run| run.owed.is_empty()) {
            return Ok(None);
        }
        let (wakes, journal) = (self.wakes.clone(), self.journal.clone());
        match self.interrupts.run(move || Work::Settled(settle(&wakes, &journal)), None, None) {
            Ok(Heard::Signal(signal)) => Ok(Some(signal)),
            Ok(Heard::Reply(Work::Settled(outcome))) => outcome.map(|()| None),
            Ok(Heard::Reply(Work::Reply(_) | Work::Ended) | Heard::TimeUp) => Ok(None),
            Err(error) => Err(Trouble::Passing(format!("no thread can be made: {error}"))),
        }
    }
}

fn settle(wakes: &Wakes, journal: &Journal) -> Result<(), Trouble> {
    let kept = journal.read().map_err(Trouble::Lasting)?;
    for run in kept.iter().flat_map(|kept| &kept.runs) {
        for owed in &run.owed {
            wakes.acknowledge(&owed.wake, owed.mark.as_deref())?;
            let noted = journal.note(again::now(), &run.run, |run| run.owed.retain(|still| still != owed));
            noted.map_err(Trouble::Lasting)?;
        }
    }
    Ok(())
}
