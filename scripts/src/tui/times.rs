//! How times are told on a screen: how long ago, how long still, and the hour by the zone of this machine.

use jiff::tz::TimeZone;
use pager_questions::Time;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// `now`, `3 min`, `2 h`, `5 d`.
pub fn age(at: Time, now: Time) -> String {
    let seconds = (now.as_millis() - at.as_millis()).max(0) / 1000;
    match seconds {
        0..MINUTE => "now".to_owned(),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h", seconds / HOUR),
        _ => format!("{} d", seconds / DAY),
    }
}

/// `in 45 s`, `in 34 min`, `in 2 h 5 min`, `in 3 d 4 h`, `now`.
pub fn left(until: Time, now: Time) -> String {
    let seconds = (until.as_millis() - now.as_millis()) / 1000;
    let two = |first: i64, unit: &str, second: i64, smaller: &str| match second {
        0 => format!("in {first} {unit}"),
        _ => format!("in {first} {unit} {second} {smaller}"),
    };
    match seconds {
        ..=0 => "now".to_owned(),
        1..MINUTE => format!("in {seconds} s"),
        MINUTE..HOUR => format!("in {} min", seconds / MINUTE),
        HOUR..DAY => two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "min"),
        _ => two(seconds / DAY, "d", seconds % DAY / HOUR, "h"),
    }
}

/// `30 Nov 2026, 14:25`
pub fn moment(at: Time, zone: &TimeZone) -> String {
    at.for_people(zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_the_unit_that_matters() {
        let now = Time::from_millis(1_796_045_103_000);
        let check = |seconds: i64, ago: &str, still: &str| {
            assert_eq!(age(now.plus_millis(-seconds * 1000), now), ago);
            assert_eq!(left(now.plus_millis(seconds * 1000), now), still);
        };
        check(0, "now", "now");
        check(59, "now", "in 59 s");
        check(2040, "34 min", "in 34 min");
        check(7500, "2 h", "in 2 h 5 min");
        check(7200, "2 h", "in 2 h");
        check(273_600, "3 d", "in 3 d 4 h");
        check(-5, "now", "now");
    }
}
