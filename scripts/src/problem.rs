//! What a refusal of the service becomes: an exit code, and words that name the field and the way out.

use crate::client::{Reply, Unreachable};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;

/// A problem document (RFC 9457) with pagerd's stable code.
#[derive(Debug)]
pub struct Problem {
    /// Stable, for programs.
    pub code: String,
    /// The answer that came first, for `already_answered`.
    pub answer: Option<Json>,
    /// The state of the question that refused, where it is told.
    pub state: Option<String>,
    words: String,
}

impl Problem {
    /// Reads one; None when the reply is no problem document of pagerd's.
    pub fn of(reply: &Reply) -> Option<Self> {
        let document = Json::parse(&reply.body).ok()?;
        let code = document.text("code")?.to_owned();
        let detail = document.text("detail").or_else(|| document.text("title")).unwrap_or(&code);
        let words = match document.text("field") {
            Some(field) if !field.is_empty() && !detail.starts_with(field) => format!("{field}: {detail}"),
            _ => detail.to_owned(),
        };
        let answer = document.get("answer").filter(|answer| matches!(answer, Json::Object(_))).cloned();
        let state = document.text("state").or(match code.as_str() {
            "withdrawn" => Some("withdrawn"),
            "answering" => Some("answering"),
            _ => None,
        });
        Some(Self { answer, state: state.map(str::to_owned), code, words })
    }
}

/// The failure that a reply stands for, when it is not what the verb hoped for. `id` is the question it was about.
pub fn refusal(reply: &Reply, id: Option<&str>) -> Failure {
    let Some(problem) = Problem::of(reply) else { return no_pagerd(reply) };
    let words = &problem.words;
    match (reply.status, id) {
        (400 | 413 | 422, _) => Failure::usage(words),
        (401, _) => {
            Failure::failed(format!("the token was not accepted: {words}; set ASK_TOKEN to a valid one (`pagerd token create`)"))
        }
        (403, _) => Failure::failed(format!("this token may not do that: {words}; set ASK_TOKEN to a token with the right role")),
        (404, Some(id)) => Failure::new(Exit::UnknownId, format!("{id}: {words}")),
        (409, _) => with_state(Failure::new(Exit::Refused, words), &problem, id),
        (429, _) if problem.code == "capacity" => Failure::new(Exit::Refused, words),
        (429, _) => Failure::failed(format!("{words}; try again later")),
        (500.., _) => {
            Failure::failed(format!("the service failed ({}): {words}; its log says why, try again later", reply.status))
        }
        _ => Failure::failed(format!("the service answered {}: {words}; is this `ask` of the same version?", reply.status)),
    }
}

/// The failure that no reply stands for.
pub fn unreachable(unreachable: &Unreachable) -> Failure {
    Failure::failed(format!("{unreachable}; check that pagerd runs there and that ASK_URL is right"))
}

/// The failure of a reply with a good status that cannot be read.
pub fn unreadable() -> Failure {
    Failure::failed("the reply is not what pagerd sends; is ASK_URL pagerd's address, without a login page in between?")
}

fn with_state(failure: Failure, problem: &Problem, id: Option<&str>) -> Failure {
    match (&problem.state, id) {
        (Some(state), Some(id)) => failure.with_output(output::state(id, state)),
        _ => failure,
    }
}

fn no_pagerd(reply: &Reply) -> Failure {
    let status = reply.status;
    match status {
        401 | 403 => Failure::failed(format!("refused with {status}; is ASK_TOKEN valid, and is ASK_URL pagerd's address?")),
        400 | 413 | 422 => Failure::usage(format!("refused with {status}, without a reason; is ASK_URL pagerd's address?")),
        300..400 => {
            Failure::failed(format!("the address redirects ({status}), which is not followed; set ASK_URL to where it leads"))
        }
        500.. => Failure::failed(format!("the service or a proxy before it failed ({status}); try again later")),
        _ => Failure::failed(format!("{status} is not a reply of pagerd's; is ASK_URL pagerd's address?")),
    }
}
