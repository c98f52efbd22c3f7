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
}

impl Spoken {
    /// At this moment, as over HTTP and on the page.
    pub fn just_now() -> Self {
        Self { at: Some(clock::now()), origin: None }
    }

    /// By a press, of which Telegram does not tell when it was.
    pub fn by_press() -> Self {
        Self { at: None, origin: None }
    }

    /// By a message with this date, in seconds since 1970; none stands where Telegram gave none.
    pub fn in_message(date: i64, origin: Option<String>) -> Self {
        let at = (date > 0).then(|| Time::from_millis(date.saturating_mul(1000)));
        Self { at, origin }
    }
}
