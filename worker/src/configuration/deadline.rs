//! What deadlines agents may set, and whether owners are reminded of them.

use std::time::Duration;

use pager_questions::draft::Bounds;

use super::reader::Reader;

const USUAL_LEAST: Duration = Duration::from_secs(60);
const USUAL_MOST: Duration = Duration::from_secs(7 * 24 * 3600);

/// `deadline.*`, `remind`
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    /// The earliest and the latest.
    pub bounds: Bounds,
    /// Whether an owner is reminded halfway to a deadline.
    pub remind: bool,
}

impl Deadline {
    pub(super) fn read(reader: &mut Reader) -> Self {
        let shape = "a time like 1m or 7d";
        let least = reader.span("deadline.min", shape).unwrap_or(USUAL_LEAST);
        let most = reader.span("deadline.max", shape).unwrap_or(USUAL_MOST);
        if least > most {
            reader.problem("deadline.max", "is less than deadline.min, so no deadline would be taken; raise it");
        }
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        Self { bounds: Bounds { least: millis(least), most: millis(most) }, remind: reader.flag("remind") }
    }
}
