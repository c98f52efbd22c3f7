//! When a heartbeat is due: on its schedule, whatever else happened.

use std::time::Duration;

use pager_questions::Time;

/// When the next one is due. The first comes one period after the runner was first started here; one that was missed comes
/// once, however many were.
pub fn due(period: Duration, first_start: Time, last: Option<Time>) -> Time {
    let period = i64::try_from(period.as_millis()).unwrap_or(i64::MAX);
    last.unwrap_or(first_start).plus_millis(period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comes_a_period_after_the_first_start_and_then_one_a_period() {
        let (hour, start) = (Duration::from_secs(3600), Time::from_millis(1_000));
        assert_eq!(due(hour, start, None), Time::from_millis(3_601_000));
        assert_eq!(due(hour, start, Some(Time::from_millis(9_000_000))), Time::from_millis(12_600_000));
    }
}
