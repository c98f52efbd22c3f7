//! Making a question's topic. That cannot be repeated safely: the attempt is recorded first, and after an unknown
//! outcome the bot's own news of the topic tells what came of it.

use pager_bot::intake::{self, Intent};
use pager_bot::render::{topic_name, topic_name_with_sign};
use pager_questions::{Record, text};

use super::sender::Outcome;
use super::{Door, anew, rights, threads, updates};
use crate::clock;
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, JobState, Place, Write};

/// How far back news of topics are looked through, in milliseconds.
const NEWS_KEPT: i64 = 24 * 3600 * 1000;

/// Makes the topic, unless the question is over or has one. After a try with an unknown outcome, the topic may be there:
/// calls go out one at a time, so a topic of this name that belongs to no question is what came of such a try.
pub(super) async fn create(door: &Door, job: &Job, record: &Record) -> Result<Outcome, ServiceError> {
    let store = &door.service.store;
    // In a group that lost its topics each new one is tried all the same: it tells when they are back.
    if !door.kind.has_topics() {
        return Ok(if record.is_over() { Outcome::done() } else { Outcome::Done(next(job, record, 0)) });
    }
    if let Some(place) = store.places(&record.question.incarnation).await?.iter().find(|place| place.thread != 0) {
        return Ok(Outcome::Done(next(job, record, place.thread)));
    }
    if job.attempts > 0
        && let Some(thread) = orphan(door, record).await?
    {
        return Ok(made(door, job, record, thread));
    }
    if record.is_over() {
        return Ok(Outcome::done());
    }
    let (name, icon) = match &door.icons.open {
        Some(icon) => (topic_name(record), Some(icon.as_str())),
        None => (topic_name_with_sign(record), None),
    };
    match door.api.create_topic(door.seat.chat_id, &name, icon).await {
        Ok(thread) => {
            rights::topics_are_on(door);
            Ok(made(door, job, record, thread))
        }
        Err(failure) => Ok(Outcome::Failed(failure)),
    }
}

/// The bot's own news that a topic was made: whoever waits to know what came of such a call looks now.
pub(super) async fn news(door: &Door, update: i64, name: &str) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let mut writes = vec![Write::Handled { update }];
    for job in store.tried_jobs().await? {
        if job.state != JobState::Waiting {
            continue;
        }
        if updates::is_made_by(&job, name) || threads::is_made_by(door, &job, name).await? {
            writes.push(Write::Retry { job: job.id, due_at: clock::now(), attempts: job.attempts });
            continue;
        }
        if job.kind == JobKind::CreateTopic
            && let Some(incarnation) = &job.incarnation
            && let Some(record) = store.record_of(incarnation).await?
            && is_name_of(&record, name)
        {
            writes.push(Write::Retry { job: job.id, due_at: clock::now(), attempts: job.attempts });
        }
    }
    store.commit(writes).await?;
    door.service.outbox.notify_one();
    Ok(())
}

/// A topic that the bot made under this question's name and that no question has.
async fn orphan(door: &Door, record: &Record) -> Result<Option<i64>, ServiceError> {
    let deleted = anew::deleted_topic(door, record).await?;
    orphan_named(door, |name| is_name_of(record, name), deleted).await
}

/// A topic that the bot made under such a name and that nothing has; not the one that was deleted.
pub(super) async fn orphan_named(
    door: &Door,
    is_name: impl Fn(&str) -> bool,
    deleted: Option<i64>,
) -> Result<Option<i64>, ServiceError> {
    let store = &door.service.store;
    let since = clock::now().plus_millis(-NEWS_KEPT);
    for update in store.updates_with("forum_topic_created", since).await? {
        let Ok(raw) = serde_json::from_str(&update.body) else { continue };
        if let Intent::TopicCreated { thread, name, by_bot: true } = intake::read(&raw, &door.seat)
            && is_name(&name)
            && deleted != Some(thread)
            && store.place_in(door.seat.chat_id, thread).await?.is_none()
        {
            return Ok(Some(thread));
        }
    }
    Ok(None)
}

fn is_name_of(record: &Record, name: &str) -> bool {
    [topic_name(record), topic_name_with_sign(record)].iter().any(|own| text::one_line(own) == text::one_line(name))
}

fn made(door: &Door, job: &Job, record: &Record, thread: i64) -> Outcome {
    let mut writes = vec![Write::SetPlace(place(door, record, thread))];
    writes.extend(next(job, record, thread));
    Outcome::Done(writes)
}

fn place(door: &Door, record: &Record, thread: i64) -> Place {
    Place { incarnation: record.question.incarnation.clone(), chat: door.seat.chat_id, thread, message: 0 }
}

fn next(job: &Job, record: &Record, thread: i64) -> Vec<Write> {
    vec![Write::AddJob(effects::job(format!("{}-message", job.id), record, JobKind::SendQuestion { thread }))]
}
