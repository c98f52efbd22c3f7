//! What `decide`, `decline`, `cancel` and `pick` share: reading the record that is meant, sending the act, and printing what
//! became of the question.

use pager_questions::{Incarnation, QuestionId};

use crate::again;
use crate::client::{Call, Client, Reply};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem::{self, Problem, refusal};
use crate::reading::{self, Reading};

/// The very record that an act is meant for, and what names it: read first, so that no other question of that id is
/// settled instead.
///
/// # Errors
/// When it cannot be read; code 8 when there is none.
pub fn meant(client: &Client, id: &QuestionId) -> Result<(Json, Reading), Failure> {
    let record = reading::record(client, id)?;
    let incarnation = record.text("incarnation").and_then(|text| Incarnation::parse(text).ok());
    let incarnation = incarnation.ok_or_else(problem::unreadable)?;
    Ok((record, Reading::of_record(id.clone(), Some(incarnation))))
}

/// Sends an act, under one key however often it takes, and prints the outcome.
///
/// # Errors
/// A refusal, with the outcome when the question has ended already.
pub fn run(client: &Client, reading: &Reading, mut call: Call) -> Result<Exit, Failure> {
    let id = &reading.id;
    call.key = Some(again::key()?);
    let reply = again::write(client, &call, &mut again::sleep).map_err(|lost| problem::unreachable(&lost))?;
    match reply.status {
        200 => {
            let answer = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
            reading.check(&client.settings().keys, &answer)?;
            output::line(&answer)?;
            Ok(Exit::Done)
        }
        202 => {
            output::say(&format!("{id}: taken, and still being saved; it counts once the answers repository has it"));
            output::line(&Json::parse(&reply.body).map_err(|_| problem::unreadable())?)?;
            Ok(Exit::NoAnswer)
        }
        409 | 410 => Err(ended(client, reading, &reply)),
        422 if Problem::of(&reply).is_some_and(|problem| problem.code == "looks_secret") => {
            let failure = refusal(&reply, None);
            let words = format!("{failure}. Nothing was saved: say it in other words, or repeat it with --send-anyway");
            Err(Failure { words, ..failure })
        }
        _ => Err(refusal(&reply, Some(id.as_str()))),
    }
}

fn ended(client: &Client, reading: &Reading, reply: &Reply) -> Failure {
    let id = reading.id.as_str();
    let failure = Failure { exit: Exit::Refused, ..refusal(reply, Some(id)) };
    let Some(problem) = Problem::of(reply) else { return failure };
    match problem.answer {
        Some(answer) => match reading.check(&client.settings().keys, &answer) {
            Ok(()) => failure.with_output(answer),
            Err(wrong) => wrong,
        },
        None if failure.output.is_some() || problem.code != "already_answered" => failure,
        None => match reading::state(client, &reading.id) {
            Ok(state) => failure.with_output(output::state(id, &state)),
            Err(_) => failure,
        },
    }
}
