//! What follows from a call that failed: again, never, or something else first. Each way is stored with the job's row.

use pager_bot::{Failure, Kind};
use pager_questions::apply::Event;
use pager_questions::{Delivery, DeliveryState, Record};

use super::{Door, anew, attached, notes, rights, seat, show, threads, updates};
use crate::clock;
use crate::service::ServiceError;
use crate::store::{Job, JobKind, JobState, Write};

/// After an unknown outcome of a call that cannot be repeated safely, this long for news of what came of it.
const NEWS_WITHIN_MILLIS: i64 = 10_000;
const LONGEST_FOR_NEWS_MILLIS: i64 = 300_000;
/// The most tries to send a message that may be there already: at most one duplicate.
const MOST_TRIES_TO_SEND: u32 = 2;
/// The most tries of a call that only adorns.
const MOST_TRIES_TO_ADORN: u32 = 6;

/// Calls whose outcome was never stored, for this reason: nobody knows whether they happened. One that cannot be looked at holds up no
/// other. Never to be called while a call is under way.
pub(super) async fn recover(door: &Door, reason: &str) -> Result<(), ServiceError> {
    let mut recovered = Ok(());
    for job in door.service.store.tried_jobs().await? {
        if job.state == JobState::Attempting {
            let one = cut_off(door, &job, reason).await;
            recovered = recovered.and(one);
        }
    }
    recovered
}

async fn cut_off(door: &Door, job: &Job, reason: &str) -> Result<(), ServiceError> {
    let failure = Failure::Unknown { reason: reason.to_owned() };
    let Some(incarnation) = &job.incarnation else { return notes::failed(door, job, failure).await };
    let before = Job { attempts: job.attempts.saturating_sub(1), ..job.clone() };
    if threads::is_about_threads(&job.kind) {
        threads::failed(door, &before, failure).await
    } else if updates::is_about_updates(&job.kind) {
        updates::failed(door, &before, failure).await
    } else if let Some(record) = door.service.store.record_of(incarnation).await? {
        store(door, &before, record, failure).await
    } else {
        Ok(())
    }
}

/// Stores what follows from a failure. `attempts` of the job are the unknown outcomes before this one.
pub(super) async fn store(door: &Door, job: &Job, record: Record, failure: Failure) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let now = clock::now();
    let makes = matches!(job.kind, JobKind::CreateTopic | JobKind::SendQuestion { .. });
    let again = |due_at, attempts| Write::Retry { job: job.id.clone(), due_at, attempts };
    let given_up = |reason: &str| Write::FailJob { job: job.id.clone(), reason: reason.to_owned() };
    match failure {
        Failure::NotApplied { reason, .. } => {
            tracing::warn!(job = job.kind.name(), reason, "a call did not happen; it is tried again");
            store.commit(vec![again(now, job.attempts)]).await?;
        }
        Failure::Permanent { kind, reason } => refused(door, job, record, kind, reason).await?,
        Failure::Unknown { reason } => {
            tracing::warn!(job = job.kind.name(), id = %record.question.id, reason, "it is not known whether a call happened");
            let tries = job.attempts + 1;
            let write = match most_tries(&job.kind) {
                Some(most) if tries >= most && !makes => {
                    return attached::given_up(door, job, record, &reason, given_up(&reason)).await;
                }
                Some(most) if tries >= most => given_up(&reason),
                _ if makes => again(now.plus_millis(news_within(job.attempts)), tries),
                _ => again(now.plus_millis(back_off(job.attempts)), tries),
            };
            if makes {
                let delivery = Delivery { state: DeliveryState::Uncertain, reason: Some(reason), link: None };
                door.service.change(record, None, &Event::Deliver(delivery), &[write]).await?;
            } else {
                store.commit(vec![write]).await?;
            }
        }
    }
    Ok(())
}

/// Telegram refused for good: what the refusal asks for, or the end of the job.
async fn refused(door: &Door, job: &Job, record: Record, kind: Kind, reason: String) -> Result<(), ServiceError> {
    let store = &door.service.store;
    tracing::error!(job = job.kind.name(), id = %record.question.id, reason, "Telegram refused");
    match kind {
        Kind::Migrated { to } => {
            store.commit(vec![Write::Retry { job: job.id.clone(), due_at: clock::now(), attempts: job.attempts }]).await?;
            seat::follow(&door.service, door.configured_chat, to).await?;
            door.leaving.cancel();
            return Ok(());
        }
        Kind::ThreadNotFound if !record.is_over() && show::thread_of(&job.kind).is_some() => {
            return anew::topic(door, job, record, &reason).await;
        }
        Kind::TopicClosed if show::thread_of(&job.kind).is_some() => return anew::opened(door, job, record, &reason).await,
        Kind::NotAForum if job.kind == JobKind::CreateTopic => return anew::flat(door, job, &record, &reason).await,
        _ => {}
    }
    let is_the_chats = rights::is_the_chats(&kind);
    if is_the_chats {
        door.service.health.trouble(rights::PART, rights::advice(&kind, &reason));
    }
    let may_park = match job.kind {
        JobKind::CreateTopic | JobKind::SendQuestion { .. } | JobKind::SendDocument { .. } => true,
        JobKind::EditQuestion | JobKind::DeleteMessage { .. } => true,
        JobKind::MarkTopic
        | JobKind::EditMarks
        | JobKind::CloseTopic
        | JobKind::DeleteTopic
        | JobKind::Thank { .. }
        | JobKind::See { .. }
        | JobKind::TakeButton { .. }
        | JobKind::Reply { .. }
        | JobKind::Remind
        | JobKind::HoldBack { .. }
        | JobKind::Say { .. }
        | JobKind::SendLogin { .. }
        | JobKind::MakeUpdatesTopic { .. }
        | JobKind::SendUpdate
        | JobKind::ShowReply { .. }
        | JobKind::ShowOffer { .. }
        | JobKind::AttachToThread { .. }
        | JobKind::EditUpdate => false,
    };
    let (id, why) = (job.id.clone(), reason.clone());
    let write =
        if is_the_chats && may_park { Write::Park { job: id, reason: why } } else { Write::FailJob { job: id, reason: why } };
    if matches!(job.kind, JobKind::CreateTopic | JobKind::SendQuestion { .. }) {
        let reason = Some(rights::advice(&kind, &reason));
        let delivery = Delivery { state: DeliveryState::Undeliverable, reason, link: None };
        door.service.change(record, None, &Event::Deliver(delivery), &[write]).await?;
    } else if matches!(write, Write::FailJob { .. }) {
        attached::given_up(door, job, record, &reason, write).await?;
    } else {
        store.commit(vec![write]).await?;
    }
    if is_the_chats {
        door.parked.notify_one();
    }
    Ok(())
}

/// How often a call with an unknown outcome is made in all; None: until it is done, since repeating it changes nothing.
pub(super) fn most_tries(kind: &JobKind) -> Option<u32> {
    match kind {
        // A topic that was made all the same is found by the bot's own news of it.
        JobKind::EditQuestion
        | JobKind::CreateTopic
        | JobKind::MakeUpdatesTopic { .. }
        | JobKind::EditUpdate
        | JobKind::DeleteMessage { .. } => None,
        // Two of these do no harm: both have the same button.
        JobKind::SendQuestion { .. }
        | JobKind::SendDocument { .. }
        | JobKind::HoldBack { .. }
        | JobKind::ShowReply { .. }
        | JobKind::AttachToThread { .. } => Some(MOST_TRIES_TO_SEND),
        JobKind::EditMarks
        | JobKind::MarkTopic
        | JobKind::CloseTopic
        | JobKind::DeleteTopic
        | JobKind::Thank { .. }
        | JobKind::TakeButton { .. }
        | JobKind::See { .. } => Some(MOST_TRIES_TO_ADORN),
        // Silence rather than the same line twice.
        JobKind::Reply { .. }
        | JobKind::Remind
        | JobKind::Say { .. }
        | JobKind::SendLogin { .. }
        | JobKind::SendUpdate
        | JobKind::ShowOffer { .. } => Some(1),
    }
}

pub(super) fn news_within(attempts: u32) -> i64 {
    (NEWS_WITHIN_MILLIS << attempts.min(10)).min(LONGEST_FOR_NEWS_MILLIS)
}

pub(super) fn back_off(attempts: u32) -> i64 {
    1000 << attempts.min(6)
}
