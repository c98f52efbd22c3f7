//! What stands behind `/mute`: how long, or off. Pure.

use std::time::Duration;

/// The longest time that can be muted at once.
pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// What an owner wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mute {
    /// Send no questions for this long.
    For(Duration),
    /// Send them again.
    Off,
}

/// Not a time that can be muted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a time of at most 30 days like 30m, 2h or 1d")]
pub struct NotATime;

impl Mute {
    /// Reads `2h`, `90m`, `1d`, `1h30m`, `off` or `0`, in any case and with any spaces.
    ///
    /// # Errors
    /// [`NotATime`].
    pub fn parse(text: &str) -> Result<Self, NotATime> {
        let text: String = text.split_whitespace().collect::<String>().to_ascii_lowercase();
        if text == "off" || (!text.is_empty() && text.chars().all(|digit| digit == '0')) {
            return Ok(Self::Off);
        }
        let mut seconds: u64 = 0;
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let unit_at = rest.find(|letter: char| !letter.is_ascii_digit()).ok_or(NotATime)?;
            let count: u64 = rest[..unit_at].parse().map_err(|_| NotATime)?;
            let unit = rest[unit_at..].chars().next().ok_or(NotATime)?;
            let length = match unit {
                's' => 1,
                'm' => 60,
                'h' => 3600,
                'd' => 24 * 3600,
                _ => return Err(NotATime),
            };
            seconds = count.checked_mul(length).and_then(|more| seconds.checked_add(more)).ok_or(NotATime)?;
            rest = &rest[unit_at + unit.len_utf8()..];
        }
        let length = Duration::from_secs(seconds);
        match seconds {
            0 if text.is_empty() => Err(NotATime),
            0 => Ok(Self::Off),
            _ if length > LONGEST => Err(NotATime),
            _ => Ok(Self::For(length)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let check =
            |text: &str, seconds: u64| assert_eq!(Mute::parse(text), Ok(Mute::For(Duration::from_secs(seconds))), "{text:?}");
        check("2h", 7200);
        check("90m", 5400);
        check("1h30m", 5400);
        check("1 d", 86_400);
        check("2H", 7200);
        check("30d", 2_592_000);
        for off in ["off", "OFF", "0", "00", "0m"] {
            assert_eq!(Mute::parse(off), Ok(Mute::Off), "{off:?}");
        }
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in ["", " ", "2", "h", "2w", "-1h", "2h!", "31d", "soon", "99999999999999999999h", "1.5h", "２h"] {
            assert_eq!(Mute::parse(text), Err(NotATime), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = Mute::parse(&text);
        }
    }
}
