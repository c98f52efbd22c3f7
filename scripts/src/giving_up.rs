//! The end of `ask new --wait` without an answer: the question is withdrawn, since one that nobody waits for must not stand
//! in front of the owner. Answered in that very moment, the answer is what counts.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::again::{Backoff, WRITE_PATIENCE};
use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::interrupts::Interrupts;
use crate::problem::{Problem, refusal, unreachable};
use crate::reading::{self, Reading};
use crate::waiting::Stopped;

/// What the record says of why.
const REASON: &str = "the agent gave up waiting";
/// How long an answer that is being saved is waited for. A second signal ends it.
const SAVE_PATIENCE: Duration = Duration::from_secs(30);

/// Withdraws the question that `reading` names, and tells what became of it: answered in that moment, or ended as
/// `withdrawn`, or `answering` when the answer takes long to be saved.
///
/// # Errors
/// When it could not be withdrawn; the words say that it is still open.
pub fn withdraw(client: &Client, reading: &Reading, interrupts: &Interrupts) -> Result<Stopped, Failure> {
    let id = reading.id.as_str();
    let call = withdrawal(reading, Some(REASON));
    let started = Instant::now();
    let mut backoff = Backoff::new();
    loop {
        let is_answering = match client.send(&call) {
            Err(lost) if started.elapsed() >= WRITE_PATIENCE => return Err(still_open(id, &unreachable(&lost))),
            Err(_) => false,
            Ok(reply) if reply.status == 200 => {
                return Ok(Stopped::Ended { state: "withdrawn".to_owned() });
            }
            Ok(reply) => match Problem::of(&reply) {
                Some(problem) if reply.status == 409 && problem.code == "already_answered" => {
                    return answered(client, reading, problem);
                }
                Some(problem) if reply.status == 409 && problem.code == "answering" => true,
                _ if reply.is_passing() && started.elapsed() < WRITE_PATIENCE => false,
                _ if reply.status == 404 => return Err(refusal(&reply, Some(id))),
                _ => return Err(still_open(id, &refusal(&reply, Some(id)))),
            },
        };
        if is_answering && started.elapsed() >= SAVE_PATIENCE {
            crate::output::say(&format!("{id} was answered; the answer is still being saved: `ask wait {id}` gets it"));
            return Ok(Stopped::Ended { state: "answering".to_owned() });
        }
        interrupts.pause(backoff.pause());
    }
}

/// Withdraws the question in one try, for a wait that went wrong. True when that worked.
pub fn withdraw_once(client: &Client, reading: &Reading) -> bool {
    client.send(&withdrawal(reading, Some(REASON))).is_ok_and(|reply| reply.status == 200)
}

/// The request that withdraws.
pub fn withdrawal(reading: &Reading, reason: Option<&str>) -> Call {
    let mut body = json!({});
    if let Some(reason) = reason {
        body["reason"] = reason.into();
    }
    if let Some(incarnation) = &reading.incarnation {
        body["incarnation"] = incarnation.as_str().into();
    }
    Call::post(format!("/v1/questions/{}/withdraw", reading.id), Some(body))
}

fn answered(client: &Client, reading: &Reading, problem: Problem) -> Result<Stopped, Failure> {
    match problem.answer {
        Some(answer) => {
            let exit = reading.accept(client, &answer)?;
            Ok(Stopped::Answer { answer, exit })
        }
        None => Ok(Stopped::Ended { state: problem.state.map_or_else(|| reading::state(client, &reading.id), Ok)? }),
    }
}

fn still_open(id: &str, failure: &Failure) -> Failure {
    Failure::failed(format!(
        "{id} could not be withdrawn and may still be open: {failure}; take it back with `ask withdraw {id}`"
    ))
}
