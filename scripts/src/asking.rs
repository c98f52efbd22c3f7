//! Asking pagerd itself, and waiting for the answer in one go: what `new` and `gate` share. A question that nobody waits
//! for any more is taken back.

use std::sync::Arc;
use std::time::Duration;

use pager_questions::{Incarnation, Purpose, QuestionId};
use serde_json::Value;

use crate::again;
use crate::asked::Asked;
use crate::client::{Call, Client, Reply};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::giving_up;
use crate::interrupts::Interrupts;
use crate::json::Json;
use crate::output;
use crate::patience::Patience;
use crate::problem::{self, refusal};
use crate::reading::Reading;
use crate::waiting::{self, Stopped};

/// Where questions are posted.
pub const QUESTIONS: &str = "/v1/questions";

/// What is asked.
pub struct Asking<'a> {
    /// The way to pagerd.
    pub client: &'a Arc<Client>,
    /// Where it is posted.
    pub path: String,
    /// The body of that.
    pub body: Value,
    /// What it is for.
    pub purpose: Purpose,
    /// Its publication identity.
    pub publication: &'a str,
}

/// What came of asking.
pub enum Taken {
    /// The question's record.
    Question(Json),
    /// The operator's policy delegates what was to be approved: nobody is asked. As it was received.
    Delegated(Json),
}

/// What came of asking and waiting.
pub enum Waited {
    /// See [`Taken::Delegated`].
    Delegated(Json),
    /// The wait for this question stopped; it was taken back unless it was to be kept.
    Stopped(Reading, Stopped),
}

/// Asks; however often it takes, under one publication identity. `pause` returns false to stop.
///
/// # Errors
/// A refusal, or no connection. The words say how to ask again where it is not known whether the question arrived.
pub fn ask(asking: &Asking<'_>, pause: &mut dyn FnMut(Duration) -> bool) -> Result<Taken, Failure> {
    let unsure = |failure: Failure| {
        let publication = asking.publication;
        let words = format!(
            "{failure}. Whether the question arrived is not known: asking again with --publication-id {publication} is safe"
        );
        Failure { words, ..failure }
    };
    let call = Call::post(asking.path.as_str(), Some(asking.body.clone()));
    let reply = again::write(asking.client, &call, pause).map_err(|lost| unsure(problem::unreachable(&lost)))?;
    match reply.status {
        200 | 201 => taken(&reply, asking.purpose).map_err(unsure),
        500.. => Err(unsure(refusal(&reply, None))),
        // What is offered names the request that it is about.
        404 => Err(refusal(&reply, asking.path.split('/').nth(3))),
        _ => Err(refusal(&reply, None)),
    }
}

/// Asks and waits, for `patience` (zero is without end). When that is over or a signal comes the question is withdrawn,
/// unless `keep` says otherwise.
///
/// # Errors
/// Those of [`ask`], and of waiting; the words say whether the question may still be open.
pub fn ask_and_wait(asking: &Asking<'_>, patience: Duration, keep: bool) -> Result<Waited, Failure> {
    let mut interrupts = Interrupts::listen()?;
    let mut signal = None;
    let taken = ask(asking, &mut |pause| {
        signal = interrupts.pause(pause);
        signal.is_none()
    });
    let record = match (taken, signal) {
        (Err(failure), Some(signal)) => return Err(Failure { exit: Exit::Interrupted(signal), ..failure }),
        (taken, _) => match taken? {
            Taken::Question(record) => record,
            Taken::Delegated(reply) => return Ok(Waited::Delegated(reply)),
        },
    };
    let reading = Reading { asked: Some(Asked::for_purpose(asking.purpose)), ..named(&record)? };
    output::say(&format!("asked {}", reading.id));
    let stopped = wait(asking.client, &reading, patience, keep, &mut interrupts)?;
    Ok(Waited::Stopped(reading, stopped))
}

/// Prints what a policy said in the owner's stead.
///
/// # Errors
/// When nobody reads it.
pub fn print_delegated(reply: &Json) -> Result<Exit, Failure> {
    output::say(&"the operator's policy delegates this gate: nobody was asked");
    output::line(reply)?;
    Ok(Exit::Done)
}

/// Only an approval can be delegated.
fn taken(reply: &Reply, purpose: Purpose) -> Result<Taken, Failure> {
    let document = Json::parse(&reply.body).map_err(|_| problem::unreadable())?;
    output::warnings(&document);
    if document.text("id").is_some() {
        return Ok(Taken::Question(document));
    }
    if purpose == Purpose::Approval && document.get("delegated") == Some(&Json::Bool(true)) {
        return Ok(Taken::Delegated(document));
    }
    Err(problem::unreadable())
}

fn named(record: &Json) -> Result<Reading, Failure> {
    let id = record.text("id").and_then(|id| QuestionId::parse(id).ok()).ok_or_else(problem::unreadable)?;
    let incarnation = record.text("incarnation").and_then(|text| Incarnation::parse(text).ok());
    Ok(Reading::of_record(id, incarnation))
}

fn wait(
    client: &Arc<Client>,
    reading: &Reading,
    patience: Duration,
    keep: bool,
    interrupts: &mut Interrupts,
) -> Result<Stopped, Failure> {
    match waiting::wait(client, reading, Patience::of(patience), interrupts) {
        Ok(Stopped::OutOfPatience | Stopped::Signal(_)) if !keep => giving_up::withdraw(client, reading, interrupts),
        Ok(stopped) => Ok(stopped),
        Err(failure) if failure.exit == Exit::Failed && !keep && giving_up::withdraw_once(client, reading) => {
            output::say(&format!("no longer waiting for {}; it was withdrawn", reading.id));
            Err(failure)
        }
        Err(failure) => {
            output::say(&format!(
                "no longer waiting for {id}; it may still be open: take it back with `ask withdraw {id}`",
                id = reading.id
            ));
            Err(failure)
        }
    }
}
