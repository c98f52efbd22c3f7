//! The topic of a source's updates: made with the first of them, and anew when somebody deleted it. Its place is kept under a
//! key of the source, beside the places of questions, so that no question takes it for its own.

use pager_bot::Failure;
use pager_bot::render::{updates_topic_name, updates_topic_name_with_sign};
use pager_questions::{Author, Incarnation, Update, text};

use super::{Door, Work, hurried};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, JobState, Place, Write};
use crate::telegram::{rights, show, topic};
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

/// The topic as a place.
pub(super) fn place(door: &Door, source: &Author, thread: i64) -> Place {
    Place { incarnation: key(source), chat: door.seat.chat_id, thread, message: 0 }
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
    if job.attempts > 0 {
        let deleted = door.service.store.kept(&deleted_name(source)).await?.and_then(|thread| thread.parse().ok());
        if let Some(thread) = topic::orphan_named(door, |name| is_name_of(source, name), deleted).await? {
            let mut writes = made(door, source, thread).await?;
            writes.push(finished);
            return Ok(Work::Store(writes));
        }
    }
    Ok(Work::Topic(Making { source: source.clone() }))
}

/// Makes it. Not idempotent.
pub(super) async fn make(door: &Door, making: &Making) -> Result<Result<Vec<Write>, Failure>, ServiceError> {
    let source = &making.source;
    let (name, icon) = match &door.icons.updates {
        Some(icon) => (updates_topic_name(source), Some(icon.as_str())),
        None => (updates_topic_name_with_sign(source), None),
    };
    match door.api.create_topic(door.seat.chat_id, &name, icon).await {
        Ok(thread) => {
            rights::topics_are_on(door);
            Ok(Ok(made(door, source, thread).await?))
        }
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
    matches!(&job.kind, JobKind::MakeUpdatesTopic { source } if is_name_of(source, name))
}

/// Somebody deleted the topic: another one is made for this update, once.
pub(super) async fn anew(door: &Door, job: &Job, update: &Update, reason: &str) -> Result<Vec<Write>, ServiceError> {
    let source = &update.source.agent;
    let thread = of(door, source).await?.unwrap_or_default();
    let mut writes = vec![Write::ForgetPlace(place(door, source, thread))];
    if was_made_anew_for(door, update).await? {
        let reason = format!("the topic of its source was deleted a second time ({reason})");
        writes.push(Write::FailJob { job: job.id.clone(), reason });
        return Ok(writes);
    }
    writes.push(Write::Keep { name: deleted_name(source), value: thread.to_string() });
    writes.push(Write::Keep { name: anew_name(update), value: thread.to_string() });
    writes.push(Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: job.attempts });
    Ok(writes)
}

/// Did this update meet a deleted topic?
pub(super) async fn was_made_anew_for(door: &Door, update: &Update) -> Result<bool, ServiceError> {
    Ok(door.service.store.kept(&anew_name(update)).await?.is_some())
}

fn is_name_of(source: &Author, name: &str) -> bool {
    [updates_topic_name(source), updates_topic_name_with_sign(source)]
        .iter()
        .any(|own| text::one_line(own) == text::one_line(name))
}

fn deleted_name(source: &Author) -> String {
    format!("updates-topic-deleted:{source}")
}

fn anew_name(update: &Update) -> String {
    format!("updates-topic-anew:{}", update.id)
}
