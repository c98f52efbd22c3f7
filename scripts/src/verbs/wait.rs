//! `ask wait`: waits for an answer. It changes nothing: when it gives up or is interrupted, the question stays.

use std::sync::Arc;
use std::time::Duration;

use crate::client::Client;
use crate::distant::{self, Waiting};
use crate::door::{Connection, Door};
use crate::duration::{for_people, parse_patience};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::handover::hand_over;
use crate::interrupts::Interrupts;
use crate::json::Json;
use crate::output;
use crate::patience::Patience;
use crate::problem;
use crate::reading::{self, Read, Reading};
use crate::waiting::{self, Stopped};

/// Flags of `ask wait`.
#[derive(Debug, clap::Args)]
pub struct Wait {
    #[command(flatten)]
    reading: Reading,
    /// How long to wait, like 90s, 45m, 1h30m or 2d; 0 is without end
    #[arg(long, value_name = "DURATION", default_value = "1h", value_parser = parse_patience)]
    timeout: Duration,
}

/// Runs it.
///
/// # Errors
/// See chapter "Exit codes" of the help.
pub fn run(wait: &Wait, connection: &Connection) -> Result<Exit, Failure> {
    match Door::open(connection)? {
        Door::Direct(client) => {
            let client = Arc::new(client);
            let mut interrupts = Interrupts::listen()?;
            let stopped = waiting::wait(&client, &wait.reading, Patience::of(wait.timeout), &mut interrupts)?;
            report(&client, &wait.reading, wait.timeout, stopped, &|answer, exit| hand_over(&client, &wait.reading, answer, exit))
        }
        Door::Distant(way) => {
            let mut interrupts = Interrupts::listen()?;
            let waiting = Waiting { way: &way, reading: &wait.reading, known: None, rhythm: connection.rhythm() };
            let stopped = distant::wait(waiting, Patience::of(wait.timeout), &mut interrupts)?;
            distant::report(&way, &wait.reading, wait.timeout, stopped)
        }
    }
}

/// Prints how a wait stopped that leaves the question as it is; an answer goes to `hand_over`, wherever it came from.
///
/// # Errors
/// When nothing could be printed, or the state of a question that nobody answered cannot be read.
pub fn report(
    client: &Client,
    reading: &Reading,
    patience: Duration,
    stopped: Stopped,
    hand_over: &dyn Fn(&Json, Exit) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let id = reading.id.as_str();
    match stopped {
        Stopped::Answer { answer, exit } => hand_over(&answer, exit),
        Stopped::Ended { state } => {
            output::line(&output::state(id, &state))?;
            Ok(Exit::of_state(&state))
        }
        Stopped::Signal(signal) => {
            output::say(&format!("interrupted; {}", stays_open(id)));
            Ok(Exit::Interrupted(signal))
        }
        Stopped::OutOfPatience => out_of_patience(client, reading, patience, hand_over),
    }
}

/// Looks once more, so that an answer of the last moment is not missed, and tells the state.
fn out_of_patience(
    client: &Client,
    reading: &Reading,
    patience: Duration,
    hand_over: &dyn Fn(&Json, Exit) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let id = reading.id.as_str();
    let reply = client.send(&reading.call(None)).map_err(|lost| problem::unreachable(&lost))?;
    match reading.read(client, &reply)? {
        Read::Answer { answer, exit } => hand_over(&answer, exit),
        Read::Ended { state } => report(client, reading, patience, Stopped::Ended { state }, hand_over),
        Read::Later { .. } => Err(problem::refusal(&reply, Some(id))),
        Read::NotYet { ignored_at } => {
            let state = reading::state(client, &reading.id)?;
            let how = match (state.as_str(), ignored_at) {
                (_, Some(_)) => format!("{id} has an answer, and it does not count for this --since"),
                ("answering", None) => format!("{id} was answered and the answer is still being saved: `ask wait {id}` gets it"),
                (_, None) => stays_open(id),
            };
            output::say(&format!("no answer within {}; {how}", for_people(patience)));
            output::line(&output::state(id, &state))?;
            Ok(Exit::NoAnswer)
        }
    }
}

fn stays_open(id: &str) -> String {
    format!("{id} is still open: `ask wait {id}` goes on waiting, `ask withdraw {id} --reason …` takes it back")
}
