//! When and where somebody said what they decided. Of a question whose deadline ends it, only what was said before counts.

use pager_questions::Time;

use crate::clock;

/// When it was said, and by what.
#[derive(Debug, Clone)]
pub struct Spoken {
    /// When; None where nobody knows, as of a press in Telegram.
    pub at: Option<Time>,
    /// The text it came from, in its door's own terms.
    pub origin: Option<String>,
    /// What becomes of it when it comes too late.
    pub late: Late,
}

/// What becomes of a pick that comes too late of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Late {
    /// It is kept, and whoever picked is held a moment for the end that they are late to.
    Held,
    /// It is kept; nobody is held.
    Kept,
    /// It is left to its door, which keeps it in one step with what else it stores.
    Left,
}

impl Spoken {
    /// At this moment, as over HTTP and on the page.
    pub fn just_now() -> Self {
        Self { at: Some(clock::now()), origin: None, late: Late::Held }
    }

    /// By a press, of which Telegram does not tell when it was.
    pub fn by_press() -> Self {
        Self { at: None, origin: None, late: Late::Kept }
    }

    /// By a message with this date, in seconds since 1970; none stands where Telegram gave none.
    pub fn in_message(date: i64, origin: Option<String>) -> Self {
        let at = (date > 0).then(|| Time::from_millis(date.saturating_mul(1000)));
        Self { at, origin, late: Late::Left }
    }
}
