//! The topic of a request: made when the first reply is to be shown, and anew when somebody deleted it. Its place is kept under the
//! request's key, beside the places of questions.

use pager_bot::Failure;
use pager_bot::render::thread as render;
use pager_questions::{Request, text};

use super::{Door, is_about_threads, request_of, words};
use crate::clock;
use crate::hub;
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Place, Write};
use crate::telegram::{rights, topic};

/// The topic as a place, without a message.
pub(super) fn place(door: &Door, request: &Request, thread: i64) -> Place {
    Place { incarnation: request.id.key(), chat: door.seat.chat_id, thread, message: 0 }
}

/// The topic that a request has in this chat, with its message once that was sent.
pub(super) async fn of(door: &Door, request: &Request) -> Result<Option<Place>, ServiceError> {
    let places = door.service.store.places(&request.id.key()).await?;
    Ok(places.into_iter().filter(|place| place.chat == door.seat.chat_id && place.thread != 0).max_by_key(|place| place.message))
}

/// Makes it. Not idempotent.
pub(super) async fn make(door: &Door, request: &Request) -> Result<Vec<Write>, Failure> {
    let (name, icon) = match &door.icons.requests {
        Some(icon) => (render::request_topic_name(request), Some(icon.as_str())),
        None => (render::request_topic_name_with_sign(request), None),
    };
    let thread = door.api.create_topic(door.seat.chat_id, &name, icon).await?;
    rights::topics_are_on(door);
    let origin = words::origin(door, request).await.unwrap_or_default();
    Ok(made(door, request, thread, origin))
}

/// The topic that a try with an unknown outcome made after all; what to store of it.
pub(super) async fn found(door: &Door, request: &Request) -> Result<Option<Vec<Write>>, ServiceError> {
    let deleted = door.service.store.kept(&deleted_name(request)).await?.and_then(|thread| thread.parse().ok());
    let Some(thread) = topic::orphan_named(door, |name| is_name_of(request, name), deleted).await? else { return Ok(None) };
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
    Ok(of(door, &request).await?.is_none() && is_name_of(&request, name))
}

/// Somebody deleted the topic: another one is made for this job, once.
pub(super) async fn anew(door: &Door, job: &Job, request: &Request, reason: &str) -> Result<Vec<Write>, ServiceError> {
    let thread = of(door, request).await?.map(|place| place.thread).unwrap_or_default();
    let mut writes = vec![Write::ForgetPlace(place(door, request, thread))];
    if made_anew_for(door, job).await? {
        let reason = format!("the topic of its request was deleted a second time ({reason})");
        writes.push(Write::FailJob { job: job.id.clone(), reason });
        return Ok(writes);
    }
    writes.push(Write::Keep { name: deleted_name(request), value: thread.to_string() });
    writes.push(Write::Keep { name: anew_name(job), value: thread.to_string() });
    writes.push(Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: 0 });
    Ok(writes)
}

/// Did this job meet a deleted topic?
pub(super) async fn made_anew_for(door: &Door, job: &Job) -> Result<bool, ServiceError> {
    Ok(door.service.store.kept(&anew_name(job)).await?.is_some())
}

/// The topic was closed by hand: it is opened, once for a job, and the job done again.
pub(super) async fn opened(door: &Door, job: &Job, request: &Request, reason: &str) -> Result<Vec<Write>, ServiceError> {
    let name = format!("thread-opened:{}", job.id);
    let again = Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: job.attempts };
    let thread = of(door, request).await?.map(|place| place.thread).unwrap_or_default();
    let failure = match door.service.store.kept(&name).await? {
        Some(_) => reason.to_owned(),
        None => match door.api.reopen_topic(door.seat.chat_id, thread).await {
            Ok(()) => return Ok(vec![Write::Keep { name, value: thread.to_string() }, again]),
            Err(Failure::Permanent { reason, .. }) => reason,
            // The job meets the closed topic again, and this is tried again.
            Err(_) => return Ok(vec![again]),
        },
    };
    let reason = format!("the topic of its request is closed and could not be opened ({failure})");
    Ok(vec![Write::FailJob { job: job.id.clone(), reason }])
}

fn is_name_of(request: &Request, name: &str) -> bool {
    [render::request_topic_name(request), render::request_topic_name_with_sign(request)]
        .iter()
        .any(|own| text::one_line(own) == text::one_line(name))
}

fn deleted_name(request: &Request) -> String {
    format!("thread-deleted:{}", request.id)
}

fn anew_name(job: &Job) -> String {
    format!("thread-anew:{}", job.id)
}
