//! `ask inbox`: the owner's open questions in a terminal. The core (`state`) decides what a key or a word from the service
//! does, the view draws it; here both meet threads, the terminal and the network.

mod ends;
mod event;
mod listening;
mod requests;
#[cfg(test)]
mod samples;
mod shown;
mod state;
mod stream;
mod terminal;
#[cfg(test)]
mod tests;
mod times;
mod view;
mod wire;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use jiff::tz::TimeZone;
use ratatui::crossterm::event as keys;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use self::event::{Effect, Event};
use self::requests::Requests;
use self::state::Inbox;
pub use self::terminal::is_there;
use self::terminal::{Terminal, has_colour};
use crate::again;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;

/// Enough for a request, TLS included.
const STACK: usize = 512 * 1024;
/// Ages and deadlines on the screen are never older than this.
const TICK: Duration = Duration::from_secs(1);

/// What a thread tells the loop.
enum Heard {
    Event(Event),
    Signal(i32),
    /// Nothing more comes from the keyboard.
    Deaf,
}

/// Shows the inbox until the person leaves.
///
/// # Errors
/// When pagerd refuses, or the terminal cannot be used.
pub fn run(client: Client) -> Result<Exit, Failure> {
    let client = Arc::new(client);
    let requests = Arc::new(Requests::new(Arc::clone(&client)));
    // Before the screen changes: a wrong token or address is told like any other failure.
    let first = requests.open()?;
    let (sender, heard) = channel();
    let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(|error| no_terminal(&error))?;
    let mut terminal = Terminal::take().map_err(|error| no_terminal(&error))?;
    let size = terminal.size().map_err(|error| no_terminal(&error))?;
    let colour = has_colour(|name| std::env::var(name).ok());
    let (mut inbox, mut effects) = Inbox::begin(again::now(), zone(), size, colour);
    effects.extend(inbox.handle(Event::Open(Ok(first)), again::now()));
    let doing = Doing { client, requests, sender: sender.clone() };
    listen_to_signals(signals, sender.clone()).map_err(|error| no_terminal(&error))?;
    listen_to_keys(sender).map_err(|error| no_terminal(&error))?;
    serve(&mut inbox, effects, &mut terminal, &heard, &doing)
}

fn serve(
    inbox: &mut Inbox,
    mut effects: Vec<Effect>,
    terminal: &mut Terminal,
    heard: &Receiver<Heard>,
    doing: &Doing,
) -> Result<Exit, Failure> {
    loop {
        for effect in effects.drain(..) {
            if effect == Effect::Quit {
                return Ok(Exit::Done);
            }
            doing.start(effect).map_err(|error| Failure::failed(format!("a thread cannot be started: {error}")))?;
        }
        terminal.draw(|frame| view::draw(inbox, frame)).map_err(|error| no_terminal(&error))?;
        // Everything that is there already, then one screen.
        let mut next = heard.recv_timeout(TICK).unwrap_or(Heard::Event(Event::Tick));
        loop {
            match next {
                Heard::Event(event) => effects.extend(inbox.handle(event, again::now())),
                Heard::Signal(signal) => return Ok(Exit::Interrupted(signal)),
                Heard::Deaf => return Err(Failure::failed("the terminal is gone: open another one and run `ask inbox` again")),
            }
            match heard.try_recv() {
                Ok(more) if effects.is_empty() => next = more,
                Ok(more) => {
                    // Effects go out in the order of what caused them.
                    next = more;
                    for effect in effects.drain(..) {
                        if effect == Effect::Quit {
                            return Ok(Exit::Done);
                        }
                        doing.start(effect).map_err(|error| Failure::failed(format!("a thread cannot be started: {error}")))?;
                    }
                }
                Err(_) => break,
            }
        }
    }
}

/// Whatever effects need.
struct Doing {
    client: Arc<Client>,
    requests: Arc<Requests>,
    sender: Sender<Heard>,
}

impl Doing {
    /// Does an effect in a thread of its own.
    fn start(&self, effect: Effect) -> std::io::Result<()> {
        let (client, requests, sender) = (Arc::clone(&self.client), Arc::clone(&self.requests), self.sender.clone());
        let work = move || {
            let event = match effect {
                Effect::ReadOpen => Some(Event::Open(requests.open().map_err(|failure| failure.words))),
                Effect::ReadUpdates => Some(requests.updates()),
                Effect::ReadHistory(after) => Some(requests.history(after)),
                Effect::ReadRecord(id) => requests.record(&id),
                Effect::Settle(write) => Some(requests.settle(write)),
                Effect::Mark(id, mark) => Some(requests.mark(id, mark)),
                Effect::Listen(number, after) => {
                    let say = |heard| sender.send(Heard::Event(Event::Stream(number, heard))).is_ok();
                    listening::listen(&client, after, &say);
                    None
                }
                Effect::Quit => None,
            };
            // Nobody listens any more when the process is on its way out.
            event.map_or(Ok(()), |event| sender.send(Heard::Event(event))).unwrap_or_default();
        };
        std::thread::Builder::new().stack_size(STACK).spawn(work).map(drop)
    }
}

fn listen_to_keys(sender: Sender<Heard>) -> std::io::Result<()> {
    let listen = move || {
        loop {
            let heard = match keys::read() {
                Ok(keys::Event::Key(key)) => {
                    break_for_a_test(key.code);
                    Heard::Event(Event::Key(key))
                }
                Ok(keys::Event::Paste(text)) => Heard::Event(Event::Pasted(text)),
                Ok(keys::Event::Resize(columns, rows)) => Heard::Event(Event::Resized(columns, rows)),
                Ok(keys::Event::FocusGained | keys::Event::FocusLost | keys::Event::Mouse(_)) => continue,
                Err(_) => Heard::Deaf,
            };
            let is_over = matches!(heard, Heard::Deaf);
            if sender.send(heard).is_err() || is_over {
                return;
            }
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(listen).map(drop)
}

/// A debug build breaks at the key that a test names: what a panic leaves behind can be looked at.
#[cfg(debug_assertions)]
fn break_for_a_test(code: keys::KeyCode) {
    if let (keys::KeyCode::Char(letter), Ok(wanted)) = (code, std::env::var("ASK_INBOX_PANICS_AT")) {
        assert!(wanted != letter.to_string(), "a test wanted it to break");
    }
}

#[cfg(not(debug_assertions))]
fn break_for_a_test(_: keys::KeyCode) {}

fn listen_to_signals(mut signals: Signals, sender: Sender<Heard>) -> std::io::Result<()> {
    let listen = move || {
        for (count, signal) in signals.forever().enumerate() {
            // A terminal that takes nothing any more holds the loop up; the second signal does not wait for it.
            if count > 0 || sender.send(Heard::Signal(signal)).is_err() {
                terminal::give_back();
                std::process::exit(i32::from(Exit::Interrupted(signal).code()));
            }
        }
    };
    std::thread::Builder::new().stack_size(64 * 1024).spawn(listen).map(drop)
}

/// This machine's zone; UTC where it has none.
fn zone() -> TimeZone {
    TimeZone::try_system().unwrap_or(TimeZone::UTC)
}

fn no_terminal(error: &std::io::Error) -> Failure {
    Failure::failed(format!("this terminal cannot be used: {error}; `ask inbox --json` needs none"))
}
