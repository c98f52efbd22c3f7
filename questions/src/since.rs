//! `--since`: an answer older than the question it is read for does not count. One minute of leeway, for two clocks.

use crate::Time;

/// How much older than `since` an answer may be: 60 seconds, inclusive.
pub const LEEWAY_MILLIS: i64 = 60_000;

/// Does an answer given at `at` count for somebody who asked at `since`?
pub fn counts(at: Time, since: Time) -> bool {
    at.as_millis() >= since.as_millis() - LEEWAY_MILLIS
}

/// By how many milliseconds an answer is too old, when it is.
pub fn too_old_by(at: Time, since: Time) -> Option<i64> {
    let late = since.as_millis() - LEEWAY_MILLIS - at.as_millis();
    (late > 0).then_some(late)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leeway_is_a_minute_inclusive() {
        let since = Time::from_millis(1_000_000_000);
        assert!(counts(since.plus_millis(-60_000), since));
        assert!(!counts(since.plus_millis(-60_001), since));
        assert_eq!(too_old_by(since.plus_millis(-60_001), since), Some(1));
        assert_eq!(too_old_by(since.plus_millis(-60_000), since), None);
    }
}
