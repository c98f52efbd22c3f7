//! What a button of a question carries: the record's incarnation and what the press does, far below Telegram's 64 bytes.
//! It is a claim of whoever presses; the worker checks it against the record.

mod held;
mod update;

use std::fmt;

use pager_questions::Incarnation;

pub use held::HeldButton;
pub use update::UpdateButton;

/// The most bytes that a button's data may have.
pub const MOST_BYTES: usize = 64;

const PICK: &str = "a";
const TOGGLE: &str = "t";
const SEND: &str = "s";

/// What a press does to one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackData {
    /// The record that the button was made for.
    pub incarnation: Incarnation,
    /// What it does.
    pub act: Act,
}

/// What a press does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Picks the option at this place, from 0; that settles the question.
    Pick(usize),
    /// Where several options may be picked: marks the one at this place, or takes its mark away.
    Toggle(usize),
    /// Settles the question with the marked options.
    Send,
}

/// A button's data that this bot never wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the button carries nothing that this bot wrote")]
pub struct NotOurs;

impl CallbackData {
    /// Reads `a:<16 hex digits>:<place>`, `t:<16 hex digits>:<place>` or `s:<16 hex digits>` exactly as it is written: no
    /// spaces, no signs, no leading zeros.
    ///
    /// # Errors
    /// [`NotOurs`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotOurs> {
        let mut parts = text.split(':');
        let mut next = || parts.next().ok_or(NotOurs);
        let (letter, incarnation) = (next()?, Incarnation::parse(next()?).map_err(|_| NotOurs)?);
        let act = match letter {
            PICK => Act::Pick(next()?.parse().map_err(|_| NotOurs)?),
            TOGGLE => Act::Toggle(next()?.parse().map_err(|_| NotOurs)?),
            SEND => Act::Send,
            _ => return Err(NotOurs),
        };
        let data = Self { incarnation, act };
        if data.to_string() == text { Ok(data) } else { Err(NotOurs) }
    }
}

impl fmt::Display for CallbackData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.act {
            Act::Pick(place) => write!(f, "{PICK}:{}:{place}", self.incarnation),
            Act::Toggle(place) => write!(f, "{TOGGLE}:{}:{place}", self.incarnation),
            Act::Send => write!(f, "{SEND}:{}", self.incarnation),
        }
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
            "t:9f3c2a715be04d18",
            "t:9f3c2a715be04d18:01",
            "t:9f3c2a715be04d18:-1",
            "s:9f3c2a715be04d18:0",
            "s:9f3c2a715be04d18:",
            "s:9f3c2a715be04d1",
            "s",
        ] {
            assert_eq!(CallbackData::parse(text), Err(NotOurs), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn data_come_back_and_stay_under_64_bytes(bytes: [u8; 8], place: usize) {
            for act in [Act::Pick(place), Act::Toggle(place), Act::Send] {
                let data = CallbackData { incarnation: Incarnation::from_random(bytes), act };
                let text = data.to_string();
                prop_assert!(text.len() < MOST_BYTES);
                prop_assert_eq!(CallbackData::parse(&text).unwrap(), data);
            }
        }
    }
}
