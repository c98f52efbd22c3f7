//! What an owner sends on the page of a request: words into its thread, or the end of a question that is put to an agent.

use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use pager_questions::apply::{CancelReason, Resolution};
use pager_questions::fields::check_text;
use pager_questions::request::MOST_IN_TEXT;
use pager_questions::{Incarnation, Reply, ReplyDraft, State as QuestionState, ends};

use super::{Trouble, known, respond};
use crate::http::Shared;
use crate::secrets;
use crate::service::{HELD_FOR_SAVE, Named, ServiceError, Spoken, Words};
use crate::web::Site;
use crate::web::forms::{BareForm, RequestForm, as_typed, taken};
use crate::web::pages::Problem;
use crate::web::session::Visitor;

const EARLIER_LOGIN: &str = "This page was from an earlier login, so nothing was recorded. Send again.";
const UNUSABLE: &str = "The service cannot use its store at the moment. Nothing was recorded; send again in a moment.";

/// `POST /requests/{id}/replies`: a further message in a thread of the owner's own, an answer in that of an agent.
pub async fn reply(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path(id): Path<String>,
    form: Result<Form<RequestForm>, FormRejection>,
) -> Result<Response, Problem> {
    let (form, request) = (taken(form)?, known(&shared, &id).await?);
    let text = as_typed(&form.text);
    let again = async |status, message: String| {
        let trouble = Trouble { message, is_in_field: true };
        respond(status, &shared, &site, &visitor, &request, text.clone(), Some(trouble)).await
    };
    if !visitor.owns(&form.csrf) {
        return again(StatusCode::UNPROCESSABLE_ENTITY, EARLIER_LOGIN.to_owned()).await;
    }
    if let Err(detail) = check_text(&text, MOST_IN_TEXT) {
        return again(StatusCode::UNPROCESSABLE_ENTITY, format!("Your message {detail}.")).await;
    }
    // The same press twice is one message; other words under the same mark are another.
    let mark = secrets::hash(&format!("{}\n{}\n{id}\n{text}", visitor.session.hash, form.once));
    let draft = ReplyDraft { title: None, text: text.clone(), publication_id: Some(format!("web:{mark}")) };
    let also = |reply: &Reply| shared.service.leaving_further(&request, reply, None).into_iter().collect();
    match shared.service.reply(&visitor.actor(), &request.id, &draft, &also).await {
        Ok(replied) => {
            shared.service.outlet.ring();
            Ok(Redirect::to(&format!("/requests/{}#{}", request.id, replied.reply.id)).into_response())
        }
        Err(ServiceError::NotFound) => Err(Problem::no_such_request()),
        Err(ServiceError::Revoked) => Ok(Redirect::to("/login").into_response()),
        Err(ServiceError::Capacity(_)) => {
            let message = "This thread has no room for more of the owner's messages. Make a new request; nothing was recorded.";
            again(StatusCode::UNPROCESSABLE_ENTITY, message.to_owned()).await
        }
        Err(error) => {
            tracing::error!(%error, "a message on the page could not be stored");
            again(StatusCode::SERVICE_UNAVAILABLE, UNUSABLE.to_owned()).await
        }
    }
}

/// `POST /requests/{id}/questions/{incarnation}/cancel`: of what is put to an agent, an owner can do nothing else.
pub async fn cancel(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path((id, incarnation)): Path<(String, String)>,
    form: Result<Form<BareForm>, FormRejection>,
) -> Result<Response, Problem> {
    let (form, request) = (taken(form)?, known(&shared, &id).await?);
    let incarnation = Incarnation::parse(&incarnation).map_err(|_| Problem::no_such_question())?;
    let again = async |status, message: String| {
        let trouble = Trouble { message, is_in_field: false };
        respond(status, &shared, &site, &visitor, &request, String::new(), Some(trouble)).await
    };
    if !visitor.owns(&form.csrf) {
        return again(StatusCode::FORBIDDEN, EARLIER_LOGIN.to_owned()).await;
    }
    let (service, named) = (&shared.service, Named::Incarnation(incarnation.clone()));
    let back = || Redirect::to(&format!("/requests/{}#k-{incarnation}", request.id)).into_response();
    let off = |_: &_| Ok(Resolution::Cancelled(CancelReason::OwnerCancelled));
    let record = match service.decide(&visitor.actor(), &named, Words::Checked, off, Spoken::just_now(), &[]).await {
        Ok(claimed) => match service.settled(claimed, HELD_FOR_SAVE).await {
            Ok(record) => record,
            Err(error) => return Err(Problem::unavailable(&error)),
        },
        Err(ServiceError::Refused(_, record)) => {
            let end = ends::end(&record, &site.zone).map(|end| format!(" {} {}", end.text, end.signed));
            let message = format!("It was settled before, so there was nothing to cancel.{}", end.unwrap_or_default());
            return again(StatusCode::CONFLICT, message.trim_end().to_owned()).await;
        }
        Err(ServiceError::NotFound) => return Err(Problem::no_such_question()),
        Err(ServiceError::Revoked) => return Ok(Redirect::to("/login").into_response()),
        Err(error) => {
            tracing::error!(%error, "a question could not be called off on the page");
            return again(StatusCode::SERVICE_UNAVAILABLE, UNUSABLE.to_owned()).await;
        }
    };
    match &record.state {
        QuestionState::Open { refused: Some(note) } => {
            let message = format!("It was not cancelled: {}. Nothing was recorded; press again.", note.reason);
            again(StatusCode::BAD_GATEWAY, message).await
        }
        QuestionState::Open { refused: None } => {
            again(StatusCode::CONFLICT, "It is open again, and nothing of yours was recorded. Press again.".to_owned()).await
        }
        QuestionState::Answering(_)
        | QuestionState::Ended { .. }
        | QuestionState::Withdrawn { .. }
        | QuestionState::IdTaken { .. } => Ok(back()),
    }
}
