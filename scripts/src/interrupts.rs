//! Waiting for a reply and for SIGINT or SIGTERM at once. What may hang runs in a thread of its own, so that a signal is
//! heard while it hangs. The second signal ends the process at once.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::client::{Call, Client, Reply, Unreachable};
use crate::exit::Exit;
use crate::failure::Failure;

/// Enough for a request, TLS included.
const STACK: usize = 512 * 1024;

/// What was heard first.
pub enum Heard<T = Result<Reply, Unreachable>> {
    /// The reply.
    Reply(T),
    /// A signal, by its number.
    Signal(i32),
    /// Nothing until the time was up. The work is left to itself.
    TimeUp,
}

enum Event<T> {
    Reply(u64, T),
    Signal(i32),
}

/// The ear of a waiting verb, for replies of one kind.
pub struct Interrupts<T = Result<Reply, Unreachable>> {
    events: Receiver<Event<T>>,
    sender: Sender<Event<T>>,
    request: u64,
}

/// From here on the first signal ends the process, with what it started: for a verb that waits for nothing.
///
/// # Errors
/// When the system lets no signal be heard or no thread be made.
pub fn end_at_a_signal() -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(unheard)?;
    let listen = move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    };
    std::thread::Builder::new().stack_size(64 * 1024).spawn(listen).map(drop).map_err(unheard)
}

impl Interrupts {
    /// Sends a request and listens until `end`; `tick` is called every second when given.
    pub fn send(&mut self, client: &Arc<Client>, call: Call, end: Option<Instant>, tick: Option<&mut dyn FnMut()>) -> Heard {
        let lost = Arc::clone(client);
        let client = Arc::clone(client);
        self.run(move || client.send(&call), end, tick).unwrap_or_else(|error| Heard::Reply(Err(lost.not_begun(&error))))
    }
}

impl<T: Send + 'static> Interrupts<T> {
    /// Listens from here on.
    ///
    /// # Errors
    /// When the system lets no signal be heard or no thread be made.
    pub fn listen() -> Result<Self, Failure> {
        let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(unheard)?;
        let (sender, events) = channel();
        let ear = sender.clone();
        let listen = move || {
            for (count, signal) in signals.forever().enumerate() {
                if count > 0 || ear.send(Event::Signal(signal)).is_err() {
                    end(signal);
                }
            }
        };
        std::thread::Builder::new().stack_size(64 * 1024).spawn(listen).map_err(unheard)?;
        Ok(Self { events, sender, request: 0 })
    }

    /// Does something and listens until `end`; `tick` is called every second when given.
    ///
    /// # Errors
    /// When no thread can be made for it. Nothing was done then.
    pub fn run(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
        end: Option<Instant>,
        mut tick: Option<&mut dyn FnMut()>,
    ) -> std::io::Result<Heard<T>> {
        self.request += 1;
        let (sender, number) = (self.sender.clone(), self.request);
        let work = move || {
            let reply = work();
            // Nobody listens any more when the process is on its way out.
            let _ = sender.send(Event::Reply(number, reply));
        };
        std::thread::Builder::new().stack_size(STACK).spawn(work)?;
        loop {
            let second = tick.is_some().then(|| Instant::now() + Duration::from_secs(1));
            match self.next(earlier(second, end)) {
                Some(Event::Reply(number, reply)) if number == self.request => return Ok(Heard::Reply(reply)),
                Some(Event::Reply(..)) => {}
                Some(Event::Signal(signal)) => return Ok(Heard::Signal(signal)),
                None if end.is_some_and(|end| end <= Instant::now()) => return Ok(Heard::TimeUp),
                None => tick.iter_mut().for_each(|tick| tick()),
            }
        }
    }

    /// Listens for nothing but a signal.
    pub fn pause(&self, duration: Duration) -> Option<i32> {
        let end = Instant::now() + duration;
        loop {
            match self.next(Some(end)) {
                Some(Event::Reply(..)) => {}
                Some(Event::Signal(signal)) => return Some(signal),
                None => return None,
            }
        }
    }

    /// The same; `tick` is called every second when given.
    pub fn pause_with(&self, duration: Duration, mut tick: Option<&mut dyn FnMut()>) -> Option<i32> {
        let end = Instant::now() + duration;
        while let Some(tick) = &mut tick {
            let left = end.saturating_duration_since(Instant::now());
            if left <= Duration::from_secs(1) {
                break;
            }
            if let Some(signal) = self.pause(Duration::from_secs(1)) {
                return Some(signal);
            }
            tick();
        }
        self.pause(end.saturating_duration_since(Instant::now()))
    }

    fn next(&self, until: Option<Instant>) -> Option<Event<T>> {
        let Some(until) = until else { return self.events.recv().ok() };
        self.events.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }
}

fn end(signal: i32) -> ! {
    crate::git::end_all();
    std::process::exit(i32::from(Exit::Interrupted(signal).code()))
}

fn unheard(error: std::io::Error) -> Failure {
    Failure::failed(format!("signals cannot be heard: {error}"))
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
