//! What a button of an update carries: the update's key and what the owner does with it.

use std::fmt;

use pager_questions::Incarnation;
use pager_questions::update::Mark;

use super::NotOurs;

const PREFIX: &str = "u:";

/// One mark of one update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateButton {
    /// The digits of the update's id.
    pub key: Incarnation,
    /// What the button does.
    pub mark: Mark,
}

impl UpdateButton {
    /// Reads `u:<16 hex digits>:r` or `…:d` exactly as it is written.
    ///
    /// # Errors
    /// [`NotOurs`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotOurs> {
        let (key, mark) = text.strip_prefix(PREFIX).and_then(|rest| rest.split_once(':')).ok_or(NotOurs)?;
        let key = Incarnation::parse(key).map_err(|_| NotOurs)?;
        let mark = [Mark::Read, Mark::Dismiss].into_iter().find(|known| letter(*known) == mark).ok_or(NotOurs)?;
        Ok(Self { key, mark })
    }
}

impl fmt::Display for UpdateButton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}:{}", self.key, letter(self.mark))
    }
}

fn letter(mark: Mark) -> &'static str {
    match mark {
        Mark::Read => "r",
        Mark::Dismiss => "d",
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
            "u:",
            "u:9f3c2a715be04d18",
            "u:9f3c2a715be04d18:",
            "u:9f3c2a715be04d18:x",
            "u:9f3c2a715be04d18:R",
            "u:9f3c2a715be04d18:r ",
            "u:9F3C2A715BE04D18:r",
            "u:9f3c2a715be04d1:r",
            "a:9f3c2a715be04d18:r",
            "u:9f3c2a715be04d18:r:d",
        ] {
            assert_eq!(UpdateButton::parse(text), Err(NotOurs), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_button_comes_back_stays_under_64_bytes_and_is_never_taken_for_an_option(bytes: [u8; 8], is_read: bool, option: usize) {
            let (key, mark) = (Incarnation::from_random(bytes), if is_read { Mark::Read } else { Mark::Dismiss });
            let button = UpdateButton { key: key.clone(), mark };
            let text = button.to_string();
            prop_assert!(text.len() < MOST_BYTES);
            prop_assert_eq!(CallbackData::parse(&text), Err(NotOurs));
            prop_assert_eq!(UpdateButton::parse(&text).unwrap(), button);
            prop_assert_eq!(UpdateButton::parse(&CallbackData { incarnation: key, option }.to_string()), Err(NotOurs));
        }

        #[test]
        fn what_is_read_is_what_would_be_written(text in "([au]:)?[0-9a-fA-F:rd ]{0,24}|\\PC*") {
            if let Ok(button) = UpdateButton::parse(&text) {
                prop_assert_eq!(button.to_string(), text.clone());
            }
            if let Ok(data) = CallbackData::parse(&text) {
                prop_assert_eq!(data.to_string(), text);
            }
        }
    }
}
