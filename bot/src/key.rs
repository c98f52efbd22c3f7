//! The short key of a question, for commands in a chat without topics: the beginning of its incarnation. A key is looked up
//! as a beginning, so a longer one is as good, and says more when two questions begin alike.

use pager_questions::Incarnation;

/// How many characters a message shows: easy to type, and enough to tell thousands of open questions apart.
const SHOWN: usize = 6;
/// The fewest characters that are looked up, and the most that there are.
const FEWEST: usize = 4;
const MOST: usize = 16;

/// The key that the question's message shows.
pub fn key(incarnation: &Incarnation) -> &str {
    &incarnation.as_str()[..SHOWN]
}

/// Reads what somebody typed: 4 to 16 hex digits, in any case. None for anything else.
pub fn read(text: &str) -> Option<String> {
    let key = text.to_ascii_lowercase();
    let fits = (FEWEST..=MOST).contains(&key.len()) && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    fits.then_some(key)
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_beginning_of_the_incarnation() {
        assert_eq!(key(&Incarnation::parse("9f3c2a715be04d18").unwrap()), "9f3c2a");
        for (typed, key) in
            [("9f3c2a", "9f3c2a"), ("9F3C2A", "9f3c2a"), ("9f3c2a715be04d18", "9f3c2a715be04d18"), ("9f3c", "9f3c")]
        {
            assert_eq!(read(typed).as_deref(), Some(key));
        }
        for typed in ["", "9f3", "9f3c2g", "9f3c2a715be04d180", "９f3c2a", "release", "9f3c%", "9f3c 2a"] {
            assert_eq!(read(typed), None, "{typed:?}");
        }
    }
}
