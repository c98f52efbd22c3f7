//! Places in the owner's long lists as opaque text, made of the sort key, and back. Whoever made one up gets None.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use pager_questions::Author;

use crate::store::{HistoryPlace, MailboxPlace};

/// A place in the mailbox as text.
pub fn write_mailbox(place: &MailboxPlace) -> String {
    URL_SAFE_NO_PAD.encode(format!("m.{}.{}.{}", place.asked_at, place.number, place.source))
}

/// A text as the place in the mailbox that it was made from.
pub fn read_mailbox(text: &str) -> Option<MailboxPlace> {
    let plain = plain(text)?;
    let mut parts = plain.strip_prefix("m.")?.splitn(3, '.');
    let (asked_at, number) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(MailboxPlace { asked_at, source: Author::parse(parts.next()?).ok()?, number })
}

/// A place in the history as text.
pub fn write_history(place: &HistoryPlace) -> String {
    URL_SAFE_NO_PAD.encode(format!("h.{}.{}", place.ended_at, place.number))
}

/// A text as the place in the history that it was made from.
pub fn read_history(text: &str) -> Option<HistoryPlace> {
    let plain = plain(text)?;
    let (ended_at, number) = plain.strip_prefix("h.")?.split_once('.')?;
    Some(HistoryPlace { ended_at: ended_at.parse().ok()?, number: number.parse().ok()? })
}

fn plain(text: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn a_place_comes_back_from_its_text() {
        for source in ["deploy", "control/ci.nightly"] {
            let place = MailboxPlace { asked_at: 1_796_044_935_004, source: Author::parse(source).unwrap(), number: 17 };
            assert_eq!(read_mailbox(&write_mailbox(&place)), Some(place));
        }
        let place = HistoryPlace { ended_at: 1_796_044_935_004, number: i64::MAX };
        assert_eq!(read_history(&write_history(&place)), Some(place));
    }

    #[test]
    fn a_text_that_was_made_up_or_is_of_another_list_is_no_place() {
        let history = write_history(&HistoryPlace { ended_at: 1, number: 2 });
        let mailbox = write_mailbox(&MailboxPlace { asked_at: 1, source: Author::parse("deploy").unwrap(), number: 2 });
        assert_eq!(read_history(&mailbox), None);
        for text in ["", "xyz", "%", &history, &URL_SAFE_NO_PAD.encode("m.1.2."), &URL_SAFE_NO_PAD.encode("m.1.x.deploy")] {
            assert_eq!(read_mailbox(text), None, "{text}");
        }
    }
}
