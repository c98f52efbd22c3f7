//! Waits for one answer: held requests one after the other, across restarts of the service and lost networks, until there
//! is an answer, an end, a signal, or patience is over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::again::Backoff;
use crate::asked::{self, Asked};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupts::{Heard, Interrupts};
use crate::json::Json;
use crate::output;
use crate::patience::Patience;
use crate::progress::Progress;
use crate::reading::{self, Read, Reading};

/// Why the waiting stopped.
pub enum Stopped {
    /// There is an answer.
    Answer {
        /// As it was received, checked.
        answer: Json,
        /// What it is worth.
        exit: Exit,
    },
    /// The question ended without one.
    Ended {
        /// The state that it ended in.
        state: String,
    },
    /// Patience is over.
    OutOfPatience,
    /// A signal came.
    Signal(i32),
}

/// Waits.
///
/// # Errors
/// What no waiting would mend: a refusal, or an answer that does not verify.
pub fn wait(
    client: &Arc<Client>,
    reading: &Reading,
    patience: Patience,
    interrupts: &mut Interrupts,
) -> Result<Stopped, Failure> {
    let mut progress = Progress::new(reading.id.as_str(), patience);
    let mut backoff = Backoff::new();
    let mut named: Option<String> = None;
    let mut is_lost = false;
    let mut reading = reading.clone();
    if reading.asked.is_none() {
        // Learned before there is an answer, so that it costs no time after. What is lost here is asked for again then.
        match interrupts.send(client, asked::call(&reading.id), patience.end(), None) {
            Heard::Signal(signal) => return Ok(Stopped::Signal(signal)),
            Heard::TimeUp => return Ok(Stopped::OutOfPatience),
            Heard::Reply(Ok(reply)) if reply.status == 200 => {
                reading.asked = Json::parse(&reply.body).ok().as_ref().and_then(Asked::of_record);
            }
            Heard::Reply(_) => {}
        }
    }
    // An answer that is too old is told at once; a held request would be silent about it until its time is up.
    let mut looks_first = reading.since.is_some();
    loop {
        if progress.wants_link() {
            progress.learn(reading::record(client, &reading.id).ok().as_ref());
        }
        progress.draw();
        if patience.is_over() {
            return Ok(Stopped::OutOfPatience);
        }
        let hold = (!looks_first).then(|| patience.hold(progress.hold()));
        looks_first = false;
        let started = Instant::now();
        let mut draw = || progress.draw();
        let tick: Option<&mut dyn FnMut()> = if progress.is_visible() { Some(&mut draw) } else { None };
        let reply = match interrupts.send(client, reading.call(hold), patience.end(), tick) {
            Heard::Signal(signal) => return Ok(Stopped::Signal(signal)),
            Heard::TimeUp => return Ok(Stopped::OutOfPatience),
            Heard::Reply(reply) => reply,
        };
        let pause = match reply {
            Err(lost) => {
                if !is_lost {
                    progress.clear();
                    output::say(&format!("{lost}; trying again"));
                }
                is_lost = true;
                backoff.pause()
            }
            Ok(reply) => match reading.read(client, &reply)? {
                Read::Answer { answer, exit } => return Ok(Stopped::Answer { answer, exit }),
                Read::Ended { state } => return Ok(Stopped::Ended { state }),
                Read::Later { after: Some(seconds) } => Duration::from_secs(seconds.min(60)).max(backoff.pause()),
                Read::Later { after: None } => backoff.pause(),
                Read::NotYet { ignored_at } => {
                    is_lost = false;
                    let was_ignored = ignored_at.is_some();
                    if was_ignored && ignored_at != named {
                        progress.clear();
                        output::say(&reading.ignored(ignored_at.as_deref().unwrap_or_default()));
                        named = ignored_at;
                    }
                    if hold.is_none_or(|hold| started.elapsed() + Duration::from_millis(500) >= Duration::from_secs(hold)) {
                        backoff = Backoff::new();
                        continue;
                    }
                    // Not held: the service shuts down, or the question is over and has no answer that counts. Either way
                    // it is not to be asked as fast as it answers.
                    let state = if was_ignored { None } else { reading::state(client, &reading.id).ok() };
                    if let Some(state) = state.filter(|state| Exit::of_state(state) != Exit::NoAnswer) {
                        return Ok(Stopped::Ended { state });
                    }
                    backoff.pause()
                }
            },
        };
        let left = patience.end().map_or(pause, |end| end.saturating_duration_since(Instant::now()).min(pause));
        if let Some(signal) = interrupts.pause(left) {
            return Ok(Stopped::Signal(signal));
        }
    }
}
