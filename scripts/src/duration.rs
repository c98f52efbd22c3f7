//! Durations as people write them: `90s`, `45m`, `1h30m`, `2d`. A bare number is refused: nobody knows its unit.

use std::time::Duration;

const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// Reads a duration of whole seconds: each unit at most once, the larger first.
///
/// # Errors
/// What is wrong and how it is written.
pub fn parse(text: &str) -> Result<Duration, String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{text} has no unit; write {text}s, {text}m, {text}h or {text}d"));
    }
    let shape = || format!("{text:?} is not a duration; write it like 90s, 45m, 1h30m or 2d");
    let mut seconds: u64 = 0;
    let mut units = UNITS.iter();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest[..digits].parse().map_err(|_| shape())?;
        let letter = rest[digits..].chars().next().ok_or_else(shape)?;
        let (_, unit) = units.find(|(name, _)| *name == letter).ok_or_else(shape)?;
        seconds = number.checked_mul(*unit).and_then(|more| seconds.checked_add(more)).ok_or_else(shape)?;
        rest = &rest[digits + 1..];
    }
    if text.is_empty() { Err(shape()) } else { Ok(Duration::from_secs(seconds)) }
}

/// As [`parse`]; a plain `0` too, which means without end.
///
/// # Errors
/// Those of [`parse`].
pub fn parse_patience(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { parse(text) }
}

/// For people: `1h30m`, `45s`, `0s`; whole seconds.
pub fn for_people(duration: Duration) -> String {
    let mut left = duration.as_secs();
    let mut shown = String::new();
    for (name, unit) in UNITS {
        if left >= unit {
            shown.push_str(&format!("{}{name}", left / unit));
            left %= unit;
        }
    }
    if shown.is_empty() { "0s".to_owned() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        let check = |text: &str, seconds: u64| assert_eq!(parse(text), Ok(Duration::from_secs(seconds)), "{text}");
        check("90s", 90);
        check("45m", 2_700);
        check("1h30m", 5_400);
        check("2d", 172_800);
        check("1d2h3m4s", 93_784);
        check("0s", 0);
    }

    #[test]
    fn a_bare_number_is_refused_with_the_way_out() {
        assert_eq!(parse("90"), Err("90 has no unit; write 90s, 90m, 90h or 90d".to_owned()));
        assert_eq!(parse_patience("0"), Ok(Duration::ZERO));
        assert!(parse_patience("5").is_err());
    }

    #[test]
    fn what_is_no_duration_is_not_read_as_one() {
        for text in
            ["", "s", "1x", "1m1h", "1s1s", "-1s", "1.5h", " 1s", "1ß", "1h 30m", "99999999999999999999s", "999999999999999999d"]
        {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn durations_are_shown_in_the_same_form() {
        for text in ["45s", "1h30m", "2d", "1d2h3m4s", "0s"] {
            assert_eq!(parse(text).map(for_people).as_deref(), Ok(text));
        }
    }
}
