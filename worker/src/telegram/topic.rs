//! Making a question's topic. That cannot be repeated safely: the attempt is recorded first, and after an unknown
//! outcome the bot's own news of the topic tells what came of it.

use pager_bot::render::{topic_name, topic_name_with_sign};
use pager_questions::Record;

use super::Door;
use super::handler;
use super::sender::Outcome;
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Place, Write};

/// Makes the topic, unless the question is over or has one.
pub(super) async fn create(door: &Door, job: &Job, record: &Record) -> Result<Outcome, ServiceError> {
    if record.is_over() {
        return Ok(Outcome::done());
    }
    if let Some(place) = door.service.store.places(&record.question.incarnation).await?.first() {
        return Ok(Outcome::Done(next(job, record, place.thread)));
    }
    let (name, icon) = match &door.icons.open {
        Some(icon) => (topic_name(record), Some(icon.as_str())),
        None => (topic_name_with_sign(record), None),
    };
    match door.api.create_topic(door.seat.chat_id, &name, icon).await {
        Ok(thread) => {
            let mut writes = vec![Write::SetPlace(place(door, record, thread))];
            writes.extend(next(job, record, thread));
            Ok(Outcome::Done(writes))
        }
        Err(failure) => Ok(Outcome::Failed(failure)),
    }
}

/// The bot's own news that a topic was made: the one whose making had an unknown outcome has it now.
pub(super) async fn adopt(door: &Door, update: i64, thread: i64, name: &str) -> Result<(), ServiceError> {
    let store = &door.service.store;
    if store.place_in(door.seat.chat_id, thread).await?.is_some() {
        return handler::done(door, update).await;
    }
    for job in store.tried_jobs().await? {
        if job.kind != JobKind::CreateTopic {
            continue;
        }
        let Some(record) = store.record_of(&job.incarnation).await? else { continue };
        let has_place = !store.places(&job.incarnation).await?.is_empty();
        if !has_place && [topic_name(&record), topic_name_with_sign(&record)].iter().any(|own| own == name) {
            let adopted = Write::SetPlace(place(door, &record, thread));
            store.commit(vec![adopted, Write::Handled { update }]).await?;
            door.service.outbox.notify_one();
            return Ok(());
        }
    }
    handler::done(door, update).await
}

fn place(door: &Door, record: &Record, thread: i64) -> Place {
    Place { incarnation: record.question.incarnation.clone(), chat: door.seat.chat_id, thread, message: 0 }
}

fn next(job: &Job, record: &Record, thread: i64) -> Vec<Write> {
    vec![Write::AddJob(effects::job(format!("{}-message", job.id), record, JobKind::SendQuestion { thread }))]
}
