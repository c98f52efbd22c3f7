//! When the time of a question is up, how much is left, and what happens then.

use jiff::tz::TimeZone;
use pager_questions::{Question, Time};

use crate::web::shown::Shown;

/// The deadline of an open question.
pub struct Due {
    /// For machines.
    pub at: String,
    /// In the owner's zone.
    pub shown: String,
    /// `2 h 5 min left`, at the moment of asking for the page.
    pub left: String,
    /// What happens then.
    pub then: Shown,
    /// Less than an hour is left.
    pub is_soon: bool,
}

impl Due {
    /// The deadline of this question, when it has one.
    pub fn of(question: &Question, zone: &TimeZone, now: Time) -> Option<Self> {
        let at = question.deadline?;
        let default = question.default.as_ref().and_then(|id| question.option(id.as_str()));
        let rules = question.purpose.rules();
        let then = match (default, rules.yes) {
            (Some(default), _) => format!("Then the agent goes on with: {}", default.label),
            (None, Some(yes)) if rules.expires => format!("Then it ends: {}.", yes.otherwise),
            (None, _) => "It stays open after that.".to_owned(),
        };
        let millis = at.as_millis().saturating_sub(now.as_millis());
        Some(Self {
            at: at.to_string(),
            shown: at.for_people(zone),
            left: left(millis),
            then: Shown::of(&then),
            is_soon: millis < 3_600_000,
        })
    }
}

/// The two largest units of what is left.
fn left(millis: i64) -> String {
    if millis <= 0 {
        return "time is up".to_owned();
    }
    // Whoever has 59.9 seconds has no minute.
    let minutes = millis / 60_000;
    let (days, hours, rest) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    let two = |first: String, second: i64, unit: &str| if second == 0 { first } else { format!("{first} {second} {unit}") };
    match (days, hours, rest) {
        (0, 0, 0) => "less than a minute left".to_owned(),
        (0, 0, minutes) => format!("{minutes} min left"),
        (0, hours, minutes) => two(format!("{hours} h"), minutes, "min") + " left",
        (1, hours, _) => two("1 day".to_owned(), hours, "h") + " left",
        (days, hours, _) => two(format!("{days} days"), hours, "h") + " left",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_in_two_units_and_never_rounded_up() {
        let of = |minutes: i64| left(minutes * 60_000);
        assert_eq!(left(59_999), "less than a minute left");
        assert_eq!([of(0), of(-5)], ["time is up", "time is up"]);
        assert_eq!([of(1), of(59), of(60), of(125)], ["1 min left", "59 min left", "1 h left", "2 h 5 min left"]);
        assert_eq!([of(1440), of(1500), of(4380)], ["1 day left", "1 day 1 h left", "3 days 1 h left"]);
    }
}
