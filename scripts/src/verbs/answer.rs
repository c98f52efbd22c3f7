//! `ask answer`: is there an answer at this moment? Waits for nothing.

use crate::again;
use crate::client::Client;
use crate::distant::{self, Distant, Judged, Rhythm};
use crate::door::{Connection, Door};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::problem::{self, refusal};
use crate::reading::{self, Read, Reading};

/// Flags of `ask answer`.
#[derive(Debug, clap::Args)]
pub struct Answer {
    #[command(flatten)]
    reading: Reading,
}

/// Runs it.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(answer: &Answer, connection: &Connection) -> Result<Exit, Failure> {
    match Door::open(connection)? {
        Door::Direct(client) => direct(&answer.reading, &client),
        Door::Distant(way) => look(&answer.reading, way.as_ref(), &connection.rhythm()),
    }
}

fn look(reading: &Reading, way: &dyn Distant, rhythm: &Rhythm) -> Result<Exit, Failure> {
    let look = distant::look(way, &reading.id, rhythm, &mut again::sleep)?;
    match look.file.map(|file| distant::judge(&file, reading, way.keys())).transpose()? {
        Some(Judged::Answer { answer, exit }) => {
            distant::print(way, &answer)?;
            return Ok(exit);
        }
        Some(Judged::Ignored(words)) => output::say(&words),
        None => {}
    }
    output::line(&distant::unknown_state(&reading.id))?;
    Ok(Exit::NoAnswer)
}

fn direct(reading: &Reading, client: &Client) -> Result<Exit, Failure> {
    let id = reading.id.as_str();
    let reply = client.send(&reading.call(None)).map_err(|lost| problem::unreachable(&lost))?;
    match reading.read(client, &reply)? {
        Read::Answer { answer, exit } => {
            output::line(&answer)?;
            Ok(exit)
        }
        Read::Ended { state } => {
            output::line(&output::state(id, &state))?;
            Ok(Exit::of_state(&state))
        }
        Read::Later { .. } => Err(refusal(&reply, Some(id))),
        Read::NotYet { ignored_at } => {
            let state = reading::state(client, &reading.id)?;
            // An answer that does not count is none, however the question ended.
            let exit = if ignored_at.is_some() { Exit::NoAnswer } else { Exit::of_state(&state) };
            if let Some(at) = ignored_at {
                output::say(&reading.ignored(&at));
            }
            output::line(&output::state(id, &state))?;
            Ok(exit)
        }
    }
}
