//! Hands an answer to whoever waits for it. Private words are told to have arrived once they were printed, so that the
//! service forgets them.

use serde_json::json;

use crate::again;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem;
use crate::reading::Reading;
use crate::runner::seen;
use crate::verdict;
use crate::verify::{PRIVATE_ANSWER, is_private};

/// Prints an answer, and gives back what it is worth.
///
/// # Errors
/// When nobody reads it. Nothing is confirmed then.
pub fn hand_over(client: &Client, reading: &Reading, answer: &Json, exit: Exit) -> Result<Exit, Failure> {
    output::line(answer)?;
    let purpose = reading.asked.as_ref().map(|asked| asked.purpose);
    seen::tell(client, answer, purpose);
    if let Some(note) = verdict::told_no(answer, purpose, exit) {
        output::say(&format!("{}: {note}", reading.id));
    }
    match answer.get(PRIVATE_ANSWER) {
        Some(Json::Null) | None if is_private(answer) => {
            output::say(&format!("the private words of {} were handed over before, and are kept nowhere", reading.id));
        }
        Some(Json::Null) | None => {}
        Some(_) => confirm(client, reading, answer),
    }
    Ok(exit)
}

fn confirm(client: &Client, reading: &Reading, answer: &Json) {
    let id = &reading.id;
    let body = json!({"incarnation": answer.text("incarnation")});
    let call = Call::post(format!("/v1/questions/{id}/private/confirm"), Some(body));
    let trouble = match again::write(client, &call, &mut again::sleep) {
        Ok(reply) if (200..300).contains(&reply.status) => return,
        Ok(reply) => problem::refusal(&reply, Some(id.as_str())),
        Err(lost) => problem::unreachable(&lost),
    };
    output::say(&format!("the service was not told that the private words of {id} arrived, and keeps them in memory: {trouble}"));
}
