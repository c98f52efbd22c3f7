//! The topic of a source's updates: made with the first of them, and anew when somebody deleted it. Its place is kept under a
//! key of the source, beside the places of questions, so that no question takes it for its own.

use pager_bot::Failure;
use pager_bot::render::{updates_topic_name, updates_topic_name_with_sign};
use pager_questions::{Author, Incarnation, Update};

use super::{Door, Work, hurried};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, JobState, Place, Write};
use crate::telegram::own_topic::{Met, OwnTopic};
use crate::telegram::show;
use crate::{clock, secrets};

/// A topic that is to be made.
pub(super) struct Making {
    source: Author,
}

/// The key of a source: digits of a hash of its name, in the form in which questions have theirs.
fn key(source: &Author) -> Incarnation {
    let hash = secrets::hash(&format!("updates of {source}"));
    Incarnation::parse(&hash[..16]).expect("a hash is written in hex digits")
}

/// What the topic of this source is called, and where is kept what became of it.
fn own(source: &Author) -> OwnTopic {
    OwnTopic {
        key: key(source),
        name: updates_topic_name(source),
        name_with_sign: updates_topic_name_with_sign(source),
        kept_as: "updates-topic",
        id: source.to_string(),
        belongs_to: "source",
    }
}

/// The topic as a place.
pub(super) fn place(door: &Door, source: &Author, thread: i64) -> Place {
    own(source).place(door, thread)
}

/// The topic that a source has in this chat.
pub(super) async fn of(door: &Door, source: &Author) -> Result<Option<i64>, ServiceError> {
    let places = door.service.store.places(&key(source)).await?;
    Ok(places.iter().find(|place| place.chat == door.seat.chat_id).and_then(|place| show::topic_of(place.thread)))
}

/// What the sending of this update does while its source has no topic: it asks for one, and waits for it.
pub(super) async fn wait(door: &Door, job: &Job, update: &Update) -> Result<Vec<Write>, ServiceError> {
    let source = &update.source.agent;
    let own = format!("{}-topic", update.id.key());
    let again = |due_at| Write::Retry { job: job.id.clone(), due_at, attempts: job.attempts };
    for other in door.service.store.jobs_of(&key(source)).await? {
        let reason = "the topic of its source could not be made".to_owned();
        match other.state {
            JobState::Waiting | JobState::Attempting => return Ok(vec![again(other.due_at)]),
            JobState::Parked => return Ok(vec![Write::Park { job: job.id.clone(), reason }]),
            JobState::Failed if other.id == own => return Ok(vec![Write::FailJob { job: job.id.clone(), reason }]),
            JobState::Failed => {}
        }
    }
    let making = JobKind::MakeUpdatesTopic { source: source.clone() };
    Ok(vec![Write::AddJob(effects::job_about(own, key(source), making)), again(clock::now())])
}

/// Whether a topic has to be made. After a try with an unknown outcome it may be there.
pub(super) async fn work(door: &Door, job: &Job, source: &Author) -> Result<Work, ServiceError> {
    let finished = Write::FinishJob { job: job.id.clone() };
    if !door.kind().has_topics() || of(door, source).await?.is_some() {
        return Ok(Work::Store(vec![finished]));
    }
    if job.attempts > 0
        && let Some(thread) = own(source).orphan(door).await?
    {
        let mut writes = made(door, source, thread).await?;
        writes.push(finished);
        return Ok(Work::Store(writes));
    }
    Ok(Work::Topic(Making { source: source.clone() }))
}

/// Makes it. Not idempotent.
pub(super) async fn make(door: &Door, making: &Making) -> Result<Result<Vec<Write>, Failure>, ServiceError> {
    let source = &making.source;
    match own(source).make(door, door.icons.updates.as_deref()).await {
        Ok(thread) => Ok(Ok(made(door, source, thread).await?)),
        Err(failure) => Ok(Err(failure)),
    }
}

/// What waits for it goes out in its order.
async fn made(door: &Door, source: &Author, thread: i64) -> Result<Vec<Write>, ServiceError> {
    let mut writes = vec![Write::SetPlace(place(door, source, thread))];
    writes.extend(hurried(door).await?);
    Ok(writes)
}

/// The bot's own news that a topic of this name was made: is this job the one that waits to know?
pub(in crate::telegram) fn is_made_by(job: &Job, name: &str) -> bool {
    matches!(&job.kind, JobKind::MakeUpdatesTopic { source } if own(source).is_named(name))
}

/// Somebody deleted the topic: another one is made for this update, once.
pub(super) async fn anew(door: &Door, job: &Job, update: &Update, reason: &str) -> Result<Vec<Write>, ServiceError> {
    let source = &update.source.agent;
    let thread = of(door, source).await?.unwrap_or_default();
    own(source).anew(door, &Met { job, by: update.id.as_str(), thread, reason }, job.attempts).await
}

/// Did this update meet a deleted topic?
pub(super) async fn was_made_anew_for(door: &Door, update: &Update) -> Result<bool, ServiceError> {
    own(&update.source.agent).was_made_anew_for(door, update.id.as_str()).await
}

/// Somebody closed the topic: it is opened, once for an update, and the update sent again.
pub(super) async fn opened(door: &Door, job: &Job, update: &Update, reason: &str) -> Result<Vec<Write>, ServiceError> {
    let source = &update.source.agent;
    let thread = of(door, source).await?.unwrap_or_default();
    own(source).opened(door, &Met { job, by: update.id.as_str(), thread, reason }).await
}
