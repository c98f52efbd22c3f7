//! What an event asks for, done by the service as for any other door.

use axum::http::StatusCode;
use pager_questions::apply::Refusal;
use pager_questions::control::{Act, ControlEvent};
use pager_questions::{By, Draft, Event, QuestionId, Record, Time, Update, UpdateDraft, Via};

use super::receive::{rows, rows_with};
use super::{Control, Outcome, VerifiedControlEvent, threads};
use crate::clock;
use crate::http::problem::Problem;
use crate::service::{AskOutcome, Named, ServiceError, Terms, WITHDRAWAL_HELD_FOR_SAVE};
use crate::store::{EarlyWithdrawal, Write};

/// For how long a withdrawal waits for its question.
pub(super) const REMEMBERED_MILLIS: i64 = 60 * 60 * 1000;

/// Does it and stores what came of it. The record is there when an answer to it is being saved: then nothing was stored,
/// and what comes of that should be waited for.
pub(super) async fn perform(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
) -> Result<(Outcome, Option<Record>), ServiceError> {
    match &read.act {
        Act::Ask(draft) => Ok((ask(control, event, read, draft).await?, None)),
        Act::Withdraw { id, reason } => withdraw(control, event, read, id, reason.as_deref()).await,
        Act::Update(draft) => Ok((publish(control, event, read, draft).await?, None)),
        Act::Request(draft) => Ok((threads::request(control, event, read, draft).await?, None)),
        Act::Reply { request, draft } => Ok((threads::reply(control, event, read, request, draft).await?, None)),
        Act::Offer { request, draft } => Ok((threads::offer(control, event, read, request, draft).await?, None)),
    }
}

/// Returns once no answer to this record is being saved any more, or after a moment.
pub(super) async fn until_saved(control: &Control, record: Record) -> Result<(), ServiceError> {
    control.service.settled(record, WITHDRAWAL_HELD_FOR_SAVE).await.map(|_| ())
}

async fn ask(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
    draft: &Draft,
) -> Result<Outcome, ServiceError> {
    let service = &control.service;
    let withdrawn = withdrawn_before(control, read, draft).await?;
    let also = |record: &Record| rows_with(event, StatusCode::CREATED, record);
    let terms = Terms { token: None, project: None, withdrawn: withdrawn.as_ref(), also: &also };
    let outcome = match service.ask_draft(&read.author, draft, terms).await {
        Ok(AskOutcome::Asked(asked)) if asked.is_new => return Ok(Outcome::record(StatusCode::CREATED, &asked.record)),
        Ok(AskOutcome::Delegated) => Outcome::delegated(),
        Ok(AskOutcome::Asked(asked)) => Outcome::record(StatusCode::OK, &asked.record),
        Err(error @ ServiceError::IdUsed) => id_used(control, read, draft, error).await?.into(),
        Err(error @ ServiceError::DraftChanged) => Problem::from(error).into(),
        Err(error) => return Err(error),
    };
    service.store.commit(rows(event, &outcome, clock::now())).await?;
    Ok(outcome)
}

/// Without room for it nothing is stored, so that the same event can come again.
async fn publish(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
    draft: &UpdateDraft,
) -> Result<Outcome, ServiceError> {
    let service = &control.service;
    let also = |update: &Update| rows(event, &Outcome::of(StatusCode::CREATED, update), clock::now());
    let outcome = match service.publish(&read.author, None, draft, &also).await {
        Ok(published) if published.is_new => return Ok(Outcome::of(StatusCode::CREATED, &published.update)),
        Ok(published) => Outcome::of(StatusCode::OK, &published.update),
        Err(error @ ServiceError::DraftChanged) => Problem::from(error).into(),
        Err(error) => return Err(error),
    };
    service.store.commit(rows(event, &outcome, clock::now())).await?;
    Ok(outcome)
}

/// The withdrawal that came before this question, if the question says when it was sent and was not sent after it.
async fn withdrawn_before(control: &Control, read: &ControlEvent, draft: &Draft) -> Result<Option<Event>, ServiceError> {
    let (Some(id), Some(sent_at)) = (&draft.id, read.sent_at) else { return Ok(None) };
    let since = clock::now().plus_millis(-REMEMBERED_MILLIS);
    let early = control.service.store.early_withdrawal(&read.author, id, since).await?;
    let early = early.filter(|early| sent_at <= early.sent_at);
    Ok(early.map(|early| Event::Withdraw { by: by(read), reason: early.reason }))
}

/// With the answer, when the id is the author's own and was answered.
async fn id_used(control: &Control, read: &ControlEvent, draft: &Draft, error: ServiceError) -> Result<Problem, ServiceError> {
    let mut problem = Problem::from(error);
    if let Some(id) = &draft.id
        && let Some(record) = control.service.store.record(id).await?
        && record.question.source.agent == read.author
    {
        problem.state = Some(pager_questions::view::state_name(&record.state).to_owned());
        problem.answer = record.answer().cloned().map(Box::new);
    }
    Ok(problem)
}

async fn withdraw(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
    id: &QuestionId,
    reason: Option<&str>,
) -> Result<(Outcome, Option<Record>), ServiceError> {
    let service = &control.service;
    let record = match service.find_own(&read.author, &Named::Id(id.clone(), None)).await {
        Ok(record) => record,
        Err(ServiceError::NotFound) => return Ok((not_known_yet(control, event, read, id, reason).await?, None)),
        Err(error) => return Err(error),
    };
    let withdrawal = Event::Withdraw { by: by(read), reason: reason.map(str::to_owned) };
    let also = |record: &Record| rows_with(event, StatusCode::OK, record);
    match service.change_with(record, None, &withdrawal, &also).await {
        Ok(record) => Ok((Outcome::record(StatusCode::OK, &record), None)),
        Err(ServiceError::Refused(Refusal::Answering, record)) => {
            let outcome = Problem::from(ServiceError::Refused(Refusal::Answering, record.clone())).into();
            Ok((outcome, Some(*record)))
        }
        Err(error @ ServiceError::Refused(..)) => {
            let outcome = Problem::from(error).into();
            service.store.commit(rows(event, &outcome, clock::now())).await?;
            Ok((outcome, None))
        }
        Err(error) => Err(error),
    }
}

/// Nothing to take back. Its question may be on its way: events come late and out of order.
async fn not_known_yet(
    control: &Control,
    event: &VerifiedControlEvent,
    read: &ControlEvent,
    id: &QuestionId,
    reason: Option<&str>,
) -> Result<Outcome, ServiceError> {
    let detail = "There is no question of this id from this source. Should it still come, having been sent before, it is withdrawn at once.";
    let outcome = Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found", detail).into();
    let at = clock::now();
    let mut writes = rows(event, &outcome, at);
    // Without a time of its own it was sent when it came, at the latest.
    writes.push(remembered(read, id, reason, read.sent_at.unwrap_or(at), at));
    control.service.store.commit(writes).await?;
    Ok(outcome)
}

fn remembered(read: &ControlEvent, id: &QuestionId, reason: Option<&str>, sent_at: Time, at: Time) -> Write {
    let (author, reason) = (read.author.clone(), reason.map(str::to_owned));
    Write::RememberWithdrawal(Box::new(EarlyWithdrawal { author, question: id.clone(), sent_at, reason, at }))
}

pub(super) fn by(read: &ControlEvent) -> By {
    By::agent(read.author.as_str(), Via::Http)
}
