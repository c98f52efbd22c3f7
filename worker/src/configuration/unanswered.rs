//! From when on what nobody answered is called unanswered.

use std::time::Duration;

use super::reader::Reader;

const USUAL: Duration = Duration::from_secs(30 * 60);

/// `unanswered_after`: in milliseconds; 0 for never without a deadline of its own.
pub(super) fn read(reader: &mut Reader) -> i64 {
    let after = reader.span("unanswered_after", "a time like 30m, or 0 for only after a deadline of its own").unwrap_or(USUAL);
    i64::try_from(after.as_millis()).unwrap_or(i64::MAX)
}
