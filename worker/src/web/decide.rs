//! An owner answers, declines or cancels on the page. What does not count comes back with everything that was typed.

use axum::extract::rejection::FormRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use pager_questions::apply::{CancelReason, Refusal, Resolution};
use pager_questions::fields::Fault;
use pager_questions::text::is_blank;
use pager_questions::{Answer, Incarnation, OptionId, Outcome, Question, Record, State as QuestionState, ends, words};

use super::Site;
use super::contents::Trouble;
use super::forms::{AnswerForm, BareForm, as_typed, taken};
use super::inbox::{Looking, respond};
use super::late;
use super::pages::Problem;
use super::session::Visitor;
use crate::http::Shared;
use crate::service::{HELD_FOR_SAVE, Named, ServiceError, Spoken, Words};

/// One thing that was sent.
struct Sent<'a> {
    shared: &'a Shared,
    site: &'a Site,
    visitor: &'a Visitor,
    looking: &'a Looking,
    incarnation: Incarnation,
    typed: String,
    picked: Vec<String>,
    /// The words are meant, whatever they look like.
    is_meant: bool,
}

const BOTH: &str = "You picked an option and wrote words too, but an answer is one or the other. Send the words alone, or empty the \
                    field and pick.";
const NOTHING_PICKED: &str = "Nothing is ticked and nothing is written. Tick what you want, or write it, then send.";

type Reply = Result<Response, Problem>;

/// `POST /questions/{incarnation}/answer`.
pub async fn answer(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path(incarnation): Path<String>,
    Query(looking): Query<Looking>,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Reply {
    let form = AnswerForm::taken(form)?;
    let (incarnation, typed) = (known(&incarnation)?, as_typed(&form.answer));
    let words = typed.clone();
    let resolve = |question: &Question| match form.picked.as_slice() {
        [] if question.multi && is_blank(&words) => Err(Fault::invalid("", NOTHING_PICKED)),
        [] => words::own_words(&words).map_err(|detail| Fault::invalid("", format!("Your answer {detail}."))),
        [_, ..] if !is_blank(&words) => Err(Fault::invalid("", BOTH)),
        picked => words::pick(question, &picked.join(",")),
    };
    let (picked, is_meant) = (form.picked.clone(), form.confirm_secret.is_some());
    Sent { shared: &shared, site: &site, visitor: &visitor, looking: &looking, incarnation, typed, picked, is_meant }
        .decide(&form.csrf, resolve)
        .await
}

/// `POST /questions/{incarnation}/decline`.
pub async fn decline(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path(incarnation): Path<String>,
    Query(looking): Query<Looking>,
    form: Result<Form<BareForm>, FormRejection>,
) -> Reply {
    let (form, incarnation) = (taken(form)?, known(&incarnation)?);
    let sent = Sent::bare(&shared, &site, &visitor, &looking, incarnation);
    sent.decide(&form.csrf, |_| Ok(Resolution::Declined)).await
}

/// `POST /questions/{incarnation}/cancel`.
pub async fn cancel(
    visitor: Visitor,
    State(shared): State<Shared>,
    Extension(site): Extension<Site>,
    Path(incarnation): Path<String>,
    Query(looking): Query<Looking>,
    form: Result<Form<BareForm>, FormRejection>,
) -> Reply {
    let (form, incarnation) = (taken(form)?, known(&incarnation)?);
    let sent = Sent::bare(&shared, &site, &visitor, &looking, incarnation);
    sent.decide(&form.csrf, |_| Ok(Resolution::Cancelled(CancelReason::OwnerCancelled))).await
}

impl<'a> Sent<'a> {
    /// One that says nothing but what its address says.
    fn bare(shared: &'a Shared, site: &'a Site, visitor: &'a Visitor, looking: &'a Looking, incarnation: Incarnation) -> Self {
        Self { shared, site, visitor, looking, incarnation, typed: String::new(), picked: Vec::new(), is_meant: false }
    }

    async fn decide(&self, csrf: &str, resolve: impl Fn(&Question) -> Result<Resolution, Fault>) -> Reply {
        if !self.visitor.owns(csrf) {
            return self
                .again(StatusCode::FORBIDDEN, "This page was from an earlier login, so nothing was recorded. Press again.")
                .await;
        }
        let named = Named::Incarnation(self.incarnation.clone());
        let (service, actor) = (&self.shared.service, self.visitor.actor());
        match service.decide(&actor, &named, Words::meant(self.is_meant), &resolve, Spoken::just_now(), &[]).await {
            // Private words that were lost, written once more.
            Ok(known) if known.is_over() => Ok(self.done()),
            Ok(claimed) => self.settle(claimed, &resolve).await,
            Err(ServiceError::Refused(Refusal::NotAnOption, _)) => {
                self.again(StatusCode::UNPROCESSABLE_ENTITY, "It has no such option.").await
            }
            Err(ServiceError::Refused(Refusal::TakesNoWords, _)) => {
                self.again(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "A decision takes one of its options and no words. Pick one, or decline.",
                )
                .await
            }
            Err(ServiceError::Refused(_, record)) => self.settle(*record, &resolve).await,
            Err(ServiceError::Fault(fault)) => {
                let message = if fault.field.is_empty() { fault.detail } else { format!("{} {}.", fault.field, fault.detail) };
                self.again(StatusCode::UNPROCESSABLE_ENTITY, &message).await
            }
            Err(ServiceError::NotPutToYou) => {
                self.again(StatusCode::FORBIDDEN, "It is put to the agent whose request it is about. Nothing was recorded.").await
            }
            Err(ServiceError::LooksSecret(looks)) => {
                let message = format!(
                    "Not saved: that looks like {looks}, and answers are kept in a git repository. Change it, or press Send anyway if you mean it."
                );
                self.shown_again(StatusCode::UNPROCESSABLE_ENTITY, &message, true).await
            }
            Err(ServiceError::NotFound | ServiceError::IncarnationMismatch | ServiceError::RevisionConflict) => {
                self.again(StatusCode::NOT_FOUND, "There is no such question any more. Nothing was recorded.").await
            }
            Err(ServiceError::Revoked) => Ok(Redirect::to("/login").into_response()),
            Err(
                ServiceError::Busy
                | ServiceError::IdUsed
                | ServiceError::DraftChanged
                | ServiceError::Capacity(_)
                | ServiceError::FullOfNews(_)
                | ServiceError::KeyReused
                | ServiceError::DigestMismatch,
            ) => {
                self.again(StatusCode::SERVICE_UNAVAILABLE, "Others are changing this question at the same moment. Press again.")
                    .await
            }
            Err(ServiceError::Unusable(cause)) => {
                tracing::error!(cause, "an answer on the page could not be stored");
                self.again(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "The service cannot use its store at the moment. Nothing was recorded; press again in a moment.",
                )
                .await
            }
        }
    }

    /// Waits for the save of what is under way, and tells whether it was this one. A second press of the same is the same one.
    async fn settle(&self, record: Record, resolve: &impl Fn(&Question) -> Result<Resolution, Fault>) -> Reply {
        let wanted = resolve(&record.question).ok();
        let is_mine = |answer: &Answer| {
            answer.by == self.visitor.actor().by
                && self.are_its_private_words(answer)
                && wanted.as_ref().is_some_and(|wanted| decides(answer, wanted))
        };
        let was_mine = matches!(&record.state, QuestionState::Answering(claim) if is_mine(&claim.answer));
        let record = if was_mine { self.shared.service.settled(record, HELD_FOR_SAVE).await } else { Ok(record) };
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                tracing::error!(%error, "what came of a save could not be read");
                return self
                    .again(
                        StatusCode::SERVICE_UNAVAILABLE,
                        "It is not known yet whether your answer was saved. Load the page again.",
                    )
                    .await;
            }
        };
        match &record.state {
            QuestionState::Ended { answer, .. } if is_mine(answer) => Ok(self.done()),
            QuestionState::Answering(claim) if is_mine(&claim.answer) => Ok(self.done()),
            QuestionState::Open { refused: Some(note) } => {
                let message =
                    format!("Your answer was not saved: {}. Nothing was recorded; the question is open again.", note.reason);
                self.again(StatusCode::BAD_GATEWAY, &message).await
            }
            QuestionState::Open { refused: None } => {
                self.again(StatusCode::CONFLICT, "The question is open again, and nothing of yours was recorded. Press again.")
                    .await
            }
            QuestionState::Answering(claim) => {
                let by = &claim.answer.by;
                let place = by.via.map(|via| format!(" {}", via.place())).unwrap_or_default();
                let what_of_it = self.kept_late(&record, wanted.as_ref()).await;
                let message = format!("{} was faster{place}: that answer is being saved. {what_of_it}", ends::who(by));
                self.again(StatusCode::CONFLICT, &message).await
            }
            QuestionState::Ended { .. } | QuestionState::Withdrawn { .. } | QuestionState::IdTaken { .. } => {
                let what_of_it = self.kept_late(&record, wanted.as_ref()).await;
                let message = match ends::end(&record, &self.site.zone) {
                    Some(end) if end.signed.is_empty() => {
                        format!("It was settled before. {} {what_of_it}", stopped(&end.text))
                    }
                    Some(end) => format!("It was settled before: {}. {} {what_of_it}", end.signed, stopped(&end.text)),
                    None => format!("It was settled before. {what_of_it}"),
                };
                self.again(StatusCode::CONFLICT, &message).await
            }
        }
    }

    /// What became of a pick that came after the default of an offer held.
    async fn kept_late(&self, record: &Record, wanted: Option<&Resolution>) -> String {
        match late::kept(self.shared.service.store.as_ref(), &self.visitor.actor().by, record, wanted).await {
            Ok(told) => told,
            Err(error) => {
                tracing::error!(%error, "whether a late pick was kept could not be read");
                "Load the page of its request to see whether yours was kept.".to_owned()
            }
        }
    }

    /// Of a private answer only the words that are held tell whether they are the ones that were sent.
    fn are_its_private_words(&self, answer: &Answer) -> bool {
        answer.private != Some(true) || self.shared.service.private.of(answer).is_some_and(|words| words == self.typed)
    }

    /// To the page, which shows what came of it: loading it again sends nothing twice.
    fn done(&self) -> Response {
        let after = self
            .looking
            .after
            .as_deref()
            .filter(|after| after.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
        let after = after.map(|after| format!("after={after}&")).unwrap_or_default();
        Redirect::to(&format!("/?{after}done={}", self.incarnation)).into_response()
    }

    async fn again(&self, status: StatusCode, message: &str) -> Reply {
        self.shown_again(status, message, false).await
    }

    async fn shown_again(&self, status: StatusCode, message: &str, is_held: bool) -> Reply {
        let (typed, picked) = (self.typed.clone(), self.picked.clone());
        let incarnation = self.incarnation.clone();
        let trouble = Trouble { incarnation, message: message.to_owned(), typed, picked, is_held };
        respond(status, self.shared, self.site, self.visitor, self.looking, Some(trouble)).await
    }
}

fn known(incarnation: &str) -> Result<Incarnation, Problem> {
    Incarnation::parse(incarnation).map_err(|_| Problem::no_such_question())
}

/// Does this answer say what was wanted?
fn decides(answer: &Answer, wanted: &Resolution) -> bool {
    match wanted {
        Resolution::Chosen(options) => {
            answer.choice.as_ref().is_some_and(|choice| choice.split(',').eq(options.iter().map(OptionId::as_str)))
        }
        Resolution::OwnWords(words) => {
            answer.outcome == Outcome::OwnWords && (answer.private == Some(true) || answer.answer.as_ref() == Some(words))
        }
        Resolution::Declined => answer.outcome == Outcome::Declined,
        Resolution::Cancelled(_) => answer.outcome == Outcome::Cancelled,
    }
}

/// With a full stop at its end.
fn stopped(text: &str) -> String {
    if text.ends_with(['.', '!', '?', '…']) { text.to_owned() } else { format!("{text}.") }
}
