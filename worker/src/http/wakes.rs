//! What an agent's runner calls: it is held until there is something to wake the agent for, marks it, and says that the run is over.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use pager_questions::WakeId;
use pager_questions::fields::{Fault, Fields};
use pager_questions::request::is_tag;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::body::OptionalBody;
use super::callers::Agent;
use super::description::{bodies, refusals};
use super::lists::invalid;
use super::path::Segment;
use super::problem::Problem;
use super::query::QueryOf;
use super::wait::patience;
use crate::clock;
use crate::service::ServiceError;
use crate::service::wakes::{Caller, LONGEST_CATCHUP, MarkError, Marked, Older, Wake, Wakes, Wanted};

/// A day, in seconds.
const CATCHUP: i64 = 24 * 3600;
/// The most tags of one runner.
const MOST_TAGS: usize = 64;
/// The shortest and the longest lease, and the one of who names none, in seconds.
const LEASES: std::ops::RangeInclusive<u32> = 1..=600;
const LEASE: u32 = 60;

/// What concerns a runner.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WakesQuery {
    /// Which requests are of interest: tags, joined by commas; all of them when left out.
    #[param(required = false)]
    tags: Option<String>,
    /// How old something may be that the agent is woken for, in seconds; a day when left out.
    #[param(value_type = u32, required = false, maximum = 2_592_000)]
    catchup: Option<String>,
}

/// A list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Items<Item> {
    /// Oldest first.
    items: Vec<Item>,
    /// Null, as after the last page of any list: what there is beyond these is listed once they are acknowledged.
    next: Option<String>,
}

impl<Item> Items<Item> {
    fn of(items: Vec<Item>) -> Json<Self> {
        Json(Self { items, next: None })
    }
}

/// A wake that was acknowledged or let go.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named {
    /// The wake.
    #[schema(value_type = String)]
    id: WakeId,
}

/// What the agent is to be woken for, at once or within `Prefer: wait=N`. It marks nothing. The first call registers the agent.
#[utoipa::path(
    get,
    path = "/v1/wakes",
    operation_id = "list_wakes",
    security(("bearer" = [])),
    params(WakesQuery, ("Prefer" = inline(Option<String>), Header, description = "`wait=` and at most 600 seconds")),
    responses((status = 200, description = "Those that nobody has; none when the time is up", body = Items<Wake>), refusals::NeedsToken, refusals::WrongQuery)
)]
pub async fn list(
    agent: Agent,
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<WakesQuery>,
    headers: HeaderMap,
) -> Result<Json<Items<Wake>>, Problem> {
    let wanted = wanted(&agent, &query)?;
    let until = Instant::now() + patience(&headers)?;
    // They share the connection's read buffer, which would be kept for as long as this is held.
    drop(headers);
    let found = tokio::select! {
        found = held(&shared, &wanted, until) => found?,
        () = shared.service.revocations.until_revoked(&agent.token) => return Err(Problem::unauthenticated()),
    };
    if shared.service.store.token_by_id(&agent.token).await.map_err(ServiceError::from)?.is_none() {
        return Err(Problem::unauthenticated());
    }
    Ok(Items::of(found.items))
}

/// Listens before it reads, and reads again when it is rung or a lease runs out.
async fn held(shared: &Shared, wanted: &Wanted, until: Instant) -> Result<Wakes, ServiceError> {
    let service = &shared.service;
    let hold = service.runners.hold(&wanted.agent, &wanted.skills);
    loop {
        let found = service.wakes(wanted).await?;
        if !found.items.is_empty() || Instant::now() >= until || service.ending.is_cancelled() {
            return Ok(found);
        }
        let lease = found.next_lease.map(|lease| lease.as_millis() - clock::now().as_millis());
        let lease = lease.map(|millis| Instant::now() + Duration::from_millis(u64::try_from(millis).unwrap_or(0)));
        tokio::select! {
            () = hold.rung() => {}
            () = sleep_until(lease.map_or(until, |lease| lease.min(until))) => {}
            () = service.ending.cancelled() => {}
        }
    }
}

/// Older requests that nobody answered, at most 3, for a heartbeat. One that was acknowledged is never listed again.
#[utoipa::path(
    get,
    path = "/v1/wakes/older",
    operation_id = "list_older_requests",
    security(("bearer" = [])),
    params(WakesQuery),
    responses((status = 200, description = "Older than `catchup`, and less than 3 days old", body = Items<Older>), refusals::NeedsToken, refusals::WrongQuery)
)]
pub async fn older(
    agent: Agent,
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<WakesQuery>,
) -> Result<Json<Items<Older>>, Problem> {
    let items = shared.service.older_requests(&wanted(&agent, &query)?).await?;
    Ok(Items::of(items))
}

/// Takes a wake for a run that is about to start, or renews the mark that is named. One that ran out is given once more.
#[utoipa::path(
    post,
    path = "/v1/wakes/{id}/mark",
    operation_id = "mark_wake",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    request_body = Option<bodies::MarkBody>,
    responses((status = 200, description = "The mark", body = Marked), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody, refusals::Taken)
)]
pub async fn mark(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    OptionalBody(body): OptionalBody,
) -> Result<Json<Marked>, Problem> {
    let mut fields = Fields::of(body).map_err(ServiceError::from)?;
    let lease = fields.value("lease").map(read_lease).transpose().map_err(ServiceError::from)?.unwrap_or(LEASE);
    let mark = fields.text("mark", 64).map_err(ServiceError::from)?;
    fields.finish().map_err(ServiceError::from)?;
    let id = wake_id(&id)?;
    let marked = shared.service.mark_wake(&caller(&agent), &id, lease, mark.as_deref()).await;
    marked.map(Json).map_err(problem)
}

/// The run is over: the agent is never woken for it again. Any number of times, also for what was never listed. Without its mark, one
/// that a runner has is left alone.
#[utoipa::path(
    post,
    path = "/v1/wakes/{id}/ack",
    operation_id = "acknowledge_wake",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    request_body = Option<bodies::AckBody>,
    responses((status = 200, description = "It is done with", body = Named), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody)
)]
pub async fn ack(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    OptionalBody(body): OptionalBody,
) -> Result<Json<Named>, Problem> {
    let mut fields = Fields::of(body).map_err(ServiceError::from)?;
    // Any mark counts, whoever has the wake by now: the run is over.
    let mark = fields.text("mark", 64).map_err(ServiceError::from)?;
    fields.finish().map_err(ServiceError::from)?;
    let id = wake_id(&id)?;
    shared.service.acknowledge_wake(&caller(&agent), &id, mark.as_deref()).await.map_err(MarkError::from).map_err(problem)?;
    Ok(Json(Named { id }))
}

/// The run did not start: as if the wake had not been marked.
#[utoipa::path(
    post,
    path = "/v1/wakes/{id}/release",
    operation_id = "release_wake",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "Its id")),
    request_body = bodies::ReleaseBody,
    responses((status = 200, description = "It can be marked again", body = Named), refusals::NeedsToken, refusals::NotFound, refusals::WrongBody, refusals::Taken)
)]
pub async fn release(
    agent: Agent,
    State(shared): State<Shared>,
    Segment(id): Segment,
    OptionalBody(body): OptionalBody,
) -> Result<Json<Named>, Problem> {
    let mut fields = Fields::of(body).map_err(ServiceError::from)?;
    let mark = fields.required_text("mark", 64).map_err(ServiceError::from)?;
    fields.finish().map_err(ServiceError::from)?;
    let id = wake_id(&id)?;
    shared.service.release_wake(&caller(&agent), &id, &mark).await.map_err(problem)?;
    Ok(Json(Named { id }))
}

fn caller(agent: &Agent) -> Caller<'_> {
    Caller { agent: &agent.name, token: &agent.token }
}

fn wanted(agent: &Agent, query: &WakesQuery) -> Result<Wanted, Problem> {
    let tags = query.tags.as_deref().unwrap_or_default().split(',').filter(|tag| !tag.is_empty());
    let skills: Vec<String> = tags.map(str::to_owned).collect();
    if skills.len() > MOST_TAGS || !skills.iter().all(|tag| is_tag(tag)) {
        return Err(invalid("tags", &format!("is at most {MOST_TAGS} tags, joined by commas, such as cap:rust,cap:go")));
    }
    let longest = LONGEST_CATCHUP / 1000;
    let catchup = match query.catchup.as_deref() {
        None => Some(CATCHUP),
        Some(text) => text.parse().ok().filter(|seconds| (0..=longest).contains(seconds)),
    };
    let catchup = catchup.ok_or_else(|| invalid("catchup", &format!("is a whole number of seconds, 0 to {longest}")))?;
    Ok(Wanted { agent: agent.name.clone(), skills, catchup: catchup * 1000 })
}

fn read_lease(value: serde_json::Value) -> Result<u32, Fault> {
    let lease = value.as_u64().and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| LEASES.contains(seconds));
    lease.ok_or_else(|| Fault::invalid("lease", "is a whole number of seconds, 1 to 600"))
}

/// An id in a path. What cannot be an id is as unknown as an id that no wake has.
fn wake_id(text: &str) -> Result<WakeId, Problem> {
    WakeId::parse(text).map_err(|_| not_found())
}

fn problem(error: MarkError) -> Problem {
    match error {
        MarkError::Taken => {
            let detail = "Another runner has this wake, or it is done with. Leave it, and list what there is.";
            Problem::new(StatusCode::CONFLICT, "wake_taken", "Wake taken", detail)
        }
        MarkError::Service(ServiceError::NotFound) => not_found(),
        MarkError::Service(error) => error.into(),
    }
}

fn not_found() -> Problem {
    let detail = "There is no wake of this id for this token. Check the id: what it is about, a dot, and the reason.";
    Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found", detail)
}
