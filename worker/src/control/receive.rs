//! The one function that handles a proved event. What it replies is stored in the very commit that makes the change, so
//! that an event which comes again gets the same reply, also after a crash between the two.

use axum::http::StatusCode;
use pager_questions::control::ControlEvent;
use pager_questions::{Record, Time};

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
    if let Some(refusal) = refused(control, &read) {
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
    let used_for = match &event.once {
        Some(proof) => store.control_proof(proof).await?,
        None => None,
    };
    if used_for.as_ref().is_some_and(|other| *other != event.id) {
        let detail = "This proof was used for another event. Each event needs one of its own.";
        return Ok(Some(Problem::new(StatusCode::UNAUTHORIZED, "proof_reused", "Proof used before", detail).into()));
    }
    let Some(handled) = store.control_event(&event.id).await? else { return Ok(None) };
    if handled.digest != event.digest {
        let detail = "An event of this id was handled, with another body. Give each event an id of its own.";
        return Ok(Some(Problem::new(StatusCode::CONFLICT, "event_reused", "Event id used", detail).into()));
    }
    if used_for.is_none()
        && let Some(proof) = use_proof(event, clock::now())
    {
        store.commit(vec![proof]).await?;
    }
    Ok(Some(Outcome::stored(handled)))
}

fn refused(control: &Control, read: &ControlEvent) -> Option<Outcome> {
    let maintainers = control.maintainers.as_ref()?;
    let sender = read.sender.as_ref();
    if sender.is_some_and(|sender| maintainers.contains(&sender.id)) {
        return None;
    }
    let detail = match sender {
        Some(sender) => format!("The account {} is not in control.maintainers.", sender.id),
        None => "The event names no sender, and control.maintainers says whose events are taken.".to_owned(),
    };
    Some(Problem::new(StatusCode::FORBIDDEN, "sender_not_allowed", "Sender not allowed", detail).into())
}

/// The rows that say what came of an event. Guards: it is handled once, and so is its proof.
pub(super) fn rows(event: &VerifiedControlEvent, outcome: &Outcome, at: Time) -> Vec<Write> {
    let (id, digest) = (event.id.clone(), event.digest.clone());
    let handled = HandledEvent { id, digest, status: outcome.status, reply: outcome.body.clone(), at };
    let handled = Write::HandleEvent(Box::new(handled));
    std::iter::once(handled).chain(use_proof(event, at)).collect()
}

/// The same for an event whose outcome is a record.
pub(super) fn rows_with(event: &VerifiedControlEvent, status: StatusCode, record: &Record) -> Vec<Write> {
    rows(event, &Outcome::record(status, record), clock::now())
}

fn use_proof(event: &VerifiedControlEvent, at: Time) -> Option<Write> {
    event.once.clone().map(|proof| Write::UseProof { proof, event: event.id.clone(), at })
}
