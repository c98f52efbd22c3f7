//! What `decide`, `decline` and `cancel` share: sending the owner's act, and printing what became of the question.

use pager_questions::QuestionId;

use crate::again;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem::{self, Problem, refusal};
use crate::reading::{self, Reading};

/// Sends an owner's act, under one key however often it takes, and prints the outcome.
///
/// # Errors
/// A refusal, with the outcome when the question has ended already.
pub fn run(client: &Client, id: &QuestionId, mut call: Call) -> Result<Exit, Failure> {
    let key = again::random_hex::<16>().map_err(|error| Failure::failed(format!("the system gives no random bytes: {error}")))?;
    call.key = Some(format!("ask-{key}"));
    let reply = again::write(client, &call, &mut again::sleep).map_err(|lost| problem::unreachable(&lost))?;
    match reply.status {
        200 => {
            let answer = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
            Reading::of_record(id.clone(), None).accept(client, &answer)?;
            output::line(&answer)?;
            Ok(Exit::Done)
        }
        202 => {
            output::say(&format!(
                "taken, and still being saved: it counts once the answers repository has it; `ask list` shows {id}"
            ));
            output::line(&Json::parse(&reply.body).map_err(|_| problem::unreadable())?)?;
            Ok(Exit::NoAnswer)
        }
        409 | 410 => Err(ended(client, id, &reply)),
        _ => Err(refusal(&reply, Some(id.as_str()))),
    }
}

fn ended(client: &Client, id: &QuestionId, reply: &crate::client::Reply) -> Failure {
    let failure = Failure { exit: Exit::Refused, ..refusal(reply, Some(id.as_str())) };
    let Some(problem) = Problem::of(reply) else { return failure };
    match problem.answer {
        Some(answer) => match Reading::of_record(id.clone(), None).accept(client, &answer) {
            Ok(_) => failure.with_output(answer),
            Err(wrong) => wrong,
        },
        None if failure.output.is_some() || problem.code != "already_answered" => failure,
        None => match reading::state(client, id) {
            Ok(state) => failure.with_output(output::state(id.as_str(), &state)),
            Err(_) => failure,
        },
    }
}
