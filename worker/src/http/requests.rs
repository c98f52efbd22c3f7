//! Requests: work that is asked for, with what stands in its thread. Owners and agents see all of them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use pager_questions::request::is_tag;
use pager_questions::unanswered::Clarify;
use pager_questions::view::state_name;
use pager_questions::{Party, Record, Reply, ReplyKind, Request, RequestDraft, RequestId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::body::JsonBody;
use super::callers::Caller;
use super::cursors;
use super::description::parameters::RequestState;
use super::description::{bodies, refusals};
use super::lists::{Page, invalid, read_after, read_limit};
use super::path::Segment;
use super::problem::Problem;
use super::query::QueryOf;
use crate::service::ServiceError;
use crate::store::RequestListing;

/// A request, and whether somebody else answered it.
#[derive(Serialize, ToSchema)]
pub struct RequestView {
    #[serde(flatten)]
    request: Request,
    /// `open` until somebody else answered it, then `answered`.
    state: &'static str,
}

/// A request that was asked for, and what was read with a grain of salt.
#[derive(Serialize, ToSchema)]
pub struct RequestReply {
    #[serde(flatten)]
    view: RequestView,
    warnings: Vec<String>,
}

/// A request with its thread.
#[derive(Serialize, ToSchema)]
pub struct ThreadView {
    #[serde(flatten)]
    view: RequestView,
    /// How many answers of others there are.
    answers: usize,
    /// Answers, further messages and late picks, oldest first.
    replies: Vec<Reply>,
    /// What helpers ask about it: to whoever asked for it and to the owner all of them, to a helper its own.
    clarifies: Vec<ClarifyView>,
}

/// What a helper asks about a request.
#[derive(Serialize, ToSchema)]
pub struct ClarifyView {
    #[serde(flatten)]
    clarify: Clarify,
    /// The state of the question.
    state: &'static str,
}

/// The query of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RequestsQuery {
    /// Only those with this tag.
    #[param(required = false)]
    tag: Option<String>,
    /// Only those in this state.
    #[param(inline, value_type = RequestState, required = false)]
    state: Option<String>,
    /// How many; 50 when left out.
    #[param(value_type = u32, required = false, minimum = 1, maximum = 1000)]
    limit: Option<String>,
    /// The `next` of an earlier page.
    #[param(required = false, nullable = false)]
    cursor: Option<String>,
}

/// Asks agents for work: the request, or the original.
#[utoipa::path(
    post,
    path = "/v1/requests",
    operation_id = "make_request",
    security(("bearer" = [])),
    request_body = bodies::RequestBody,
    responses((status = 201, description = "The request", body = RequestReply), (status = 200, description = "The original", body = RequestReply), refusals::NeedsToken, refusals::WrongBody, refusals::MadeBefore, refusals::NoRoom)
)]
pub async fn make(caller: Caller, State(shared): State<Shared>, JsonBody(body): JsonBody) -> Result<Response, Problem> {
    let draft = RequestDraft::read(body).map_err(ServiceError::from)?;
    let made = shared.service.make_request(caller.actor(), &draft, &|request| shared.service.leaving(request)).await?;
    shared.service.outlet.ring();
    let status = if made.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let answered = match made.is_new {
        true => false,
        false => is_answered(&shared.service.store.replies(&made.request.id).await.map_err(ServiceError::from)?),
    };
    let reply = RequestReply { view: RequestView::of(made.request, answered), warnings: made.warnings };
    Ok((status, Json(reply)).into_response())
}

/// Requests, newest first.
#[utoipa::path(
    get,
    path = "/v1/requests",
    operation_id = "list_requests",
    security(("bearer" = [])),
    params(RequestsQuery),
    responses((status = 200, description = "One page", body = Page<RequestView>), refusals::NeedsAnyToken, refusals::WrongQuery)
)]
pub async fn list(
    _: Caller,
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<RequestsQuery>,
) -> Result<Json<Page<RequestView>>, Problem> {
    let limit = read_limit(query.limit.as_deref())?;
    let tag = match query.tag {
        Some(tag) if !is_tag(&tag) => return Err(invalid("tag", "is one tag, like cap:rust")),
        tag => tag,
    };
    let answered = match query.state.as_deref() {
        None => None,
        Some("open") => Some(false),
        Some("answered") => Some(true),
        Some(_) => return Err(invalid("state", "is open or answered")),
    };
    let listing = RequestListing { party: None, tag, answered, limit: limit + 1, after: read_after(query.cursor.as_deref())? };
    let found = shared.service.store.requests(&listing).await.map_err(ServiceError::from)?;
    let view = |listed: crate::store::ListedRequest| RequestView::of(listed.request, listed.answered_at.is_some());
    Ok(Json(Page::of(found, limit, |listed| cursors::write(&listed.cursor), view)))
}

/// One request with its thread.
#[utoipa::path(
    get,
    path = "/v1/requests/{id}",
    operation_id = "show_request",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses((status = 200, description = "The request", body = ThreadView), refusals::NeedsAnyToken, refusals::NotFound)
)]
pub async fn show(caller: Caller, State(shared): State<Shared>, Segment(id): Segment) -> Result<Json<ThreadView>, Problem> {
    let request = shared.service.request_of(&request_id(&id)?).await.map_err(unknown)?;
    let store = &shared.service.store;
    let replies = store.replies(&request.id).await.map_err(ServiceError::from)?;
    let mut about = store.about(&request.id.thread()).await.map_err(ServiceError::from)?;
    about.retain(|record| caller.may_see(&request, record));
    let clarifies = about.iter().map(ClarifyView::of).collect();
    let answers = replies.iter().filter(|reply| reply.kind == ReplyKind::Answer).count();
    let view = RequestView::of(request, answers > 0);
    Ok(Json(ThreadView { view, answers, replies, clarifies }))
}

fn is_answered(replies: &[Reply]) -> bool {
    replies.iter().any(|reply| reply.kind == ReplyKind::Answer)
}

impl RequestView {
    fn of(request: Request, is_answered: bool) -> Self {
        Self { request, state: if is_answered { "answered" } else { "open" } }
    }
}

impl ClarifyView {
    fn of(record: &Record) -> Self {
        Self { clarify: Clarify::of(record), state: state_name(&record.state) }
    }
}

impl Caller {
    /// Whether what is asked about a request is their business.
    fn may_see(&self, request: &Request, record: &Record) -> bool {
        let party = self.party();
        party == Party::Owner || party == request.party() || Some(&record.question.source.agent) == party.agent()
    }
}

/// The id of a request in a path. What cannot be an id is as unknown as an id that nobody used.
pub fn request_id(text: &str) -> Result<RequestId, Problem> {
    RequestId::parse(text).map_err(|_| no_request())
}

/// What went wrong about a request that was named.
pub fn unknown(error: ServiceError) -> Problem {
    match error {
        ServiceError::NotFound => no_request(),
        error => error.into(),
    }
}

fn no_request() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found", "There is no request of this id. Check the id.")
}
