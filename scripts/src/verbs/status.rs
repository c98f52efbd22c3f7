//! `ask status`: what waits for the caller, and what they asked that nobody answered.

use pager_questions::text::{one_line, reveal, title};

use crate::client::Call;
use crate::door::{Connection, Door};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem::{self, refusal};

/// Flags of `ask status`.
#[derive(Debug, clap::Args)]
pub struct Status {
    /// Print {"awaiting_you","unanswered"} as the service has it
    #[arg(long)]
    json: bool,
}

/// Runs it: one line for each, nothing when there is nothing.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(status: &Status, connection: &Connection) -> Result<Exit, Failure> {
    let client = match Door::open(connection)? {
        Door::Direct(client) => client,
        Door::Distant(_) => {
            return Err(Failure::failed("status needs direct mode (ASK_URL): nothing of it is told through GitHub or git"));
        }
    };
    let reply = client.send(&Call::get("/v1/status")).map_err(|lost| problem::unreachable(&lost))?;
    if reply.status != 200 {
        return Err(refusal(&reply, None));
    }
    let document = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
    let (Some(Json::List(waits)), Some(Json::List(unanswered))) = (document.get("awaiting_you"), document.get("unanswered"))
    else {
        return Err(problem::unreadable());
    };
    if status.json {
        output::line(&document)?;
        return Ok(Exit::Done);
    }
    for record in waits {
        output::line(&awaiting(record))?;
    }
    for summary in unanswered {
        output::line(&format!("unanswered: {}", shown(summary.text("notice"))))?;
    }
    Ok(Exit::Done)
}

/// `awaiting you: r-17-offer (offer by builder): A partial offer for …`
fn awaiting(record: &Json) -> String {
    let agent = record.get("source").and_then(|source| source.text("agent"));
    let text = title(&reveal(&one_line(record.text("text").unwrap_or_default())), 100);
    format!("awaiting you: {} ({} by {}): {text}", shown(record.text("id")), shown(record.text("purpose")), shown(agent))
}

/// On one line, with nothing in it that could steer a terminal.
fn shown(text: Option<&str>) -> String {
    reveal(&one_line(text.unwrap_or("?")))
}
