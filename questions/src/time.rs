//! Points in time as records hold them: milliseconds, UTC, RFC 3339. Reading the clock is the caller's business.

use std::fmt;

use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A moment, exact to the millisecond, written `2026-11-30T13:25:03.120Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, format = DateTime))]
pub struct Time(Timestamp);

impl Time {
    /// The moment this many milliseconds after 1970, clamped to the years that can be written.
    pub fn from_millis(millis: i64) -> Self {
        let least = Timestamp::MIN.as_millisecond() + 1;
        let most = Timestamp::MAX.as_millisecond() - 1;
        Self(Timestamp::from_millisecond(millis.clamp(least, most)).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    /// Milliseconds since 1970.
    pub fn as_millis(self) -> i64 {
        self.0.as_millisecond()
    }

    /// The same moment, this many milliseconds later (or earlier when negative).
    pub fn plus_millis(self, millis: i64) -> Self {
        Self::from_millis(self.as_millis().saturating_add(millis))
    }

    /// Reads RFC 3339 (any offset), or seconds since 1970 with or without a fraction.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(time) = text.parse::<Timestamp>() {
            return Some(Self::from_millis(time.as_millisecond()));
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) || (text.contains('.') && fraction.is_empty()) {
            return None;
        }
        let seconds: i64 = whole.parse().ok()?;
        let millis: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
        let total = seconds.checked_mul(1000)?.checked_add(millis)?;
        (total < Timestamp::MAX.as_millisecond()).then(|| Self::from_millis(total))
    }

    /// For people: `30 Nov 2026, 14:25` in the given zone.
    pub fn for_people(self, zone: &TimeZone) -> String {
        self.0.to_zoned_datetime(zone.clone()).strftime("%-d %b %Y, %H:%M").to_string()
    }
}

impl From<Timestamp> for Time {
    fn from(time: Timestamp) -> Self {
        Self::from_millis(time.as_millisecond())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("a time is RFC 3339 or seconds since 1970"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_with_three_digits_and_z() {
        let check = |input: &str, written: &str| assert_eq!(Time::parse(input).map(|t| t.to_string()).as_deref(), Some(written));
        check("2026-11-30T13:25:03.12Z", "2026-11-30T13:25:03.120Z");
        check("2026-11-30T14:25:03+01:00", "2026-11-30T13:25:03.000Z");
        check("1796045103.1204", "2026-11-30T13:25:03.120Z");
        check("1796045103", "2026-11-30T13:25:03.000Z");
    }

    #[test]
    fn what_is_not_a_time_is_not_read_as_one() {
        for text in ["", "soon", "-5", "1.", ".5", "1e9", "99999999999999999999", "2026-11-30", "1796045103000000"] {
            assert_eq!(Time::parse(text), None, "{text:?}");
        }
    }
}
