//! People tidy up: a topic or message of an open question that they deleted is made anew, once; a topic that they closed
//! is opened, once; in a chat whose topics were switched off a question stands in the chat itself.

use pager_bot::Failure;
use pager_bot::render::replies;
use pager_questions::apply::Event;
use pager_questions::{Delivery, DeliveryState, Record};

use super::sender::Outcome;
use super::{Door, attached, rights, show};
use crate::clock;
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Place, Write};

/// The topic of this question that somebody deleted, if any.
pub(super) async fn deleted_topic(door: &Door, record: &Record) -> Result<Option<i64>, ServiceError> {
    Ok(door.service.store.kept(&name("topic", record)).await?.and_then(|thread| thread.parse().ok()))
}

/// The topic that this job writes into was deleted: a new one is made, once, and the question goes there.
pub(super) async fn topic(door: &Door, job: &Job, record: Record, reason: &str) -> Result<(), ServiceError> {
    let Some(thread) = show::thread_of(&job.kind) else { return Ok(()) };
    let incarnation = record.question.incarnation.clone();
    let gone = Place { incarnation: incarnation.clone(), chat: door.seat.chat_id, thread, message: 0 };
    let before = deleted_topic(door, &record).await?;
    if before.is_some_and(|deleted| deleted != thread) {
        let reason = format!("its topic was deleted a second time ({reason})");
        let writes = [Write::FailJob { job: job.id.clone(), reason: reason.clone() }, Write::ForgetPlace(gone)];
        return deliver(door, record, DeliveryState::Undeliverable, reason, &writes).await;
    }
    let mut writes = vec![Write::FinishJob { job: job.id.clone() }];
    if let Some(kind) = moved(&job.kind) {
        writes.push(Write::AddJob(effects::job(format!("{}-moved", job.id), &record, kind)));
    }
    if before.is_some() {
        // Another job met the same deletion first.
        return Ok(door.service.store.commit(writes).await?);
    }
    writes.push(Write::ForgetPlace(gone));
    writes.push(Write::Keep { name: name("topic", &record), value: thread.to_string() });
    writes.push(Write::AddJob(effects::job(format!("{incarnation}-anew"), &record, JobKind::CreateTopic)));
    let reason = "its topic was deleted; a new one is made".to_owned();
    deliver(door, record, DeliveryState::Queued, reason, &writes).await
}

/// What is said about the question goes to wherever it is shown by then.
fn moved(kind: &JobKind) -> Option<JobKind> {
    match kind.clone() {
        JobKind::Reply { to, text, .. } => Some(JobKind::Reply { thread: None, to, text }),
        JobKind::HoldBack { to, update, looks, .. } => Some(JobKind::HoldBack { thread: None, to, update, looks }),
        _ => None,
    }
}

/// What the owner is told in a topic that was made because the first one was deleted.
pub(super) async fn told(door: &Door, record: &Record, thread: i64, message: i64) -> Result<Option<Write>, ServiceError> {
    if deleted_topic(door, record).await?.is_none_or(|deleted| deleted == thread) {
        return Ok(None);
    }
    let id = format!("{}-anew-told", record.question.incarnation);
    let reply = JobKind::Reply { thread: Some(thread), to: Some(message), text: replies::topic_made_anew() };
    Ok(Some(Write::AddJob(effects::job(id, record, reply))))
}

/// The topic that this job writes into was closed by hand: it is opened, once, and the job done again.
pub(super) async fn opened(door: &Door, job: &Job, record: Record, reason: &str) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let Some(thread) = show::thread_of(&job.kind) else { return Ok(()) };
    let again = Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: job.attempts };
    let opened = name("opened", &record);
    let failure = match store.kept(&opened).await? {
        Some(_) => reason.to_owned(),
        None => match door.api.reopen_topic(door.seat.chat_id, thread).await {
            Ok(()) => return Ok(store.commit(vec![Write::Keep { name: opened, value: thread.to_string() }, again]).await?),
            Err(Failure::Permanent { reason, .. }) => reason,
            // The job meets the closed topic again, and this is tried again.
            Err(_) => return Ok(store.commit(vec![again]).await?),
        },
    };
    let reason = format!("its topic is closed and could not be opened ({failure})");
    let write = Write::FailJob { job: job.id.clone(), reason: reason.clone() };
    match job.kind {
        JobKind::SendQuestion { .. } => deliver(door, record, DeliveryState::Undeliverable, reason, &[write]).await,
        _ => attached::given_up(door, job, record, &reason, write).await,
    }
}

/// Topics were switched off: the question goes into the chat itself, and that is an alarm.
pub(super) async fn flat(door: &Door, job: &Job, record: &Record, reason: &str) -> Result<(), ServiceError> {
    tracing::warn!(id = %record.question.id, reason, "a question goes into the chat itself");
    rights::topics_are_off(door);
    let send = effects::job(format!("{}-message", job.id), record, JobKind::SendQuestion { thread: 0 });
    Ok(door.service.store.commit(vec![Write::FinishJob { job: job.id.clone() }, Write::AddJob(send)]).await?)
}

/// Messages of a question that is not over were deleted: when none is left, it is sent again, once.
pub(super) async fn message(door: &Door, record: &Record, gone: Vec<Place>) -> Result<Outcome, ServiceError> {
    let store = &door.service.store;
    let places = store.places(&record.question.incarnation).await?;
    let is_left = places.iter().any(|place| place.message != 0 && !gone.contains(place));
    let mut writes: Vec<Write> = gone.iter().cloned().map(Write::ForgetPlace).collect();
    let Some(last) = gone.last().filter(|_| !is_left) else { return Ok(Outcome::Done(writes)) };
    // Until the new message is there, texts in the topic still find their question.
    writes.push(Write::SetPlace(Place { message: 0, ..last.clone() }));
    let sent_anew = name("message", record);
    if store.kept(&sent_anew).await?.is_some() {
        let reason = Some("its message was deleted a second time".to_owned());
        return Ok(Outcome::Delivered(Delivery { state: DeliveryState::Undeliverable, reason, link: None }, writes));
    }
    let id = format!("{}-message-anew", record.question.incarnation);
    writes.push(Write::Keep { name: sent_anew, value: last.message.to_string() });
    writes.push(Write::AddJob(effects::job(id, record, JobKind::SendQuestion { thread: last.thread })));
    let reason = Some("its message was deleted; it is sent again".to_owned());
    Ok(Outcome::Delivered(Delivery { state: DeliveryState::Queued, reason, link: None }, writes))
}

async fn deliver(
    door: &Door,
    record: Record,
    state: DeliveryState,
    reason: String,
    writes: &[Write],
) -> Result<(), ServiceError> {
    let delivery = Delivery { state, reason: Some(reason), link: None };
    door.service.change(record, None, &Event::Deliver(delivery), writes).await?;
    door.service.outbox.notify_one();
    Ok(())
}

fn name(what: &str, record: &Record) -> String {
    format!("{what}-anew:{}", record.question.incarnation)
}
