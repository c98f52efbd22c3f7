//! What is known of the stream of events: whether it lives, and where to go on when it does not.

use pager_questions::Time;

use super::super::event::{Effect, Stream};

/// A stream that lives sends a comment every 15 seconds; after this it is taken for dead.
const SILENCE: i64 = 40_000;

/// How news come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Not yet.
    Beginning,
    /// As they happen.
    Stream,
    /// By looking: this pagerd has no stream.
    Looking,
    /// Not at the moment.
    Lost,
}

/// The stream.
#[derive(Debug)]
pub struct Connection {
    /// How news come in.
    pub way: Way,
    number: u64,
    heard: Time,
    after: Option<String>,
}

impl Connection {
    /// Before the first attempt.
    pub fn begin(now: Time) -> Self {
        Self { way: Way::Beginning, number: 0, heard: now, after: None }
    }

    /// Begins to listen, after what was heard last.
    pub fn listen(&mut self) -> Effect {
        self.number += 1;
        Effect::Listen(self.number, self.after.clone())
    }

    /// Takes what a stream says. False when it is not the one that counts.
    pub fn hear(&mut self, number: u64, heard: &Stream, now: Time) -> bool {
        if number != self.number {
            return false;
        }
        self.heard = now;
        self.way = match heard {
            Stream::Up | Stream::Heard => Way::Stream,
            Stream::Message(message) => {
                self.after = message.id.clone().or(self.after.take());
                Way::Stream
            }
            Stream::Absent => Way::Looking,
            Stream::Lost(_) => Way::Lost,
        };
        true
    }

    /// Begins anew when the stream has been silent for too long: a network that went away says nothing.
    pub fn tick(&mut self, now: Time) -> Option<Effect> {
        let is_dead = self.way == Way::Stream && now.as_millis() - self.heard.as_millis() > SILENCE;
        is_dead.then(|| {
            self.way = Way::Lost;
            self.listen()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::event::Message;
    use super::*;

    #[test]
    fn a_stream_that_is_silent_for_too_long_is_begun_anew_after_what_was_heard_last() {
        let now = Time::from_millis(0);
        let mut connection = Connection::begin(now);
        assert_eq!(connection.listen(), Effect::Listen(1, None));
        let message = Message { id: Some("7".to_owned()), ..Message::default() };
        assert!(connection.hear(1, &Stream::Message(message), now));
        assert!(connection.hear(1, &Stream::Heard, now.plus_millis(20_000)));
        assert_eq!(connection.tick(now.plus_millis(60_000)), None);
        assert_eq!(connection.tick(now.plus_millis(60_001)), Some(Effect::Listen(2, Some("7".to_owned()))));
        assert_eq!(connection.way, Way::Lost);
    }

    #[test]
    fn what_a_stream_that_was_given_up_says_later_does_not_count() {
        let now = Time::from_millis(0);
        let mut connection = Connection::begin(now);
        connection.listen();
        connection.listen();
        assert!(!connection.hear(1, &Stream::Lost("late".to_owned()), now));
        assert_eq!(connection.way, Way::Beginning);
    }
}
