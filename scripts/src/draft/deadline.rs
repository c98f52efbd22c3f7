//! `--deadline`: from now, or a time. What is sent is a time, made once, so that asking again asks for the same.

use pager_questions::Time;

use crate::{again, duration};

/// Bare numbers below this are no times that anybody means: it is a moment of 2001.
const SMALLEST_BARE_SECONDS: u64 = 1_000_000_000;

/// Reads one, by this machine's clock.
///
/// # Errors
/// What is wrong and how it is written.
pub fn parse(text: &str) -> Result<Time, String> {
    parse_at(text, again::now())
}

fn parse_at(text: &str, now: Time) -> Result<Time, String> {
    if text.parse::<u64>().map_or(text.contains('T'), |seconds| seconds >= SMALLEST_BARE_SECONDS) {
        let shape = || format!("{text:?} is no time; write it like 2026-11-30T18:00:00Z, or like 45m, from now");
        return Time::parse(text).ok_or_else(shape);
    }
    let millis = i64::try_from(duration::parse(text)?.as_millis()).unwrap_or(i64::MAX);
    Ok(now.plus_millis(millis))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_deadline_is_a_time_or_so_long_from_now() {
        let check =
            |text: &str, time: &str| assert_eq!(parse_at(text, Time::from_millis(500)).unwrap().to_string(), time, "{text}");
        check("45m", "1970-01-01T00:45:00.500Z");
        check("1h30m", "1970-01-01T01:30:00.500Z");
        check("2026-11-30T19:00:00+01:00", "2026-11-30T18:00:00.000Z");
        check("1796061600", "2026-11-30T18:00:00.000Z");
    }

    #[test]
    fn anything_else_is_refused_with_the_way_out() {
        let check = |text: &str, way_out: &str| {
            let words = parse_at(text, Time::from_millis(0)).unwrap_err();
            assert!(words.contains(way_out), "{words}");
        };
        check("45", "45m");
        check("tomorrow", "1h30m");
        check("2026-11-30Tnoon", "2026-11-30T18:00:00Z");
    }
}
