//! What is said to an owner about no question: replies to commands, and login links. At most once each: silence rather than
//! the same twice.

use std::time::Duration;

use pager_bot::render::replies;
use pager_bot::{Budget, Class, Failure};

use super::{Door, login};
use crate::clock;
use crate::service::ServiceError;
use crate::store::{Job, JobKind, Write};

/// How long such a call waits after one that did not happen, in milliseconds.
const AGAIN_AFTER: i64 = 1000;

/// Does the job; or says how long the chat has no room for it.
pub(super) async fn step(door: &Door, budget: &mut Budget, job: &Job) -> Result<Option<Duration>, ServiceError> {
    let store = &door.service.store;
    if is_for_a_former_owner(door, &job.kind) {
        tracing::info!("a login that waited is dropped: whoever asked for it is no owner any more");
        store.commit(vec![Write::FinishJob { job: job.id.clone() }]).await?;
        return Ok(None);
    }
    let now = clock::now().as_millis();
    // An owner's private chat beside the configured one has room enough.
    let is_here = chat(&job.kind) == Some(door.seat.chat_id);
    if is_here && let Err(wait) = budget.take(Class::Note, now) {
        return Ok(Some(Duration::from_millis(wait)));
    }
    store.commit(vec![Write::Attempt { job: job.id.clone() }]).await?;
    match say(door, &job.kind).await? {
        Ok(()) => store.commit(vec![Write::FinishJob { job: job.id.clone() }]).await?,
        Err(failure) => {
            if let (true, Failure::NotApplied { retry_after: Some(pause), .. }) = (is_here, &failure) {
                budget.pause(*pause, clock::now().as_millis());
            }
            failed(door, job, failure).await?;
        }
    }
    Ok(None)
}

/// A login may wait through a restart that takes its owner away.
fn is_for_a_former_owner(door: &Door, kind: &JobKind) -> bool {
    matches!(kind, JobKind::SendLogin { user, .. } if !door.seat.owners.contains(user))
}

/// Says it.
async fn say(door: &Door, kind: &JobKind) -> Result<Result<(), Failure>, ServiceError> {
    let (chat, thread, to, text) = match kind {
        JobKind::Say { chat, thread, to, text } => (*chat, *thread, *to, text.clone()),
        JobKind::SendLogin { chat, thread, to, user } => {
            let link = login::link(door.service.store.as_ref(), *user, &door.service.url).await?;
            (*chat, *thread, *to, replies::login_link(&link, login::MINUTES))
        }
        JobKind::CreateTopic
        | JobKind::SendQuestion { .. }
        | JobKind::SendDocument { .. }
        | JobKind::EditQuestion
        | JobKind::EditMarks
        | JobKind::MarkTopic
        | JobKind::CloseTopic
        | JobKind::DeleteTopic
        | JobKind::Thank { .. }
        | JobKind::See { .. }
        | JobKind::DeleteMessage { .. }
        | JobKind::TakeButton { .. }
        | JobKind::HoldBack { .. }
        | JobKind::Reply { .. }
        | JobKind::Remind
        | JobKind::MakeUpdatesTopic { .. }
        | JobKind::SendUpdate
        | JobKind::ShowReply { .. }
        | JobKind::ShowOffer { .. }
        | JobKind::AttachToThread { .. }
        | JobKind::EditUpdate => return Ok(Ok(())),
    };
    Ok(door.api.reply(chat, thread, to, &text).await.map(drop))
}

/// Stores what follows from a failure.
pub(super) async fn failed(door: &Door, job: &Job, failure: Failure) -> Result<(), ServiceError> {
    let reason = failure.reason().to_owned();
    tracing::warn!(job = job.kind.name(), reason, "a reply could not be sent");
    let write = match failure {
        Failure::NotApplied { retry_after, .. } => {
            let wait = retry_after.and_then(|wait| i64::try_from(wait.as_millis()).ok()).unwrap_or(AGAIN_AFTER);
            Write::Retry { job: job.id.clone(), due_at: clock::now().plus_millis(wait), attempts: 0 }
        }
        Failure::Permanent { .. } | Failure::Unknown { .. } => Write::FailJob { job: job.id.clone(), reason },
    };
    Ok(door.service.store.commit(vec![write]).await?)
}

fn chat(kind: &JobKind) -> Option<i64> {
    match kind {
        JobKind::Say { chat, .. } | JobKind::SendLogin { chat, .. } => Some(*chat),
        JobKind::CreateTopic
        | JobKind::SendQuestion { .. }
        | JobKind::SendDocument { .. }
        | JobKind::EditQuestion
        | JobKind::EditMarks
        | JobKind::MarkTopic
        | JobKind::CloseTopic
        | JobKind::DeleteTopic
        | JobKind::Thank { .. }
        | JobKind::See { .. }
        | JobKind::DeleteMessage { .. }
        | JobKind::TakeButton { .. }
        | JobKind::HoldBack { .. }
        | JobKind::Reply { .. }
        | JobKind::Remind
        | JobKind::MakeUpdatesTopic { .. }
        | JobKind::SendUpdate
        | JobKind::ShowReply { .. }
        | JobKind::ShowOffer { .. }
        | JobKind::AttachToThread { .. }
        | JobKind::EditUpdate => None,
    }
}
