//! `ask answer`: is there an answer at this moment? Waits for nothing.

use crate::again;
use crate::client::{Call, Client};
use crate::distant::{self, Distant, Judged, Rhythm};
use crate::door::{Connection, Door};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::handover::hand_over;
use crate::interrupts;
use crate::output;
use crate::problem::{self, refusal};
use crate::reading::{self, Read, Reading};
use crate::runner::seen;

/// Flags of `ask answer`.
#[derive(Debug, clap::Args)]
pub struct Answer {
    #[command(flatten)]
    reading: Reading,
    /// Print the fenced text for a model instead: what was decided, as data
    #[arg(long)]
    resume: bool,
}

/// Runs it.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(answer: &Answer, connection: &Connection) -> Result<Exit, Failure> {
    match Door::open(connection)? {
        Door::Direct(client) if answer.resume => resume(&answer.reading, &client),
        Door::Direct(client) => direct(&answer.reading, &client),
        Door::Distant(_) if answer.resume => Err(Failure::failed(
            "--resume needs direct mode, since the text is made by pagerd: set ASK_URL, or read the answer without --resume",
        )),
        Door::Distant(way) => look(&answer.reading, way.as_ref(), &connection.rhythm()),
    }
}

fn look(reading: &Reading, way: &dyn Distant, rhythm: &Rhythm) -> Result<Exit, Failure> {
    interrupts::end_at_a_signal()?;
    let look = distant::look(way, &reading.id, rhythm, &mut again::sleep)?;
    match look.file.map(|file| distant::judge(&file, reading, way.keys())).transpose()? {
        Some(Judged::Answer { answer, exit }) => {
            return distant::hand_over(way, reading, &answer, exit);
        }
        Some(Judged::Ignored(words)) => output::say(&words),
        None => {}
    }
    output::line(&distant::unknown_state(&reading.id))?;
    Ok(Exit::NoAnswer)
}

/// The text is asked for once it is certain that there is an answer that counts, and which.
fn resume(reading: &Reading, client: &Client) -> Result<Exit, Failure> {
    let reply = client.send(&reading.call(None)).map_err(|lost| problem::unreachable(&lost))?;
    let (answer, exit) = match reading.read(client, &reply)? {
        Read::Answer { answer, exit } => (answer, exit),
        Read::Ended { .. } | Read::Later { .. } | Read::NotYet { .. } => return direct(reading, client),
    };
    let text = client.send(&Call::get(format!("/v1/questions/{}/resume", reading.id)));
    let text = text.map_err(|lost| problem::unreachable(&lost))?;
    if text.status != 200 {
        return Err(refusal(&text, Some(reading.id.as_str())));
    }
    output::line(&text.body.trim_end())?;
    seen::tell(client, &answer, reading.asked.as_ref().map(|asked| asked.purpose));
    Ok(exit)
}

fn direct(reading: &Reading, client: &Client) -> Result<Exit, Failure> {
    let id = reading.id.as_str();
    let reply = client.send(&reading.call(None)).map_err(|lost| problem::unreachable(&lost))?;
    match reading.read(client, &reply)? {
        Read::Answer { answer, exit } => hand_over(client, reading, &answer, exit),
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
