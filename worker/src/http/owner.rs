//! The owner's side: what is open, and how it is settled. Saving is waited for; a slow save is told as such.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use pager_questions::apply::{CancelReason, Refusal, Resolution};
use pager_questions::fields::{Fault, Fields};
use pager_questions::words::{AnswerBody, Meant, read_revision};
use pager_questions::{Answer, Incarnation, Question, Record, RecordView, State as QuestionState};

use super::Shared;
use super::body::{JsonBody, NoBody, OptionalBody};
use super::callers::{Owner, Viewer};
use super::description::parameters::Paging;
use super::description::{bodies, refusals};
use super::lists::{ListQuery, Page, page_of};
use super::path::Segment;
use super::problem::Problem;
use super::query::QueryOf;
use super::questions::question_id;
use crate::service::{Actor, HELD_FOR_SAVE, Named, Once, ServiceError, Spoken, Words};

/// The open questions: hard to reverse first, then oldest.
#[utoipa::path(
    get,
    path = "/v1/inbox/open",
    operation_id = "list_open",
    security(("bearer" = [])),
    params(Paging),
    responses((status = 200, description = "One page", body = Page<RecordView>), refusals::NeedsAnyToken, refusals::WrongQuery)
)]
pub async fn open(_: Viewer, State(shared): State<Shared>, QueryOf(query): QueryOf<ListQuery>) -> Result<Json<Page>, Problem> {
    let limit = query.limit()?;
    let found = shared.service.store.open(limit + 1, query.after()?).await.map_err(ServiceError::from)?;
    Ok(Json(page_of(found, limit)))
}

/// Answers: an option, or own words.
#[utoipa::path(
    post,
    path = "/v1/questions/{id}/answer",
    operation_id = "answer",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id"), ("Idempotency-Key" = inline(Option<String>), Header, description = "The same call under the same key is done once")),
    request_body = bodies::AnswerBody,
    responses((status = 200, description = "The answer, saved", body = Answer), (status = 202, description = "The record: the answer is still being saved", body = RecordView), refusals::NeedsToken, refusals::NotFound, refusals::WrongAnswer, refusals::Settled)
)]
pub async fn answer(
    owner: Owner,
    State(shared): State<Shared>,
    Segment(id): Segment,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Problem> {
    let once = once(&headers, "answer", &id, &body.to_string())?;
    let body = AnswerBody::read(body).map_err(ServiceError::from)?;
    settle(&shared, &owner, &id, body.meant.clone(), once, |question| body.resolution(question)).await
}

/// Leaves it to the agent. Takes no body.
#[utoipa::path(
    post,
    path = "/v1/questions/{id}/decline",
    operation_id = "decline",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id"), ("Idempotency-Key" = inline(Option<String>), Header, description = "The same call under the same key is done once")),
    responses((status = 200, description = "The answer, saved", body = Answer), (status = 202, description = "The record: the answer is still being saved", body = RecordView), refusals::NeedsToken, refusals::NotFound, refusals::WrongKey, refusals::Settled)
)]
pub async fn decline(
    owner: Owner,
    State(shared): State<Shared>,
    Segment(id): Segment,
    headers: HeaderMap,
    _: NoBody,
) -> Result<Response, Problem> {
    let once = once(&headers, "decline", &id, "")?;
    settle(&shared, &owner, &id, Meant::default(), once, |_| Ok(Resolution::Declined)).await
}

/// Calls a question off.
#[utoipa::path(
    post,
    path = "/v1/questions/{id}/cancel",
    operation_id = "cancel",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id"), ("Idempotency-Key" = inline(Option<String>), Header, description = "The same call under the same key is done once")),
    request_body = Option<bodies::CancelBody>,
    responses((status = 200, description = "The answer, saved", body = Answer), (status = 202, description = "The record: the answer is still being saved", body = RecordView), refusals::NeedsToken, refusals::NotFound, refusals::WrongAnswer, refusals::Settled)
)]
pub async fn cancel(
    owner: Owner,
    State(shared): State<Shared>,
    Segment(id): Segment,
    headers: HeaderMap,
    OptionalBody(body): OptionalBody,
) -> Result<Response, Problem> {
    let once = once(&headers, "cancel", &id, &body.to_string())?;
    let mut fields = Fields::of(body).map_err(ServiceError::from)?;
    let incarnation = fields.parsed("incarnation", Incarnation::parse).map_err(ServiceError::from)?;
    let expected_revision = read_revision(&mut fields).map_err(ServiceError::from)?;
    fields.finish().map_err(ServiceError::from)?;
    let meant = Meant { incarnation, expected_revision, confirm_secret: false };
    settle(&shared, &owner, &id, meant, once, |_| Ok(Resolution::Cancelled(CancelReason::OwnerCancelled))).await
}

/// The one key that the call came with, for this kind of call and its body.
pub fn once(headers: &HeaderMap, kind: &'static str, id: &str, body: &str) -> Result<Option<Once>, Problem> {
    let Some(key) = key_of(headers)? else { return Ok(None) };
    Ok(Some(Once::new(key, kind, &question_id(id)?, body).map_err(ServiceError::from)?))
}

/// The idempotency key of a call, as it was sent.
pub fn key_of(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut keys = headers.get_all("idempotency-key").iter();
    let Some(key) = keys.next() else { return Ok(None) };
    // More than one, or one that is no text, is none that could be valid.
    Ok(Some(keys.next().map_or_else(|| key.to_str().unwrap_or_default(), |_| "")))
}

async fn settle(
    shared: &Shared,
    owner: &Owner,
    id: &str,
    meant: Meant,
    once: Option<Once>,
    resolve: impl Fn(&Question) -> Result<Resolution, Fault>,
) -> Result<Response, Problem> {
    let named = shared.service.exactly(Named::Id(question_id(id)?, meant.incarnation), meant.expected_revision).await?;
    let words = Words::meant(meant.confirm_secret);
    saved(shared, decide(shared, &owner.actor, &named, words, once, resolve).await?).await
}

/// Decides at this moment; under a key once.
pub async fn decide(
    shared: &Shared,
    actor: &Actor,
    named: &Named,
    words: Words,
    once: Option<Once>,
    resolve: impl Fn(&Question) -> Result<Resolution, Fault>,
) -> Result<Record, ServiceError> {
    match once {
        Some(once) => shared.service.decide_once(actor, named, &once, words, resolve).await,
        None => shared.service.decide(actor, named, words, resolve, Spoken::just_now(), &[]).await,
    }
}

/// What became of a claim: 200 with the answer once it is saved, 202 with the record when that takes longer.
pub async fn saved(shared: &Shared, claimed: Record) -> Result<Response, Problem> {
    let mine = match &claimed.state {
        QuestionState::Answering(claim) => Some((claim.number, claim.answer.clone())),
        QuestionState::Open { .. }
        | QuestionState::Ended { .. }
        | QuestionState::Withdrawn { .. }
        | QuestionState::IdTaken { .. } => None,
    };
    let is_mine = |answer: &Answer| mine.as_ref().is_none_or(|(_, mine)| (&mine.by, mine.at) == (&answer.by, answer.at));
    let record = shared.service.settled(claimed, HELD_FOR_SAVE).await?;
    match &record.state {
        QuestionState::Ended { answer, .. } if is_mine(answer) => Ok(Json(answer).into_response()),
        // The save of this one was refused, and somebody else was quick.
        QuestionState::Ended { .. } => Err(ServiceError::Refused(Refusal::AlreadyAnswered, Box::new(record)).into()),
        QuestionState::Answering(claim) if mine.as_ref().is_some_and(|(number, _)| *number == claim.number) => {
            Ok((StatusCode::ACCEPTED, Json(RecordView::from(&record))).into_response())
        }
        QuestionState::Open { refused: Some(note) } => {
            let detail =
                format!("The answers repository refused it: {}. Nothing was recorded; the question is open again.", note.reason);
            Err(Problem::new(StatusCode::BAD_GATEWAY, "save_refused", "Not saved", detail))
        }
        QuestionState::Open { refused: None } | QuestionState::Answering(_) => {
            Err(ServiceError::Refused(Refusal::Answering, Box::new(record)).into())
        }
        QuestionState::Withdrawn { .. } => Err(ServiceError::Refused(Refusal::Withdrawn, Box::new(record)).into()),
        QuestionState::IdTaken { .. } => Err(ServiceError::Refused(Refusal::AlreadyAnswered, Box::new(record)).into()),
    }
}
