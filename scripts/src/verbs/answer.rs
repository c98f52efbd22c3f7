//! `ask answer`: is there an answer at this moment? Waits for nothing.

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::problem::{self, refusal};
use crate::reading::{self, Read, Reading};
use crate::settings::{Role, Settings};

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
pub fn run(answer: &Answer, url: Option<&str>) -> Result<Exit, Failure> {
    let reading = &answer.reading;
    let id = reading.id.as_str();
    let client = Client::new(Settings::load(url, Role::Agent)?);
    let reply = client.send(&reading.call(None)).map_err(|lost| problem::unreachable(&lost))?;
    match reading.read(&client, &reply)? {
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
            let state = reading::state(&client, &reading.id)?;
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
