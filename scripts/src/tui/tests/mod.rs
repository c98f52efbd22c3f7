//! The core and the view together, without terminal and network: keys go in, effects and screens come out.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod approvals;
mod choosing;
mod elsewhere;
mod hostile;
mod live;
mod outcomes;
mod purposes;
mod screens;
mod words;

use jiff::tz::TimeZone;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::event::{Act, Effect, Event, Message, Outcome, Stream, Write};
use super::samples;
use super::state::Inbox;
use super::view;
use super::wire::{Page, Question};

/// A person in front of the inbox.
pub struct Stage {
    pub inbox: Inbox,
    now: pager_questions::Time,
}

impl Stage {
    /// With these open questions, on a live stream, 80 × 24, without colour.
    pub fn with(questions: Vec<Question>) -> Self {
        Self::sized(questions, 80, 24)
    }

    pub fn sized(questions: Vec<Question>, columns: u16, rows: u16) -> Self {
        let (inbox, effects) = Inbox::begin(samples::now(), TimeZone::UTC, (columns, rows), false);
        assert_eq!(effects, [Effect::Listen(1, None), Effect::ReadOpen, Effect::ReadUpdates]);
        let mut stage = Self { inbox, now: samples::now() };
        stage.gets(Event::Open(Ok(page(questions))));
        stage.hears_stream(Stream::Up);
        stage.gets(Event::Updates(Ok(Page { items: Vec::new(), unreadable: 0, next: None })));
        stage
    }

    pub fn gets(&mut self, event: Event) -> Vec<Effect> {
        self.inbox.handle(event, self.now)
    }

    /// Presses keys, named and parted by spaces. What the last one led to.
    pub fn presses(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for name in keys.split(' ') {
            effects = self.gets(Event::Key(key(name)));
        }
        effects
    }

    /// Types a text letter by letter.
    pub fn types(&mut self, text: &str) {
        for letter in text.chars() {
            self.gets(Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)));
        }
    }

    pub fn hears_stream(&mut self, heard: Stream) -> Vec<Effect> {
        self.gets(Event::Stream(1, heard))
    }

    /// The stream tells an event about a record.
    pub fn hears(&mut self, name: &str, record: &serde_json::Value) -> Vec<Effect> {
        let message = Message { name: name.to_owned(), data: record.to_string(), id: Some("1-1".to_owned()) };
        self.hears_stream(Stream::Message(message))
    }

    pub fn seconds_go_by(&mut self, seconds: i64) -> Vec<Effect> {
        self.now = self.now.plus_millis(seconds * 1000);
        self.gets(Event::Tick)
    }

    /// The write that was just handed out.
    pub fn sent(effects: &[Effect]) -> Write {
        match effects {
            [Effect::Settle(write)] => (**write).clone(),
            other => panic!("nothing is sent but {other:?}"),
        }
    }

    /// What became of it comes back.
    pub fn comes_back(&mut self, write: Write, outcome: Outcome) -> Vec<Effect> {
        self.gets(Event::Written(Box::new(write), Box::new(outcome)))
    }

    pub fn buffer(&self) -> Buffer {
        let (columns, rows) = self.inbox.size;
        let mut terminal = ratatui::Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| view::draw(&self.inbox, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The screen as text, without spaces at line ends.
    pub fn screen(&self) -> String {
        let buffer = self.buffer();
        let width = usize::from(buffer.area.width);
        let row = |cells: &[ratatui::buffer::Cell]| {
            let mut line = String::new();
            let mut covered = 0;
            for cell in cells {
                if covered > 0 {
                    covered -= 1;
                    continue;
                }
                covered = view::wrap::columns(cell.symbol()).saturating_sub(1);
                line.push_str(cell.symbol());
            }
            line.trim_end().to_owned()
        };
        buffer.content.chunks(width).map(row).collect::<Vec<_>>().join("\n")
    }

    /// Whether these words are on the screen, over the ends of lines too.
    fn has(&self, words: &str) -> bool {
        let screen = self.screen();
        screen.contains(words) || screen.replace('\n', " ").contains(words)
    }

    #[track_caller]
    pub fn shows(&self, words: &str) {
        assert!(self.has(words), "{words:?} is not on the screen:\n{}", self.screen());
    }

    #[track_caller]
    pub fn lacks(&self, words: &str) {
        assert!(!self.has(words), "{words:?} is on the screen:\n{}", self.screen());
    }
}

pub fn page(items: Vec<Question>) -> Page<Question> {
    Page { items, unreadable: 0, next: None }
}

/// The ids of the chosen options.
pub fn chosen(write: &Write) -> Vec<&str> {
    match &write.act {
        Act::Choose(chosen) => chosen.iter().map(|(id, _)| id.as_str()).collect(),
        other => panic!("no choice but {other:?}"),
    }
}

fn key(name: &str) -> KeyEvent {
    let (held, name) = match name.strip_prefix("ctrl-") {
        Some(name) => (KeyModifiers::CONTROL, name),
        None => (KeyModifiers::NONE, name),
    };
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "pgdn" => KeyCode::PageDown,
        "pgup" => KeyCode::PageUp,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "backspace" => KeyCode::Backspace,
        letter => KeyCode::Char(letter.chars().next().unwrap()),
    };
    KeyEvent::new(code, held)
}
