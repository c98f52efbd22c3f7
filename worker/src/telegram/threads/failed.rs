//! What follows from a call about a thread that failed: again, never, or something else first. Which call it was, the places tell.

use pager_bot::{Failure, Kind};
use pager_questions::Request;

use super::{Door, request_of, topic};
use crate::clock;
use crate::service::ServiceError;
use crate::store::{Job, Place, Write};
use crate::telegram::{failures, rights, seat};

/// The most tries to send the request that may be there already: at most one duplicate.
const MOST_TRIES_OF_REQUEST: u32 = 2;

/// Stores it. `attempts` of the job are the unknown outcomes before this one.
pub(in crate::telegram) async fn store(door: &Door, job: &Job, failure: Failure) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let now = clock::now();
    let again = |due_at, attempts| Write::Retry { job: job.id.clone(), due_at, attempts };
    let writes = match failure {
        Failure::NotApplied { reason, .. } => {
            tracing::warn!(job = job.kind.name(), reason, "a call did not happen; it is tried again");
            vec![again(now, job.attempts)]
        }
        Failure::Unknown { reason } => {
            tracing::warn!(job = job.kind.name(), reason, "it is not known whether a call happened");
            let Some(request) = store.request(request_of(&job.kind)).await? else { return Ok(()) };
            unknown(door, job, &request, reason).await?
        }
        Failure::Permanent { kind, reason } => return refused(door, job, kind, reason).await,
    };
    Ok(store.commit(writes).await?)
}

/// A topic that was made all the same is found by the bot's own news of it; a message may stand there twice, and no more.
async fn unknown(door: &Door, job: &Job, request: &Request, reason: String) -> Result<Vec<Write>, ServiceError> {
    let (now, tries) = (clock::now(), job.attempts + 1);
    let again = |due_at, attempts| vec![Write::Retry { job: job.id.clone(), due_at, attempts }];
    let place = if door.kind().has_topics() { topic::of(door, request).await? } else { None };
    Ok(match place {
        None if door.kind().has_topics() => again(now.plus_millis(failures::news_within(job.attempts)), tries),
        // It may be there; the replies go on.
        Some(place) if place.message == 0 && tries >= MOST_TRIES_OF_REQUEST => {
            let mut writes = vec![Write::SetPlace(Place { message: place.thread, ..place })];
            writes.extend(again(now, 0));
            writes
        }
        Some(place) if place.message == 0 => again(now.plus_millis(failures::back_off(job.attempts)), tries),
        _ if failures::most_tries(&job.kind).is_some_and(|most| tries >= most) => {
            vec![Write::FailJob { job: job.id.clone(), reason }]
        }
        _ => again(now.plus_millis(failures::back_off(job.attempts)), tries),
    })
}

/// Telegram refused for good: what the refusal asks for, or the end of the job.
async fn refused(door: &Door, job: &Job, kind: Kind, reason: String) -> Result<(), ServiceError> {
    let store = &door.service.store;
    tracing::error!(job = job.kind.name(), reason, "Telegram refused");
    let again = Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: job.attempts };
    match kind {
        Kind::Migrated { to } => {
            store.commit(vec![again]).await?;
            seat::follow(&door.service, door.configured_chat, to).await?;
            door.leaving.cancel();
            return Ok(());
        }
        // What follows is done in the chat itself.
        Kind::NotAForum if door.kind().has_topics() => {
            rights::topics_are_off(door);
            return Ok(store.commit(vec![again]).await?);
        }
        Kind::ThreadNotFound | Kind::TopicClosed if door.kind().has_topics() => {
            if let Some(request) = store.request(request_of(&job.kind)).await? {
                let writes = match kind {
                    Kind::TopicClosed => topic::opened(door, job, &request, &reason).await?,
                    _ => topic::anew(door, job, &request, &reason).await?,
                };
                return Ok(store.commit(writes).await?);
            }
        }
        _ => {}
    }
    if rights::is_the_chats(&kind) {
        door.service.health.trouble(rights::PART, rights::advice(&kind, &reason));
        store.commit(vec![Write::Park { job: job.id.clone(), reason }]).await?;
        door.parked.notify_one();
        return Ok(());
    }
    Ok(store.commit(vec![Write::FailJob { job: job.id.clone(), reason }]).await?)
}
