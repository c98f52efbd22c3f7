//! `ask new` where nothing is told back: proves first that an answer could be read and that the id is unused, then sends.

use std::sync::Arc;
use std::time::Duration;

use pager_questions::{Purpose, RequestId, Time};
use serde_json::Value;

use super::waiting::Looked;
use super::{Distant, Event, Rhythm, Waiting, Withdrawn, giving_up, persisting, report, wait};
use crate::asked;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupts::Interrupts;
use crate::json::Json;
use crate::output;
use crate::patience::Patience;
use crate::reading::Reading;
use crate::waiting::Stopped;

/// What the owner sees of why it was withdrawn.
const REASON: &str = "the agent gave up waiting";
/// For how many units one watches after a signal: half a minute. A second signal ends it.
const WATCH_INTERRUPTED: u32 = 6;

/// How a question is asked.
pub struct Asking<'a> {
    /// The way to pagerd.
    pub way: &'a Arc<dyn Distant>,
    /// The body of `POST /v1/questions`.
    pub body: Value,
    /// For an offer: the request that it is about. Then the body is that of `POST /v1/requests/{id}/offers`.
    pub request: Option<&'a RequestId>,
    /// What it is for.
    pub purpose: Purpose,
    /// Its publication identity.
    pub publication: &'a str,
    /// How often to look.
    pub rhythm: Rhythm,
}

/// What was asked.
pub struct Asked {
    /// What is printed of it, in the shape of a record.
    pub record: Json,
    reading: Reading,
    head: String,
}

/// Asks.
///
/// # Errors
/// Code 2 for a question that pagerd would refuse, 7 for a used id, 1 when it could not be proved or sent.
pub fn ask(asking: Asking<'_>, pause: &mut dyn FnMut(Duration) -> bool) -> Result<Asked, Failure> {
    let Asking { way, body, request, purpose, publication, rhythm } = asking;
    let (event, id) = match request {
        None => Event::ask(body, way.agent())?,
        Some(request) => Event::offer(request, body, way.agent())?,
    };
    let look = persisting::look(way.as_ref(), &id, &rhythm, pause)?;
    if look.file.is_some() {
        return Err(Failure::new(
            Exit::Refused,
            format!("{id} is used: it has an answer, which `ask answer {id}` prints. Another question takes another id"),
        ));
    }
    // A signal that came meanwhile: nothing was sent yet.
    if !pause(Duration::ZERO) {
        return Err(Failure::failed(format!("interrupted; {id} was not asked")));
    }
    let sent_at = persisting::send(way.as_ref(), &event, &rhythm, pause).map_err(|failure| match failure.exit {
        Exit::Failed => {
            let again = format!("asking again with --id {id} --publication-id {publication} is safe");
            Failure { words: format!("{failure}; {again}"), ..failure }
        }
        _ => failure,
    })?;
    output::say(&format!("sent {id} to {}; whether it arrived is not told", way.destination()));
    let record = record(&id, sent_at);
    let asked = Some(asked::Asked::for_purpose(purpose));
    Ok(Asked { record, reading: Reading { id, since: Some(sent_at), incarnation: None, asked }, head: look.head })
}

/// The same, and then waits. Withdraws when patience ends or a signal comes, unless it is to be kept.
///
/// # Errors
/// Those of [`ask`] and of waiting.
pub fn ask_and_wait(asking: Asking<'_>, patience: Duration, keep: bool) -> Result<Exit, Failure> {
    let mut interrupts: Interrupts<Looked> = Interrupts::listen()?;
    let (way, rhythm) = (asking.way, asking.rhythm);
    let mut signal = None;
    let asked = ask(asking, &mut |pause| {
        signal = interrupts.pause(pause);
        signal.is_none()
    });
    let Asked { reading, head, .. } = match (asked, signal) {
        (Err(failure), Some(signal)) => return Err(Failure { exit: Exit::Interrupted(signal), ..failure }),
        (asked, _) => asked?,
    };
    let waiting = Waiting { way, reading: &reading, known: Some(head), rhythm };
    let (stopped, watch) = match wait(waiting, Patience::of(patience), &mut interrupts) {
        Ok(stopped @ Stopped::Signal(_)) => (stopped, rhythm.times(WATCH_INTERRUPTED)),
        Ok(stopped) => (stopped, rhythm.times(giving_up::WATCH)),
        Err(failure) => {
            if let Some((answer, exit)) = giving_up::look_once(way, &reading, &mut interrupts) {
                return report(way, &reading, patience, Stopped::Answer { answer, exit });
            }
            return Err(went_wrong(way, &reading, keep, failure));
        }
    };
    if keep || !matches!(stopped, Stopped::OutOfPatience | Stopped::Signal(_)) {
        return report(way, &reading, patience, stopped);
    }
    let id = &reading.id;
    let withdrawn = giving_up::withdraw(way, &reading, Some(REASON), watch, rhythm, &mut interrupts).map_err(|failure| {
        let words = format!("{failure}; {id} may still be open: take it back with `ask withdraw {id}`");
        Failure { words, ..failure }
    })?;
    match withdrawn {
        Withdrawn::Answer { answer, exit } => report(way, &reading, patience, Stopped::Answer { answer, exit }),
        Withdrawn::Signal(signal) => Ok(Exit::Interrupted(signal)),
        Withdrawn::Sent => {
            output::line(&super::withdrawal_sent(id))?;
            Ok(Exit::Withdrawn)
        }
    }
}

/// A wait that went wrong leaves no question behind, as far as that can be helped.
fn went_wrong(way: &Arc<dyn Distant>, reading: &Reading, keep: bool, failure: Failure) -> Failure {
    let id = &reading.id;
    if !keep && giving_up::withdraw_once(way.as_ref(), reading, REASON) {
        output::say(&format!("no longer waiting for {id}; its withdrawal was sent"));
    } else {
        output::say(&format!("no longer waiting for {id}; it may still be open: take it back with `ask withdraw {id}`"));
    }
    failure
}

/// The fields of a record, null where nothing is told back. The time is that of sending.
fn record(id: &pager_questions::QuestionId, sent_at: Time) -> Json {
    Json::object([
        ("id", id.as_str().into()),
        ("incarnation", Json::Null),
        ("asked_at", sent_at.to_string().as_str().into()),
        ("state", Json::Null),
    ])
}
