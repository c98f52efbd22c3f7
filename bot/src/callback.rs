//! What a button carries: the record's incarnation and the option's place, far below Telegram's 64 bytes.
//! It is a claim of whoever presses; the worker checks it against the record.

mod update;

use std::fmt;

use pager_questions::Incarnation;

pub use update::UpdateButton;

/// The most bytes that a button's data may have.
pub const MOST_BYTES: usize = 64;

const PREFIX: &str = "a:";

/// One option of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackData {
    /// The record that the button was made for.
    pub incarnation: Incarnation,
    /// The option's place, from 0.
    pub option: usize,
}

/// A button's data that this bot never wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the button carries nothing that this bot wrote")]
pub struct NotOurs;

impl CallbackData {
    /// Reads `a:<16 hex digits>:<place>` exactly as it is written: no spaces, no signs, no leading zeros.
    ///
    /// # Errors
    /// [`NotOurs`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotOurs> {
        let (incarnation, place) = text.strip_prefix(PREFIX).and_then(|rest| rest.split_once(':')).ok_or(NotOurs)?;
        let incarnation = Incarnation::parse(incarnation).map_err(|_| NotOurs)?;
        let option = place.parse().map_err(|_| NotOurs)?;
        let data = Self { incarnation, option };
        if data.to_string() == text { Ok(data) } else { Err(NotOurs) }
    }
}

impl fmt::Display for CallbackData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}:{}", self.incarnation, self.option)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_what_was_written_is_read() {
        for text in [
            "",
            "a:",
            "a:9f3c2a715be04d18",
            "a:9f3c2a715be04d18:",
            "a:9f3c2a715be04d18:+1",
            "a:9f3c2a715be04d18:01",
            "a:9f3c2a715be04d18:1 ",
            "a:9F3C2A715BE04D18:1",
            "b:9f3c2a715be04d18:1",
            "a:9f3c2a715be04d18:1:2",
            "a:9f3c2a715be04d18:99999999999999999999999",
        ] {
            assert_eq!(CallbackData::parse(text), Err(NotOurs), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn data_come_back_and_stay_under_64_bytes(bytes: [u8; 8], option: usize) {
            let data = CallbackData { incarnation: Incarnation::from_random(bytes), option };
            let text = data.to_string();
            prop_assert!(text.len() < MOST_BYTES);
            prop_assert_eq!(CallbackData::parse(&text).unwrap(), data);
        }
    }
}
