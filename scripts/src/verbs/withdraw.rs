//! `ask withdraw`: takes a question back. The service looks for an answer first; an agent that comes too late gets it.

use std::sync::Arc;
use std::time::Duration;

use pager_questions::{Incarnation, QuestionId};

use crate::again;
use crate::client::Client;
use crate::distant::{self, Distant, Rhythm, Withdrawn};
use crate::door::{Connection, Door};
use crate::duration::parse;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::giving_up::withdrawal;
use crate::interrupts::Interrupts;
use crate::output;
use crate::problem::{self, Problem, refusal};
use crate::reading::{self, Reading};

/// Flags of `ask withdraw`.
#[derive(Debug, clap::Args)]
pub struct Withdraw {
    /// The question's id
    #[arg(value_parser = QuestionId::parse)]
    id: QuestionId,
    /// Why, in your own words; the owner sees it
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Withdraw exactly this record
    #[arg(long, value_name = "HEX", value_parser = Incarnation::parse)]
    incarnation: Option<Incarnation>,
    /// In GitHub and git mode: how long to watch for an answer that was faster, 2m unless given
    #[arg(long, value_name = "DURATION", value_parser = parse)]
    timeout: Option<Duration>,
}

/// Runs it.
///
/// # Errors
/// A refusal, or no connection.
pub fn run(withdraw: &Withdraw, connection: &Connection) -> Result<Exit, Failure> {
    let reading = Reading::of_record(withdraw.id.clone(), withdraw.incarnation.clone());
    match Door::open(connection)? {
        Door::Direct(client) => direct(withdraw, &reading, &client),
        Door::Distant(way) => send(withdraw, &reading, &way, connection.rhythm()),
    }
}

fn send(withdraw: &Withdraw, reading: &Reading, way: &Arc<dyn Distant>, rhythm: Rhythm) -> Result<Exit, Failure> {
    if withdraw.incarnation.is_some() {
        return Err(Failure::usage("--incarnation needs direct mode (ASK_URL): an event of withdrawal names the id alone"));
    }
    let watch = withdraw.timeout.unwrap_or(rhythm.times(distant::WATCH));
    let mut interrupts = Interrupts::listen()?;
    match distant::withdraw(way, reading, withdraw.reason.as_deref(), watch, rhythm, &mut interrupts)? {
        Withdrawn::Answer { answer, .. } => {
            output::say(&format!("{} has ended already; this is its answer", reading.id));
            distant::print(way.as_ref(), &answer)?;
            Ok(Exit::AnsweredAfterAll)
        }
        Withdrawn::Sent => {
            output::say(&format!("no answer of {} was seen: its withdrawal was sent", reading.id));
            output::line(&distant::withdrawal_sent(&reading.id))?;
            Ok(Exit::Done)
        }
        Withdrawn::Signal(signal) => Ok(Exit::Interrupted(signal)),
    }
}

fn direct(withdraw: &Withdraw, reading: &Reading, client: &Client) -> Result<Exit, Failure> {
    let id = withdraw.id.as_str();
    let call = withdrawal(reading, withdraw.reason.as_deref());
    let reply = again::write(client, &call, &mut again::sleep).map_err(|lost| problem::unreachable(&lost))?;
    if reply.status == 200 {
        let record = crate::json::Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
        output::line(&record)?;
        return Ok(Exit::Done);
    }
    let Some(problem) = Problem::of(&reply).filter(|_| reply.status == 409) else { return Err(refusal(&reply, Some(id))) };
    match (problem.code.as_str(), problem.answer) {
        ("already_answered", Some(answer)) => {
            reading.check(&client.settings().keys, &answer)?;
            too_late(id, &answer)
        }
        ("already_answered", None) => {
            let state = problem.state.map_or_else(|| reading::state(client, &withdraw.id), Ok)?;
            output::say(&format!("{id} has ended already, without an answer"));
            output::line(&output::state(id, &state))?;
            Ok(Exit::of_state(&state))
        }
        ("answering", _) => {
            output::say(&format!("{id} was answered; the answer is still being saved: `ask wait {id}` gets it"));
            output::line(&output::state(id, "answering"))?;
            Ok(Exit::NoAnswer)
        }
        _ => Err(refusal(&reply, Some(id))),
    }
}

fn too_late(id: &str, answer: &crate::json::Json) -> Result<Exit, Failure> {
    output::say(&format!("{id} has ended already; this is its answer"));
    output::line(answer)?;
    Ok(Exit::AnsweredAfterAll)
}
