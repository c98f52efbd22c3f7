//! Named places at which a test can end the process as `kill -9` would. Not part of a release.

/// Every place, in the order in which a press meets them.
#[cfg(debug_assertions)]
pub const POINTS: [&str; 29] = [
    "update.received",
    "update.stored",
    "press.acknowledged",
    "claim.decided",
    "claim.stored",
    "save.begun",
    "save.written",
    "save.stored",
    "job.taken",
    "job.attempted",
    "edit.called",
    "edit.stored",
    "document.called",
    "mark.called",
    "thank.called",
    "delete.called",
    "see.called",
    "ask.stored",
    "deadline.due",
    "reminder.due",
    "reminder.called",
    "thread.called",
    "dispatch.taken",
    "dispatch.called",
    "dispatch.stored",
    "control.stored",
    "inbox.received",
    "inbox.kept",
    "inbox.tidied",
];

/// Ends the process here when `PAGER_CRASH` names this place (`name` or `name:2` for the second passing).
#[cfg(debug_assertions)]
pub fn point(name: &str) {
    use std::sync::atomic::{AtomicU32, Ordering};
    static PASSED: AtomicU32 = AtomicU32::new(0);
    debug_assert!(POINTS.contains(&name), "{name} is not in the list of crash points");
    let Ok(wanted) = std::env::var("PAGER_CRASH") else { return };
    let (place, time) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    if place == name && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == time.parse().unwrap_or(1) {
        std::process::abort();
    }
}

/// Nothing, in a release.
#[cfg(not(debug_assertions))]
pub fn point(_name: &str) {}
