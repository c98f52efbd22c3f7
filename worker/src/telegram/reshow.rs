//! At the start: open questions that are shown nowhere, and that nobody is about to show, get shown in the way that the chat
//! has by now; those that are shown say how to answer them there. The former are those that the chat could not take before,
//! and those of a time without Telegram.

use pager_questions::{DeliveryState, Record};

use super::{Door, show};
use crate::clock;
use crate::service::{ServiceError, effects};
use crate::store::{Cursor, JobKind, JobState, Write};

/// Where the kind of the chat is kept.
const KIND: &str = "telegram.kind";
/// How many open questions are looked through at a time.
const PAGE: u32 = 200;

/// Looks once.
pub(super) async fn run(door: &Door) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let kind = door.kind().name();
    let is_another_kind = store.kept(KIND).await?.is_some_and(|before| before != kind);
    if is_another_kind {
        tracing::warn!(kind, "the chat is of another kind than at the last start");
    }
    let mut after: Option<Cursor> = None;
    loop {
        let page = store.open(PAGE, after.take()).await?;
        for listed in &page {
            let record = &listed.record;
            let wanted = match is_lost(door, record).await? {
                true => Some(JobKind::CreateTopic),
                false if is_another_kind && is_here(door, record).await? => Some(JobKind::EditQuestion),
                false => None,
            };
            if let Some(wanted) = wanted {
                let id = format!("{}-again-{}", record.question.incarnation, clock::now().as_millis());
                store.commit(vec![Write::AddJob(effects::job(id, record, wanted))]).await?;
            }
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = Some(last.cursor.clone()),
            _ => break,
        }
    }
    Ok(store.commit(vec![Write::Keep { name: KIND.to_owned(), value: kind.to_owned() }]).await?)
}

/// What is uncertain may be in the chat: a third copy would be one too many.
async fn is_lost(door: &Door, record: &Record) -> Result<bool, ServiceError> {
    match record.delivery.state {
        DeliveryState::Stored | DeliveryState::Undeliverable => {}
        DeliveryState::Queued | DeliveryState::Shown | DeliveryState::Uncertain => return Ok(false),
    }
    let jobs = door.service.store.jobs_of(&record.question.incarnation).await?;
    let shows = |kind: &JobKind| matches!(kind, JobKind::CreateTopic | JobKind::SendQuestion { .. });
    let is_coming = jobs.iter().any(|job| shows(&job.kind) && job.state != JobState::Failed);
    Ok(!is_coming && show::messages(door, record).await?.is_empty())
}

async fn is_here(door: &Door, record: &Record) -> Result<bool, ServiceError> {
    Ok(show::messages(door, record).await?.iter().any(|place| place.chat == door.seat.chat_id))
}
