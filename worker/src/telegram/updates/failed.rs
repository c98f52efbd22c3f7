//! What follows from a call about updates that failed: again, never, or something else first.

use pager_bot::{Failure, Kind};

use super::{Door, topic, update_of};
use crate::clock;
use crate::service::ServiceError;
use crate::store::{Job, JobKind, Write};
use crate::telegram::{failures, rights, seat};

/// Stores it. `attempts` of the job are the unknown outcomes before this one.
pub(in crate::telegram) async fn store(door: &Door, job: &Job, failure: Failure) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let now = clock::now();
    let again = |due_at, attempts| Write::Retry { job: job.id.clone(), due_at, attempts };
    match failure {
        Failure::NotApplied { reason, .. } => {
            tracing::warn!(job = job.kind.name(), reason, "a call did not happen; it is tried again");
            store.commit(vec![again(now, job.attempts)]).await?;
        }
        Failure::Unknown { reason } => {
            tracing::warn!(job = job.kind.name(), reason, "it is not known whether a call happened");
            let write = match job.kind {
                JobKind::MakeUpdatesTopic { .. } => again(now.plus_millis(failures::news_within(job.attempts)), job.attempts + 1),
                // To show the same state twice does no harm.
                JobKind::EditUpdate => again(now.plus_millis(failures::back_off(job.attempts)), job.attempts + 1),
                // Silence rather than the same news twice.
                _ => Write::FailJob { job: job.id.clone(), reason },
            };
            store.commit(vec![write]).await?;
        }
        Failure::Permanent { kind, reason } => refused(door, job, kind, reason).await?,
    }
    Ok(())
}

/// Telegram refused for good: what the refusal asks for, or the end of the job.
async fn refused(door: &Door, job: &Job, kind: Kind, reason: String) -> Result<(), ServiceError> {
    let store = &door.service.store;
    tracing::error!(job = job.kind.name(), reason, "Telegram refused");
    match kind {
        Kind::Migrated { to } => {
            store.commit(vec![Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: job.attempts }]).await?;
            seat::follow(&door.service, door.configured_chat, to).await?;
            door.leaving.cancel();
            return Ok(());
        }
        Kind::NotAForum if matches!(job.kind, JobKind::MakeUpdatesTopic { .. }) => {
            rights::topics_are_off(door);
            return Ok(store.commit(vec![Write::FinishJob { job: job.id.clone() }]).await?);
        }
        Kind::ThreadNotFound | Kind::TopicClosed if job.kind == JobKind::SendUpdate => {
            if let Some(update) = update_of(door, job).await? {
                let writes = match kind {
                    Kind::TopicClosed => topic::opened(door, job, &update, &reason).await?,
                    _ => topic::anew(door, job, &update, &reason).await?,
                };
                return Ok(store.commit(writes).await?);
            }
        }
        _ => {}
    }
    let (id, why) = (job.id.clone(), reason.clone());
    if rights::is_the_chats(&kind) {
        door.service.health.trouble(rights::PART, rights::advice(&kind, &reason));
        store.commit(vec![Write::Park { job: id, reason: why }]).await?;
        door.parked.notify_one();
        return Ok(());
    }
    Ok(store.commit(vec![Write::FailJob { job: id, reason: why }]).await?)
}
