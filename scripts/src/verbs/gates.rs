//! `ask gate --check`: are all gates of a run approved? Asks nobody, and spends nothing.

use pager_questions::{Incarnation, QuestionId};

use crate::asked::Asked;
use crate::client::{Call, Client};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::Json;
use crate::output;
use crate::problem::{self, refusal};
use crate::purpose::Purpose;
use crate::reading::Reading;

/// Prints `{"blocked","gates"}`. Code 0 only when there is a gate and every one of them is approved; 3 while one may still
/// be, or when there is none; else 4.
///
/// # Errors
/// A refusal, or what the service says does not fit together.
pub fn run(client: &Client, run: &str) -> Result<Exit, Failure> {
    let mut call = Call::get("/v1/gates");
    call.query.push(("run", run.to_owned()));
    let reply = client.send(&call).map_err(|lost| problem::unreachable(&lost))?;
    if reply.status != 200 {
        return Err(refusal(&reply, None));
    }
    let document = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
    let (Some(Json::Bool(blocked)), Some(Json::List(gates))) = (document.get("blocked"), document.get("gates")) else {
        return Err(problem::unreadable());
    };
    if !blocked {
        gates.iter().try_for_each(|gate| is_approved(client, gate))?;
    }
    output::line(&document)?;
    let may_come = |gate: &Json| matches!(gate.text("state"), Some("open" | "answering"));
    Ok(match blocked {
        _ if gates.is_empty() => {
            output::say(&format!(
                "run {run} has asked for no gate here, so nothing is approved; what is delegated is not asked for"
            ));
            Exit::NoAnswer
        }
        false => Exit::Done,
        true if gates.iter().any(may_come) => Exit::NoAnswer,
        true => Exit::Declined,
    })
}

/// The service's word is checked against the answers that it shows, signatures included.
fn is_approved(client: &Client, gate: &Json) -> Result<(), Failure> {
    let id = gate.text("id").and_then(|id| QuestionId::parse(id).ok()).ok_or_else(problem::unreadable)?;
    let incarnation = gate.text("incarnation").and_then(|text| Incarnation::parse(text).ok());
    let asked = Some(Asked::for_purpose(Purpose::Approval));
    let reading = Reading { asked, ..Reading::of_record(id, incarnation) };
    let not_approved =
        || Failure::failed(format!("the service says that nothing blocks, and {} is not approved; look at its log", reading.id));
    let answer = gate.get("answer").filter(|answer| matches!(answer, Json::Object(_))).ok_or_else(not_approved)?;
    if reading.accept(client, answer)? == Exit::Done { Ok(()) } else { Err(not_approved()) }
}
