//! An agent settles what is asked about its own request.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use pager_questions::apply::Refusal;
use pager_questions::words::PickBody;
use pager_questions::{Answer, Record, RecordView};

use super::Shared;
use super::body::JsonBody;
use super::callers::Agent;
use super::description::{bodies, refusals};
use super::owner::{decide, once, saved};
use super::path::Segment;
use super::problem::Problem;
use super::questions::question_id;
use crate::service::{Named, ServiceError, Words};

/// Picks an option, or answers in words.
#[utoipa::path(
    post,
    path = "/v1/questions/{id}/pick",
    operation_id = "pick",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id"), ("Idempotency-Key" = inline(Option<String>), Header, description = "The same call under the same key is done once")),
    request_body = bodies::PickBody,
    responses((status = 200, description = "The answer, saved", body = Answer), (status = 202, description = "The record: the answer is still being saved", body = RecordView), refusals::NeedsToken, refusals::NotFound, refusals::WrongAnswer, refusals::Settled)
)]
pub async fn pick(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Problem> {
    let id = question_id(&id)?;
    let once = once(&headers, "pick", id.as_str(), &body.to_string())?;
    let body = PickBody::read(body).map_err(ServiceError::from)?;
    let meant = body.meant.clone();
    let named = shared.service.put_to_caller(&agent.name, Named::Id(id, meant.incarnation), meant.expected_revision).await?;
    let words = Words::meant(meant.confirm_secret);
    match decide(&shared, &agent.actor, &named, words, once, |question| body.resolution(question)).await {
        Ok(claimed) => saved(&shared, claimed).await,
        Err(ServiceError::Refused(refusal @ (Refusal::Answering | Refusal::AlreadyAnswered), record))
            if record.is_defaulted_offer() =>
        {
            Err(late(refusal, record))
        }
        Err(error @ ServiceError::LooksSecret(_)) => Err(in_words(error.into())),
        Err(error) => Err(error.into()),
    }
}

/// What an owner's write calls its answer, a pick calls its words.
fn in_words(problem: Problem) -> Problem {
    let detail = problem.detail.replacen("answer", "words", 1);
    Problem { field: Some("words".to_owned()), detail, ..problem }
}

fn late(refusal: Refusal, record: Box<Record>) -> Problem {
    let default = if refusal == Refusal::Answering { "is being saved" } else { "holds" };
    let detail = format!(
        "Its deadline passed, and its default {default}. What was picked first since then is kept in the thread, and its helper is told."
    );
    Problem { detail, ..Problem::from(ServiceError::Refused(refusal, record)) }
}
