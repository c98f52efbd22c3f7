//! Events about work: requests, replies and offers. Done by the service as for any other door.

use axum::http::StatusCode;
use pager_questions::control::ControlEvent;
use pager_questions::{OfferDraft, Record, Reply, ReplyDraft, Request, RequestDraft, RequestId};

use super::act::by;
use super::receive::{rows, rows_with};
use super::{Control, Outcome, VerifiedControlEvent};
use crate::clock;
use crate::http::problem::Problem;
use crate::service::{Actor, AskOutcome, ServiceError, Terms};

/// Asks agents for work.
pub(super) async fn request(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
    draft: &RequestDraft,
) -> Result<Outcome, ServiceError> {
    let also = |request: &Request| rows(event, &Outcome::of(StatusCode::CREATED, request), clock::now());
    match control.service.make_request(&actor(read), draft, &also).await {
        Ok(made) if made.is_new => Ok(Outcome::of(StatusCode::CREATED, &made.request)),
        Ok(made) => settled(control, event, Outcome::of(StatusCode::OK, &made.request)).await,
        Err(error) => refused(control, event, error).await,
    }
}

/// Writes into the thread of a request.
pub(super) async fn reply(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
    request: &RequestId,
    draft: &ReplyDraft,
) -> Result<Outcome, ServiceError> {
    let also = |reply: &Reply| rows(event, &Outcome::of(StatusCode::CREATED, reply), clock::now());
    match control.service.reply(&actor(read), request, draft, &also).await {
        Ok(replied) if replied.is_new => Ok(Outcome::of(StatusCode::CREATED, &replied.reply)),
        Ok(replied) => settled(control, event, Outcome::of(StatusCode::OK, &replied.reply)).await,
        Err(error) => refused(control, event, error).await,
    }
}

/// Offers something about a request.
pub(super) async fn offer(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
    request: &RequestId,
    draft: &OfferDraft,
) -> Result<Outcome, ServiceError> {
    let also = |record: &Record| rows_with(event, StatusCode::CREATED, record);
    let terms = Terms { token: None, project: None, withdrawn: None, also: &also };
    match control.service.offer(&read.author, request, draft, terms).await {
        Ok(AskOutcome::Asked(asked)) if asked.is_new => Ok(Outcome::record(StatusCode::CREATED, &asked.record)),
        Ok(AskOutcome::Asked(asked)) => settled(control, event, Outcome::record(StatusCode::OK, &asked.record)).await,
        Ok(AskOutcome::Delegated) => settled(control, event, Outcome::delegated()).await,
        Err(error) => refused(control, event, error).await,
    }
}

fn actor(read: &ControlEvent) -> Actor {
    Actor { by: by(read), token: None }
}

/// What will be the same whenever the event comes again is stored. Without room for it nothing is, nor before its request is there,
/// so that it can come again.
async fn refused(control: &Control, event: &VerifiedControlEvent, error: ServiceError) -> Result<Outcome, ServiceError> {
    match error {
        ServiceError::IdUsed | ServiceError::DraftChanged => settled(control, event, Problem::from(error).into()).await,
        error => Err(error),
    }
}

async fn settled(control: &Control, event: &VerifiedControlEvent, outcome: Outcome) -> Result<Outcome, ServiceError> {
    control.service.store.commit(rows(event, &outcome, clock::now())).await?;
    Ok(outcome)
}
