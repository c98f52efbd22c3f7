//! One line on a terminal while somebody waits, rewritten in place: how long, and where the question is shown. Where
//! standard error is no terminal it says nothing.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use pager_questions::text::reveal;

use crate::duration::for_people;
use crate::json::Json;
use crate::patience::Patience;

/// How soon the record is read again for its link, and how often at most.
const LINK_PAUSE: Duration = Duration::from_secs(2);
const LINK_TRIES: u8 = 5;

/// The line.
pub struct Progress {
    visible: bool,
    id: String,
    link: Option<String>,
    tries: u8,
    patience: Patience,
}

impl Progress {
    /// Of a wait for this question.
    pub fn new(id: &str, patience: Patience) -> Self {
        Self { visible: stderr().is_terminal(), id: id.to_owned(), link: None, tries: LINK_TRIES, patience }
    }

    /// The same where the record cannot be read, and so no link be shown.
    pub fn without_link(id: &str, patience: Patience) -> Self {
        let mut progress = Self::new(id, patience);
        progress.tries = 0;
        progress
    }

    /// Does anybody see it?
    pub fn is_visible(&self) -> bool {
        self.visible
    }

    /// How long to hold a request at most, while the question's link is not known.
    pub fn hold(&self) -> Option<Duration> {
        self.wants_link().then_some(LINK_PAUSE)
    }

    /// Is the record to be read for its link?
    pub fn wants_link(&self) -> bool {
        self.visible && self.link.is_none() && self.tries > 0
    }

    /// Takes the link of a record that was read for it.
    pub fn learn(&mut self, record: Option<&Json>) {
        self.tries = self.tries.saturating_sub(1);
        self.link =
            record.and_then(|record| record.get("delivery")).and_then(|delivery| delivery.text("link")).map(str::to_owned);
    }

    /// Writes the line over itself.
    pub fn draw(&self) {
        if self.visible {
            let shown = self.link.as_ref().map(|link| format!(", shown at {}", reveal(link))).unwrap_or_default();
            let _ = write!(stderr(), "\r\x1b[Kwaited {} for {}{shown}", for_people(self.patience.waited()), self.id);
        }
    }

    /// Takes the line away, so that other words can be written.
    pub fn clear(&self) {
        if self.visible {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
