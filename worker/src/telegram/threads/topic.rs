//! The topic of a request: made when the first reply is to be shown, and anew when somebody deleted it. Its place is kept under the
//! request's key, beside the places of questions.

use pager_bot::Failure;
use pager_bot::render::thread as render;
use pager_questions::Request;

use super::{Door, is_about_threads, request_of, words};
use crate::hub;
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Place, Write};
use crate::telegram::own_topic::{Met, OwnTopic};

/// What the topic of this request is called, and where is kept what became of it.
fn own(request: &Request) -> OwnTopic {
    OwnTopic {
        key: request.id.key(),
        name: render::request_topic_name(request),
        name_with_sign: render::request_topic_name_with_sign(request),
        kept_as: "thread",
        id: request.id.to_string(),
        belongs_to: "request",
    }
}

/// The topic as a place, without a message.
pub(super) fn place(door: &Door, request: &Request, thread: i64) -> Place {
    own(request).place(door, thread)
}

/// The topic that a request has in this chat, with its message once that was sent.
pub(super) async fn of(door: &Door, request: &Request) -> Result<Option<Place>, ServiceError> {
    let places = door.service.store.places(&request.id.key()).await?;
    Ok(places.into_iter().filter(|place| place.chat == door.seat.chat_id && place.thread != 0).max_by_key(|place| place.message))
}

/// Makes it. Not idempotent.
pub(super) async fn make(door: &Door, request: &Request) -> Result<Vec<Write>, Failure> {
    let thread = own(request).make(door, door.icons.requests.as_deref()).await?;
    let origin = words::origin(door, request).await.unwrap_or_default();
    Ok(made(door, request, thread, origin))
}

/// The topic that a try with an unknown outcome made after all; what to store of it.
pub(super) async fn found(door: &Door, request: &Request) -> Result<Option<Vec<Write>>, ServiceError> {
    let Some(thread) = own(request).orphan(door).await? else { return Ok(None) };
    let origin = words::origin(door, request).await?;
    Ok(Some(made(door, request, thread, origin)))
}

/// Where the request was written, whoever reads there is told of the topic, once for each topic.
fn made(door: &Door, request: &Request, thread: i64, origin: Option<(Option<i64>, i64)>) -> Vec<Write> {
    let key = request.id.key();
    let mut writes = vec![Write::SetPlace(place(door, request, thread)), words::keep_topic(&request.id)];
    if let Some((written_in, message)) = origin {
        let link = hub::link(door.seat.chat_id, None, thread);
        let text = render::replies_stand_elsewhere(request, link.as_deref());
        let said = JobKind::Say { chat: door.seat.chat_id, thread: written_in, to: Some(message), text };
        writes.push(Write::AddJob(effects::job_about_none(format!("{key}-link-{thread}"), said)));
    }
    writes
}

/// The bot's own news that a topic of this name was made: is this job one that waits to know?
pub(in crate::telegram) async fn is_made_by(door: &Door, job: &Job, name: &str) -> Result<bool, ServiceError> {
    if !is_about_threads(&job.kind) {
        return Ok(false);
    }
    let Some(request) = door.service.store.request(request_of(&job.kind)).await? else { return Ok(false) };
    Ok(of(door, &request).await?.is_none() && own(&request).is_named(name))
}

/// Somebody deleted the topic: another one is made for this job, once.
pub(super) async fn anew(door: &Door, job: &Job, request: &Request, reason: &str) -> Result<Vec<Write>, ServiceError> {
    let thread = thread_of(door, request).await?;
    // What is next is a step with tries of its own.
    own(request).anew(door, &Met { job, by: &job.id, thread, reason }, 0).await
}

/// Did this job meet a deleted topic?
pub(super) async fn made_anew_for(door: &Door, job: &Job, request: &Request) -> Result<bool, ServiceError> {
    own(request).was_made_anew_for(door, &job.id).await
}

/// The topic was closed by hand: it is opened, once for a job, and the job done again.
pub(super) async fn opened(door: &Door, job: &Job, request: &Request, reason: &str) -> Result<Vec<Write>, ServiceError> {
    let thread = thread_of(door, request).await?;
    own(request).opened(door, &Met { job, by: &job.id, thread, reason }).await
}

async fn thread_of(door: &Door, request: &Request) -> Result<i64, ServiceError> {
    Ok(of(door, request).await?.map(|place| place.thread).unwrap_or_default())
}
