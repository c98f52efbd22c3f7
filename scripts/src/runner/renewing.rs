//! Keeps the marks of a run that goes on, from a thread of its own. Ends with the run.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::journal::Owed;
use super::wakes::Wakes;
use crate::output;

/// Renews until it is dropped.
pub struct Renewing {
    _stop: Sender<()>,
}

impl Renewing {
    /// Renews these three times within each lease.
    ///
    /// # Errors
    /// When no thread can be made.
    pub fn start(wakes: Wakes, marks: Vec<Owed>, lease: Duration) -> std::io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let mut marks = marks;
        let renew = move || {
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(lease / 3) {
                // What did not get through is tried again at the next turn.
                marks.retain(|owed| match wakes.renew(&owed.wake, owed.mark.as_deref().unwrap_or_default(), lease) {
                    Ok(false) => {
                        output::say(&format!("the mark of {} was lost: another runner may be started for it, too", owed.wake));
                        false
                    }
                    Ok(true) | Err(_) => true,
                });
            }
        };
        std::thread::Builder::new().stack_size(512 * 1024).spawn(renew)?;
        Ok(Self { _stop: stop })
    }
}
