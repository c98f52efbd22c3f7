//! The only reader of the clock.

use pager_questions::Time;

/// Now.
pub fn now() -> Time {
    jiff::Timestamp::now().into()
}
