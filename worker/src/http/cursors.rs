//! Places in long lists as opaque text, made of the sort key, and back. Whoever made one up gets None.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use pager_questions::Author;

use crate::store::{Cursor, HistoryPlace, MailboxPlace};

/// Where a page of some list begins.
pub trait Place: Sized {
    /// Its sort key, the parts joined by dots.
    fn key(&self) -> String;

    /// The place that has this key; None when it is none of this list.
    fn of_key(key: &str) -> Option<Self>;
}

/// A place as text.
pub fn write(place: &impl Place) -> String {
    URL_SAFE_NO_PAD.encode(place.key())
}

/// A text as the place that it was made from.
pub fn read<P: Place>(text: &str) -> Option<P> {
    let key = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    P::of_key(&key)
}

impl Place for Cursor {
    fn key(&self) -> String {
        format!("{}.{}.{}", u8::from(self.hard), self.asked_at, self.number)
    }

    fn of_key(key: &str) -> Option<Self> {
        let mut parts = key.split('.');
        let hard = match parts.next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        let cursor = Self { hard, asked_at: parts.next()?.parse().ok()?, number: parts.next()?.parse().ok()? };
        parts.next().is_none().then_some(cursor)
    }
}

impl Place for MailboxPlace {
    fn key(&self) -> String {
        format!("m.{}.{}.{}", self.asked_at, self.number, self.source)
    }

    fn of_key(key: &str) -> Option<Self> {
        // A source may have dots in it.
        let mut parts = key.strip_prefix("m.")?.splitn(3, '.');
        let (asked_at, number) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Self { asked_at, source: Author::parse(parts.next()?).ok()?, number })
    }
}

impl Place for HistoryPlace {
    fn key(&self) -> String {
        format!("h.{}.{}", self.ended_at, self.number)
    }

    fn of_key(key: &str) -> Option<Self> {
        let (ended_at, number) = key.strip_prefix("h.")?.split_once('.')?;
        Some(Self { ended_at: ended_at.parse().ok()?, number: number.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn a_place_comes_back_from_its_text() {
        for source in ["deploy", "control/ci.nightly"] {
            let place = MailboxPlace { asked_at: 1_796_044_935_004, source: Author::parse(source).unwrap(), number: 17 };
            assert_eq!(read(&write(&place)), Some(place));
        }
        let place = HistoryPlace { ended_at: 1_796_044_935_004, number: i64::MAX };
        assert_eq!(read(&write(&place)), Some(place));
    }

    #[test]
    fn a_text_that_was_made_up_or_is_of_another_list_is_no_place() {
        let history = write(&HistoryPlace { ended_at: 1, number: 2 });
        let mailbox = write(&MailboxPlace { asked_at: 1, source: Author::parse("deploy").unwrap(), number: 2 });
        assert_eq!(read::<HistoryPlace>(&mailbox), None);
        for text in ["", "xyz", "%", &history, &URL_SAFE_NO_PAD.encode("m.1.2."), &URL_SAFE_NO_PAD.encode("m.1.x.deploy")] {
            assert_eq!(read::<MailboxPlace>(text), None, "{text}");
        }
    }
}
