//! Threads of requests in the chat: a topic for each request that was replied to, with the request first. Each job goes through the
//! steps that are still missing, one call at a time: the topic, the request, then its own message. Those of one thread keep their order.

mod failed;
mod late;
mod topic;
mod words;

use pager_bot::render::{Message, thread as render};
use pager_bot::{Budget, ChatKind, Class, Failure, Sent};
use pager_questions::{Incarnation, Purpose, Record, Reply, ReplyId, Request, RequestId, Time};

use super::sender::{self, Next};
use super::{Door, rights, show};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, JobState, Place, Write};
use crate::{clock, crash};

pub(super) use failed::store as failed;
pub(super) use late::{is_late, pressed as pressed_late, words as words_late};
pub(super) use topic::is_made_by;
pub(super) use words::{handle as words, keep_origin, request_in, say};

/// How long a job waits behind an older one of its thread whose outcome could not be stored.
const AFTER_AN_UNSTORED_ONE_MILLIS: i64 = 5000;

/// Is it about the thread of a request, and not about a question?
pub(super) fn is_about_threads(kind: &JobKind) -> bool {
    matches!(kind, JobKind::ShowReply { .. } | JobKind::ShowOffer { .. } | JobKind::AttachToThread { .. })
}

/// What is next for a job.
enum Work {
    /// No call; this is stored.
    Store(Vec<Write>),
    /// The topic is to be made.
    Topic,
    /// The request is to be sent into its topic.
    Request(i64),
    /// The job's own message, into this topic; None in a chat without topics.
    Own(Option<i64>),
}

/// Does what is next for the job; or says how long the chat has no room for it.
pub(super) async fn step(door: &Door, budget: &mut Budget, job: &Job) -> Result<Next, ServiceError> {
    let store = &door.service.store;
    let Some(request) = store.request(request_of(&job.kind)).await? else {
        store.commit(vec![Write::FinishJob { job: job.id.clone() }]).await?;
        return Ok(Next::Step);
    };
    let work = next(door, job, &request).await?;
    if let Work::Store(writes) = work {
        store.commit(writes).await?;
        return Ok(Next::Step);
    }
    if let Err(wait) = budget.take(Class::Note, clock::now().as_millis()) {
        return Ok(Next::Wait(std::time::Duration::from_millis(wait)));
    }
    crash::point("job.taken");
    store.commit(vec![Write::Attempt { job: job.id.clone() }]).await?;
    crash::point("job.attempted");
    let is_own = matches!(work, Work::Own(_));
    let done = match work {
        Work::Store(writes) => Ok(writes),
        Work::Topic => topic::make(door, &request).await,
        Work::Request(thread) => send_request(door, &request, thread).await,
        Work::Own(thread) => send_own(door, job, &request, thread).await?,
    };
    crash::point("thread.called");
    match done {
        Ok(mut writes) => {
            writes.push(match is_own {
                true => Write::FinishJob { job: job.id.clone() },
                // Its next step, with tries of its own.
                false => Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: 0 },
            });
            store.commit(writes).await?;
            door.service.health.well(sender::PART);
            Ok(Next::Step)
        }
        Err(failure) => {
            let next = sender::after_failure(door, budget, &failure);
            failed(door, job, failure).await?;
            Ok(next)
        }
    }
}

/// The request whose thread a job is about. Never asked of another kind.
fn request_of(kind: &JobKind) -> &RequestId {
    match kind {
        JobKind::ShowReply { request, .. } | JobKind::ShowOffer { request, .. } | JobKind::AttachToThread { request, .. } => {
            request
        }
        other => unreachable!("{} is about no thread", other.name()),
    }
}

async fn next(door: &Door, job: &Job, request: &Request) -> Result<Work, ServiceError> {
    if let Some(write) = waits_for_another(door, job, request).await? {
        return Ok(Work::Store(vec![write]));
    }
    let finished = Work::Store(vec![Write::FinishJob { job: job.id.clone() }]);
    match (&job.kind, door.kind().has_topics()) {
        // There the offer is a message of its own anyway.
        (JobKind::ShowOffer { .. }, false) => return Ok(finished),
        (_, false) => return Ok(Work::Own(None)),
        (_, true) => {}
    }
    let Some(place) = topic::of(door, request).await? else {
        if job.attempts > 0
            && let Some(mut writes) = topic::found(door, request).await?
        {
            writes.push(Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: 0 });
            return Ok(Work::Store(writes));
        }
        return Ok(Work::Topic);
    };
    Ok(if place.message == 0 { Work::Request(place.thread) } else { Work::Own(Some(place.thread)) })
}

/// What an older job of the thread makes this one do: wait for it, or be set aside with it.
async fn waits_for_another(door: &Door, job: &Job, request: &Request) -> Result<Option<Write>, ServiceError> {
    let jobs = door.service.store.jobs_of(&request.id.key()).await?;
    let older = jobs.iter().take_while(|other| other.id != job.id).find(|other| other.state != JobState::Failed);
    Ok(older.map(|older| behind(older, job, clock::now())))
}

/// What this job does behind an older one of its thread.
fn behind(older: &Job, job: &Job, now: Time) -> Write {
    let later = |due_at| Write::Retry { job: job.id.clone(), due_at, attempts: job.attempts };
    match older.state {
        JobState::Parked => Write::Park { job: job.id.clone(), reason: "an older one of its thread is set aside".to_owned() },
        // It is never due while its outcome is not stored: this one would be taken again and again.
        JobState::Attempting => later(now.plus_millis(AFTER_AN_UNSTORED_ONE_MILLIS)),
        // The older one is taken first whenever both are due.
        JobState::Waiting | JobState::Failed => later(older.due_at.max(now)),
    }
}

async fn send_request(door: &Door, request: &Request, thread: i64) -> Result<Vec<Write>, Failure> {
    let message = render::request(request, &door.zone);
    let sent = door.api.send(door.seat.chat_id, show::topic_of(thread), &message).await?;
    let mut writes = landed(door, request, thread, &sent);
    writes.extend(attached(request, None, &message, sent.message_id));
    Ok(writes)
}

async fn send_own(
    door: &Door,
    job: &Job,
    request: &Request,
    thread: Option<i64>,
) -> Result<Result<Vec<Write>, Failure>, ServiceError> {
    let (store, chat) = (&door.service.store, door.seat.chat_id);
    let made_anew = match thread {
        Some(_) => topic::made_anew_for(door, job, request).await?.then(render::request_topic_made_anew),
        None => None,
    };
    let (message, reply, to) = match &job.kind {
        JobKind::ShowReply { reply, .. } => {
            let Some(reply) = store.reply(reply).await? else { return Ok(Ok(Vec::new())) };
            let named = thread.is_none().then_some(request);
            let to = if thread.is_none() { words::origin(door, request).await?.map(|(_, message)| message) } else { None };
            (render::reply(&reply, named, &door.zone), Some(reply.id), to)
        }
        JobKind::ShowOffer { offer, .. } => {
            let Some(record) = store.record_of(offer).await? else { return Ok(Ok(Vec::new())) };
            (render::offer_stands_elsewhere(&record, record.delivery.link.as_deref()), None, None)
        }
        JobKind::AttachToThread { reply, to, .. } => return attach(door, request, reply.as_ref(), thread, *to).await,
        _ => return Ok(Ok(Vec::new())),
    };
    let sent = match door.api.reply_with(chat, thread, to, &message).await {
        Ok(sent) => sent,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut writes = Vec::new();
    if let Some(thread) = thread.filter(|thread| sent.thread != Some(*thread)) {
        writes.push(Write::ForgetPlace(topic::place(door, request, thread)));
        is_flat_by_now(door);
    }
    if let Some(text) = made_anew {
        let said = JobKind::Say { chat, thread: sent.thread.and_then(show::topic_of), to: Some(sent.message_id), text };
        writes.push(Write::AddJob(effects::job_about_none(format!("{}-anew-told", job.id), said)));
    }
    writes.extend(attached(request, reply, &message, sent.message_id));
    Ok(Ok(writes))
}

/// The document of a text that did not fit.
async fn attach(
    door: &Door,
    request: &Request,
    reply: Option<&ReplyId>,
    thread: Option<i64>,
    to: i64,
) -> Result<Result<Vec<Write>, Failure>, ServiceError> {
    let documents = match reply {
        None => render::request(request, &door.zone).documents,
        Some(id) => match door.service.store.reply(id).await? {
            Some(reply) => render::reply(&reply, thread.is_none().then_some(request), &door.zone).documents,
            None => Vec::new(),
        },
    };
    let Some(document) = documents.first() else { return Ok(Ok(Vec::new())) };
    Ok(door.api.send_document(door.seat.chat_id, thread, Some(to), document).await.map(|_| Vec::new()))
}

/// Where the request stands by now. A chat whose topics were switched off drops the topic without a word.
fn landed(door: &Door, request: &Request, thread: i64, sent: &Sent) -> Vec<Write> {
    if sent.thread == Some(thread) {
        return vec![Write::SetPlace(Place { message: sent.message_id, ..topic::place(door, request, thread) })];
    }
    is_flat_by_now(door);
    vec![Write::ForgetPlace(topic::place(door, request, thread))]
}

fn is_flat_by_now(door: &Door) {
    if door.kind == ChatKind::Forum {
        rights::topics_are_off(door);
    }
}

/// The job that attaches what did not fit this message.
fn attached(request: &Request, reply: Option<ReplyId>, message: &Message, to: i64) -> Option<Write> {
    let kind = JobKind::AttachToThread { request: request.id.clone(), reply, to };
    let job = effects::job_about(format!("{}-document-{to}", request.id.key()), request.id.key(), kind);
    (!message.documents.is_empty()).then_some(Write::AddJob(job))
}

/// The job that shows this reply.
pub fn shows(request: &Request, reply: &Reply) -> Write {
    let kind = JobKind::ShowReply { request: request.id.clone(), reply: reply.id.clone() };
    Write::AddJob(effects::job_about(format!("{}-show", reply.id.key()), request.id.key(), kind))
}

/// What follows once a partial offer stands in a topic of its own: the topic of its request says so.
pub(super) fn offer_shown(record: &Record, thread: i64, sent_by: &str) -> Option<Write> {
    let question = &record.question;
    let about = question.about.as_ref().filter(|_| question.purpose == Purpose::Offer && thread != 0)?;
    let (request, offer): (RequestId, Incarnation) = (about.request(), question.incarnation.clone());
    let key = request.key();
    Some(Write::AddJob(effects::job_about(format!("{sent_by}-told"), key, JobKind::ShowOffer { request, offer })))
}

/// The jobs that show, in another chat or by another bot, what was still to be shown.
pub(super) async fn shown_anew(door: &Door) -> Result<Vec<Write>, ServiceError> {
    let jobs = door.service.store.thread_jobs().await?;
    let anew = |job: Job| {
        let id = format!("{}-seat-{}-{}", job.id, door.seat.chat_id, door.seat.bot_id);
        let key = request_of(&job.kind).key();
        Write::AddJob(effects::job_about(id, key, job.kind))
    };
    Ok(jobs.into_iter().map(anew).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::conformance::samples::{job, time};

    #[test]
    fn behind_one_whose_outcome_is_not_stored_a_job_waits_a_while() {
        let (older, younger) = (job("older", 1, 10), Job { attempts: 1, ..job("younger", 1, 20) });
        let due = |state| match behind(&Job { state, ..older.clone() }, &younger, time(30)) {
            Write::Retry { job, due_at, attempts: 1 } if job == "younger" => Some(due_at),
            _ => None,
        };
        assert_eq!(due(JobState::Waiting), Some(time(30)));
        assert_eq!(due(JobState::Attempting), Some(time(5030)));
        assert_eq!(due(JobState::Parked), None, "it is set aside, too");
    }
}
