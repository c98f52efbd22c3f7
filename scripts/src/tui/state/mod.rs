//! The core of the terminal: a state, and what each event does to it. Pure: no terminal, no network, no clock. What is
//! to be done outside is handed back.

mod answering;
mod arriving;
mod browsing;
mod connection;
pub mod editor;
mod elsewhere;
mod listing;
pub mod notes;
pub mod open;

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use pager_questions::{Incarnation, OptionId, Time};

pub use self::connection::{Connection, Way};
use self::editor::Editor;
pub use self::listing::Listing;
use self::notes::Notes;
use self::open::Open;
use super::event::{Effect, Event, Write};
use super::view;
use super::wire::{Question, Update, UpdateId};

/// What is on the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Screen {
    /// The open questions and one of them.
    Questions,
    /// The same, and a question to the person: Enter sends, Esc goes back.
    Confirm(Box<Confirm>),
    /// Own words are being written for this record.
    Words(Incarnation),
    /// The updates.
    Updates,
    /// One of them.
    Update(UpdateId),
    /// What has ended.
    History,
    /// One of it.
    Ended(Incarnation),
    /// What the keys do, and where to go back to.
    Help(Box<Screen>),
    /// Words were written and not sent, or an act is on its way: leave all the same?
    Leaving(Box<Screen>),
}

/// An act that waits for Enter.
#[derive(Debug, Clone, PartialEq)]
pub struct Confirm {
    /// What is asked.
    pub prompt: String,
    /// What Enter sends.
    pub write: Write,
}

/// Which question the keys are about.
#[derive(Debug, Clone, PartialEq)]
pub enum Selected {
    /// None: there is none.
    None,
    /// One of the list.
    Open(Incarnation),
    /// One that ended under the person's eyes. It stays until they move on, so that no key meant for it meets another.
    Gone(Box<Question>),
}

/// The state.
#[derive(Debug)]
pub struct Inbox {
    /// The time of the last event.
    pub now: Time,
    /// The zone that times are shown in.
    pub zone: TimeZone,
    /// Columns and rows.
    pub size: (u16, u16),
    /// Whether colours may be used.
    pub has_colour: bool,
    /// The open questions.
    pub open: Open,
    /// The one that the keys are about.
    pub selected: Selected,
    /// Where the next one stands once the selected one is gone.
    position: usize,
    /// How many lines of the details are above the screen.
    pub scroll: usize,
    /// What is on the screen.
    pub screen: Screen,
    /// The updates.
    pub updates: Listing<Update>,
    /// The mailbox without what is open.
    pub history: Listing<Question>,
    /// What was written and not sent.
    pub drafts: BTreeMap<Incarnation, Editor>,
    /// What is chosen of the selected question and not sent.
    pub picks: Vec<OptionId>,
    /// The acts that are on their way.
    in_flight: BTreeSet<Incarnation>,
    /// The subjects that were seen to their end.
    seen: BTreeSet<Incarnation>,
    /// What was missing from a list, and is asked about.
    missing: BTreeSet<Incarnation>,
    /// What happened.
    pub notes: Notes,
    /// The stream of events.
    pub connection: Connection,
}

impl Inbox {
    /// Before anything is known, and what is to be done first.
    pub fn begin(now: Time, zone: TimeZone, size: (u16, u16), has_colour: bool) -> (Self, Vec<Effect>) {
        let mut inbox = Self {
            now,
            zone,
            size,
            has_colour,
            open: Open::default(),
            selected: Selected::None,
            position: 0,
            scroll: 0,
            screen: Screen::Questions,
            updates: Listing::default(),
            history: Listing::default(),
            drafts: BTreeMap::new(),
            picks: Vec::new(),
            in_flight: BTreeSet::new(),
            seen: BTreeSet::new(),
            missing: BTreeSet::new(),
            notes: Notes::default(),
            connection: Connection::begin(now),
        };
        let mut effects = vec![inbox.connection.listen()];
        effects.extend(inbox.look());
        (inbox, effects)
    }

    /// What follows from an event.
    pub fn handle(&mut self, event: Event, now: Time) -> Vec<Effect> {
        self.now = now;
        let effects = match event {
            Event::Key(key) => self.press(key),
            Event::Pasted(text) => self.paste(&text),
            Event::Resized(columns, rows) => {
                self.size = (columns, rows);
                Vec::new()
            }
            Event::Tick => self.connection.tick(now).into_iter().collect(),
            Event::Open(Ok(page)) => self.listed(page),
            Event::Open(Err(words)) => self.unlisted(&words),
            Event::Updates(result) => self.updates_read(result),
            Event::History(after, result) => self.history_read(after.as_deref(), result),
            Event::Record(question) => self.hear(*question, arriving::From::Reading),
            Event::Stream(number, heard) => self.streamed(number, heard),
            Event::Written(write, outcome) => self.written(&write, *outcome),
            Event::Marked(id, mark, result) => self.marked(&id, mark, result),
        };
        self.look_at_the_details();
        effects
    }

    /// The question that the keys are about, as it is.
    pub fn current(&self) -> Option<&Question> {
        match &self.selected {
            Selected::None => None,
            Selected::Open(incarnation) => self.open.get(incarnation),
            Selected::Gone(question) => Some(question),
        }
    }

    /// Is an act on this record on its way?
    pub fn is_sending(&self, incarnation: &Incarnation) -> bool {
        self.in_flight.contains(incarnation)
    }

    /// Is any act on its way?
    pub fn is_sending_anything(&self) -> bool {
        !self.in_flight.is_empty()
    }

    /// Was its subject seen to its end?
    pub fn was_seen(&self, incarnation: &Incarnation) -> bool {
        self.seen.contains(incarnation)
    }

    /// Reads everything that is looked at.
    fn look(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.open.begin_reading() {
            effects.push(Effect::ReadOpen);
        }
        effects.push(Effect::ReadUpdates);
        effects
    }

    /// Keeps the scrolling within the text, and notes a subject that was seen to its end.
    fn look_at_the_details(&mut self) {
        let Some((laid, room)) = view::details_of(self) else { return };
        self.scroll = self.scroll.min(laid.lines.len().saturating_sub(room));
        if let (Some(end), Selected::Open(incarnation), Screen::Questions) = (laid.subject_end, &self.selected, &self.screen)
            && end < self.scroll + room
        {
            self.seen.insert(incarnation.clone());
        }
    }
}
