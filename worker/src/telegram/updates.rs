//! Updates in the chat: a topic for each source, a message for each update. It is news, so silence is preferred to the same
//! twice: a message of which nobody knows whether it was sent is not sent again.

mod failed;
mod press;
mod topic;

use pager_bot::render::replies;
use pager_bot::{Budget, ChatKind, Class, Failure, Kind, Sent, render};
use pager_questions::{Update, UpdateId, UpdateState};

use super::mute::Muting;
use super::sender::{self, Next};
use super::{Door, rights, show};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Place, Write};
use crate::{clock, crash};

pub(super) use failed::store as failed;
pub(super) use press::handle as pressed;
pub(super) use topic::is_made_by;

/// Is it about updates, and not about a question?
pub(super) fn is_about_updates(kind: &JobKind) -> bool {
    matches!(kind, JobKind::MakeUpdatesTopic { .. } | JobKind::SendUpdate | JobKind::EditUpdate)
}

/// What a job comes to.
enum Work {
    /// No call; this is stored.
    Store(Vec<Write>),
    /// A topic is to be made.
    Topic(topic::Making),
    /// The update is to be sent into this topic; 0 in a chat without topics.
    Send(Box<Update>, i64),
    /// These messages are to show the update as it is.
    Edit(Box<Update>, Vec<Place>),
}

/// Does the job; or says how long the chat has no room for it.
pub(super) async fn step(door: &Door, budget: &mut Budget, mute: &Muting, job: &Job) -> Result<Next, ServiceError> {
    let store = &door.service.store;
    let work = match &job.kind {
        JobKind::MakeUpdatesTopic { source } => topic::work(door, job, source).await?,
        JobKind::SendUpdate => sending(door, mute, job).await?,
        _ => editing(door, job).await?,
    };
    if let Work::Store(writes) = work {
        store.commit(writes).await?;
        return Ok(Next::Step);
    }
    if let Err(wait) = budget.take(Class::Update, clock::now().as_millis()) {
        return Ok(Next::Wait(std::time::Duration::from_millis(wait)));
    }
    crash::point("job.taken");
    if !matches!(work, Work::Edit(..)) {
        store.commit(vec![Write::Attempt { job: job.id.clone() }]).await?;
        crash::point("job.attempted");
    }
    let done = match work {
        Work::Store(writes) => Ok(writes),
        Work::Topic(making) => topic::make(door, &making).await?,
        Work::Send(update, thread) => send(door, &update, thread).await?,
        Work::Edit(update, places) => edit(door, budget, &update, places).await,
    };
    match done {
        Ok(mut writes) => {
            writes.push(Write::FinishJob { job: job.id.clone() });
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

/// The update that a job is about, unless it is no longer kept.
async fn update_of(door: &Door, job: &Job) -> Result<Option<Update>, ServiceError> {
    let Some(key) = &job.incarnation else { return Ok(None) };
    Ok(door.service.store.update(&UpdateId::of(key)).await?)
}

async fn sending(door: &Door, mute: &Muting, job: &Job) -> Result<Work, ServiceError> {
    let finished = Work::Store(vec![Write::FinishJob { job: job.id.clone() }]);
    let Some(update) = update_of(door, job).await? else { return Ok(finished) };
    if matches!(update.state, UpdateState::Dismissed { .. }) || !messages(door, &update).await?.is_empty() {
        return Ok(finished);
    }
    if let Some(until) = mute.lasts() {
        return Ok(Work::Store(vec![Write::Retry { job: job.id.clone(), due_at: until, attempts: job.attempts }]));
    }
    if !door.kind().has_topics() {
        return Ok(Work::Send(Box::new(update), 0));
    }
    match topic::of(door, &update.source.agent).await? {
        Some(thread) => Ok(Work::Send(Box::new(update), thread)),
        None => Ok(Work::Store(topic::wait(door, job, &update).await?)),
    }
}

async fn send(door: &Door, update: &Update, thread: i64) -> Result<Result<Vec<Write>, Failure>, ServiceError> {
    let message = render::update(update, &door.service.link_to_update(update), &door.zone);
    let Sent { message_id: message, thread: landed } =
        match door.api.send(door.seat.chat_id, show::topic_of(thread), &message).await {
            Ok(sent) => sent,
            Err(failure) => return Ok(Err(failure)),
        };
    // A chat whose topics were switched off drops the topic without a word.
    let landed = if landed == show::topic_of(thread) { thread } else { 0 };
    let place = Place { incarnation: update.id.key(), chat: door.seat.chat_id, thread: landed, message };
    let mut writes = vec![Write::SetPlace(place)];
    if landed != thread {
        writes.push(Write::ForgetPlace(topic::place(door, &update.source.agent, thread)));
        if door.kind == ChatKind::Forum {
            rights::topics_are_off(door);
        }
    }
    if landed != 0 && topic::was_made_anew_for(door, update).await? {
        let text = replies::updates_topic_made_anew();
        let said = JobKind::Say { chat: door.seat.chat_id, thread: Some(landed), to: Some(message), text };
        writes.push(Write::AddJob(effects::job_about_none(format!("{}-anew-told", update.id.key()), said)));
    }
    Ok(Ok(writes))
}

async fn editing(door: &Door, job: &Job) -> Result<Work, ServiceError> {
    let finished = Work::Store(vec![Write::FinishJob { job: job.id.clone() }]);
    let Some(update) = update_of(door, job).await? else { return Ok(finished) };
    // One that is still to be sent shows its state by itself.
    let places = messages(door, &update).await?;
    Ok(if places.is_empty() { finished } else { Work::Edit(Box::new(update), places) })
}

async fn edit(door: &Door, budget: &mut Budget, update: &Update, places: Vec<Place>) -> Result<Vec<Write>, Failure> {
    let message = render::update(update, &door.service.link_to_update(update), &door.zone);
    let mut writes = Vec::new();
    for (index, place) in places.into_iter().enumerate() {
        // The first copy is paid for; a second one is rare and goes on the account all the same.
        if index > 0 {
            let _ = budget.take(Class::Update, clock::now().as_millis());
        }
        match door.api.edit(place.chat, place.message, &message).await {
            Ok(()) => {}
            Err(Failure::Permanent { kind: Kind::MessageGone | Kind::ThreadNotFound, .. }) => {
                writes.push(Write::ForgetPlace(place));
            }
            Err(Failure::Permanent { kind, reason })
                if !rights::is_the_chats(&kind) && !matches!(kind, Kind::Migrated { .. }) =>
            {
                tracing::warn!(id = %update.id, reason, "the message of an update could not be edited");
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(writes)
}

/// The messages of an update.
async fn messages(door: &Door, update: &Update) -> Result<Vec<Place>, ServiceError> {
    let places = door.service.store.places(&update.id.key()).await?;
    Ok(places.into_iter().filter(|place| place.message != 0).collect())
}

/// The jobs that send, in another chat or by another bot, what nobody has read and nothing shows.
pub(super) async fn shown_anew(door: &Door) -> Result<Vec<Write>, ServiceError> {
    let unshown = door.service.store.unshown_updates().await?;
    let job = |key: pager_questions::Incarnation| {
        let id = format!("{key}-seat-{}-{}", door.seat.chat_id, door.seat.bot_id);
        Write::AddJob(effects::job_about(id, key, JobKind::SendUpdate))
    };
    Ok(unshown.into_iter().map(job).collect())
}

/// What makes everything due that waits to be sent.
pub(super) async fn hurried(door: &Door) -> Result<Vec<Write>, ServiceError> {
    let now = clock::now();
    let jobs = door.service.store.update_jobs().await?;
    let due = |job: Job| Write::Retry { job: job.id, due_at: now, attempts: job.attempts };
    Ok(jobs.into_iter().filter(|job| job.due_at > now).map(due).collect())
}
