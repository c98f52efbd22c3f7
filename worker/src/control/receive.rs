//! The one function that handles a proved event. What it replies is stored in the very commit that makes the change, so
//! that an event which comes again gets the same reply, also after a crash between the two.

use axum::http::StatusCode;
use pager_questions::control::ControlEvent;
use pager_questions::{Record, Time};

use super::event::ProvedBy;
use super::{Control, Outcome, VerifiedControlEvent, act};
use crate::http::problem::Problem;
use crate::service::ServiceError;
use crate::store::{HandledEvent, Write};
use crate::{clock, crash};

/// Handles the event, or tells again what came of it.
pub async fn receive(control: &Control, event: &VerifiedControlEvent) -> Outcome {
    let mut kind = "unreadable";
    let outcome = handled(control, event, &mut kind).await.unwrap_or_else(|error| Outcome::from(Problem::from(error)));
    crash::point("control.stored");
    control.service.metrics.control_event(kind, outcome.status);
    let (status, code) = (outcome.status, outcome.code.as_deref().unwrap_or_default());
    tracing::info!(event = %event.id, kind, status, code, by = event.proved_by.name(), "an event of the control repository");
    outcome
}

async fn handled(control: &Control, event: &VerifiedControlEvent, kind: &mut &'static str) -> Result<Outcome, ServiceError> {
    let Ok(body) = serde_json::from_slice(&event.body) else {
        return Ok(Problem::malformed("The event's body is not JSON. Send a JSON object.").into());
    };
    let mut turn = Some(control.turn.lock().await);
    if let Some(outcome) = before(control, event).await? {
        *kind = "repeated";
        return Ok(outcome);
    }
    let read = ControlEvent::read(body)?;
    *kind = read.act.name();
    if let Some(refusal) = refused(control, event, &read) {
        return Ok(refusal);
    }
    let (outcome, record) = act::perform(control, event, &read).await?;
    let Some(record) = record else { return Ok(outcome) };
    // An answer is being saved. What comes of it is waited for, and others go on meanwhile.
    turn.take();
    act::until_saved(control, record).await?;
    let _turn = control.turn.lock().await;
    match before(control, event).await? {
        Some(outcome) => Ok(outcome),
        None => Ok(act::perform(control, event, &read).await?.0),
    }
}

/// What is known of this event or its proof already.
async fn before(control: &Control, event: &VerifiedControlEvent) -> Result<Option<Outcome>, ServiceError> {
    let store = &control.service.store;
    let (mut used_for, mut unused) = (None, Vec::new());
    for proof in &event.once {
        match store.control_proof(proof).await? {
            Some(other) => used_for = Some(other),
            None => unused.push(proof.clone()),
        }
    }
    let is_another_s = used_for.as_ref().is_some_and(|other| *other != event.id);
    // GitHub gives a delivery of its own to what is sent again. A token is for one event, whoever sends it again.
    let stored_as = match &used_for {
        Some(_) if is_another_s && event.proved_by != ProvedBy::App => return Ok(Some(proof_reused())),
        Some(other) => other.clone(),
        None => event.id.clone(),
    };
    let handled = match store.control_event(&stored_as).await? {
        Some(handled) => handled,
        // What came of it was forgotten, but not that it was used.
        None if used_for.is_some() => return Ok(Some(proof_reused())),
        None => return Ok(None),
    };
    if handled.digest != event.digest {
        let detail = "An event of this id was handled, with another body. Give each event an id of its own.";
        return Ok(Some(Problem::new(StatusCode::CONFLICT, "event_reused", "Event id used", detail).into()));
    }
    if !unused.is_empty() {
        let at = clock::now();
        let uses = unused.into_iter().map(|proof| Write::UseProof { proof, event: stored_as.clone(), at });
        store.commit(uses.collect()).await?;
    }
    Ok(Some(Outcome::stored(handled)))
}

fn proof_reused() -> Outcome {
    let detail = "This proof was used for another event. Each event needs one of its own.";
    Problem::new(StatusCode::UNAUTHORIZED, "proof_reused", "Proof used before", detail).into()
}

/// Whose events are taken. Without a list nobody's that GitHub vouches for: whoever may dispatch is not always the maintainer.
/// What an agent pushes itself names no sender: the right to push is its proof.
fn refused(control: &Control, event: &VerifiedControlEvent, read: &ControlEvent) -> Option<Outcome> {
    let detail = match (&control.maintainers, &read.sender, event.proved_by) {
        (None, _, ProvedBy::Signature | ProvedBy::Push) | (Some(_), None, ProvedBy::Push) => return None,
        (None, _, ProvedBy::Token | ProvedBy::App) => {
            "control.maintainers is not set, so that no account's events are taken. Set the numeric ids of those that may send."
                .to_owned()
        }
        (Some(maintainers), Some(sender), _) if maintainers.contains(&sender.id) => return None,
        (Some(_), Some(sender), _) => format!("The account {} is not in control.maintainers.", sender.id),
        (Some(_), None, _) => "The event names no sender, and control.maintainers says whose events are taken.".to_owned(),
    };
    Some(Problem::new(StatusCode::FORBIDDEN, "sender_not_allowed", "Sender not allowed", detail).into())
}

/// The rows that say what came of an event. Guards: it is handled once, and so is its proof.
pub(super) fn rows(event: &VerifiedControlEvent, outcome: &Outcome, at: Time) -> Vec<Write> {
    let (id, digest) = (event.id.clone(), event.digest.clone());
    let handled = HandledEvent { id, digest, status: outcome.status, reply: outcome.body.clone(), at };
    let handled = Write::HandleEvent(Box::new(handled));
    std::iter::once(handled).chain(use_proofs(event, at)).collect()
}

/// The same for an event whose outcome is a record.
pub(super) fn rows_with(event: &VerifiedControlEvent, status: StatusCode, record: &Record) -> Vec<Write> {
    rows(event, &Outcome::record(status, record), clock::now())
}

fn use_proofs(event: &VerifiedControlEvent, at: Time) -> impl Iterator<Item = Write> {
    event.once.iter().map(move |proof| Write::UseProof { proof: proof.clone(), event: event.id.clone(), at })
}
