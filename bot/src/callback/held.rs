//! What the button *Send anyway* carries: the question, and the update whose words were held back. Never the words.

use std::fmt;

use pager_questions::Incarnation;

use super::NotOurs;

const PREFIX: &str = "h:";

/// Words that were held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldButton {
    /// The question that they answer.
    pub incarnation: Incarnation,
    /// The update that brought them.
    pub update: i64,
}

impl HeldButton {
    /// Reads `h:<16 hex digits>:<number>` exactly as it is written.
    ///
    /// # Errors
    /// [`NotOurs`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotOurs> {
        let (incarnation, update) = text.strip_prefix(PREFIX).and_then(|rest| rest.split_once(':')).ok_or(NotOurs)?;
        let incarnation = Incarnation::parse(incarnation).map_err(|_| NotOurs)?;
        let data = Self { incarnation, update: update.parse().map_err(|_| NotOurs)? };
        if data.to_string() == text { Ok(data) } else { Err(NotOurs) }
    }
}

impl fmt::Display for HeldButton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}:{}", self.incarnation, self.update)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use proptest::prelude::*;

    use super::*;
    use crate::callback::{CallbackData, MOST_BYTES};

    #[test]
    fn only_what_was_written_is_read() {
        for text in [
            "",
            "h:",
            "h:9f3c2a715be04d18",
            "h:9f3c2a715be04d18:",
            "h:9f3c2a715be04d18:+1",
            "h:9f3c2a715be04d18:01",
            "a:9f3c2a715be04d18:1",
        ] {
            assert_eq!(HeldButton::parse(text), Err(NotOurs), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn data_come_back_stay_under_64_bytes_and_are_no_option(bytes: [u8; 8], update: i64) {
            let data = HeldButton { incarnation: Incarnation::from_random(bytes), update };
            let text = data.to_string();
            prop_assert!(text.len() < MOST_BYTES);
            prop_assert!(CallbackData::parse(&text).is_err());
            prop_assert_eq!(HeldButton::parse(&text).unwrap(), data);
        }
    }
}
