//! Reading Server-Sent Events: lines to messages, as the HTML standard says. Comments are life signs.

use std::io::{self, BufRead, Read};

use super::event::Message;

/// No record comes near this; a line that is longer is no event of pagerd's.
const LONGEST_LINE: u64 = 8 * 1024 * 1024;

/// What a line brings.
#[derive(Debug, PartialEq, Eq)]
pub enum Brought {
    /// A sign of life.
    Nothing,
    /// A whole message.
    Message(Message),
}

/// A reader of events.
pub struct Events<R> {
    source: R,
    pending: Message,
    has_data: bool,
    pending_id: Option<String>,
    last_id: Option<String>,
}

impl<R: BufRead> Events<R> {
    /// Reads from this.
    pub fn new(source: R) -> Self {
        Self { source, pending: Message::default(), has_data: false, pending_id: None, last_id: None }
    }

    /// Where to go on after what was read, as far as it was told.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// The next line. None at the end; what was not finished then is no message.
    ///
    /// # Errors
    /// When the source breaks, or sends what is no event.
    pub fn next(&mut self) -> io::Result<Option<Brought>> {
        let mut line = Vec::new();
        (&mut self.source).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.pop() != Some(b'\n') {
            let is_long = line.len() as u64 + 1 >= LONGEST_LINE;
            return if is_long { Err(io::Error::other("a line of the events has no end")) } else { Ok(None) };
        }
        let line = String::from_utf8(line).map_err(|_| io::Error::other("the events are no text"))?;
        Ok(Some(self.take(line.trim_end_matches('\r'))))
    }

    fn take(&mut self, line: &str) -> Brought {
        if line.is_empty() {
            // An id counts once its event is whole: what broke off is told again.
            self.last_id = self.pending_id.clone();
            let message = std::mem::take(&mut self.pending);
            let is_message = std::mem::take(&mut self.has_data);
            return if is_message { Brought::Message(Message { id: self.last_id.clone(), ..message }) } else { Brought::Nothing };
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.pending.name),
            "data" => {
                if self.has_data {
                    self.pending.data.push('\n');
                }
                self.pending.data.push_str(value);
                self.has_data = true;
            }
            "id" if !value.contains('\0') => self.pending_id = Some(value.to_owned()),
            _ => {}
        }
        Brought::Nothing
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn messages(text: &str) -> Vec<Message> {
        let mut events = Events::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(brought) = events.next().unwrap() {
            if let Brought::Message(message) = brought {
                found.push(message);
            }
        }
        found
    }

    fn message(name: &str, data: &str, id: Option<&str>) -> Message {
        Message { name: name.to_owned(), data: data.to_owned(), id: id.map(str::to_owned) }
    }

    #[test]
    fn messages_are_read_with_their_names_and_ids() {
        let text = ": hello\n\nid: 7\nevent: question.asked\ndata: {\"a\":\ndata: 1}\n\n:\n\ndata:x\r\n\r\n";
        assert_eq!(messages(text), [message("question.asked", "{\"a\":\n1}", Some("7")), message("", "x", Some("7"))]);
    }

    #[test]
    fn what_breaks_off_is_no_message() {
        assert_eq!(messages("id: 8\nevent: question.asked\ndata: {\"a\""), []);
        let mut events = Events::new("id: 7\n\nid: 8\ndata: {}\n".as_bytes());
        while events.next().unwrap().is_some() {}
        assert_eq!(events.last_id(), Some("7"));
    }

    #[test]
    fn every_line_is_a_sign_of_life() {
        let mut events = Events::new(": still here\n".as_bytes());
        assert_eq!(events.next().unwrap(), Some(Brought::Nothing));
        assert_eq!(events.next().unwrap(), None);
    }

    #[test]
    fn a_life_sign_may_tell_how_far_it_is() {
        let mut events = Events::new("retry: 1000\nid: 3\n\n: still here\nid: 9\n\n".as_bytes());
        while events.next().unwrap().is_some() {}
        assert_eq!(events.last_id(), Some("9"));
    }

    #[test]
    fn what_is_no_text_is_an_error() {
        assert!(Events::new([0xff, b'\n'].as_slice()).next().is_err());
    }
}
