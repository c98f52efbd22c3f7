//! At the start: open questions that are shown nowhere and that nobody is about to show get shown, in the way that the chat
//! has by now. Such are those that the chat could not take before, and those of a time without Telegram.

use pager_questions::{DeliveryState, Record};

use super::{Door, show};
use crate::clock;
use crate::service::{ServiceError, effects};
use crate::store::{Cursor, JobKind, JobState, Write};

/// How many open questions are looked through at a time.
const PAGE: u32 = 200;

/// Looks once.
pub(super) async fn run(door: &Door) -> Result<(), ServiceError> {
    let store = &door.service.store;
    let mut after: Option<Cursor> = None;
    loop {
        let page = store.open(PAGE, after.take()).await?;
        for listed in &page {
            if is_lost(door, &listed.record).await? {
                let incarnation = &listed.record.question.incarnation;
                let id = format!("{incarnation}-again-{}", clock::now().as_millis());
                let job = effects::job(id, &listed.record, JobKind::CreateTopic);
                store.commit(vec![Write::AddJob(job)]).await?;
            }
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = Some(last.cursor.clone()),
            _ => return Ok(()),
        }
    }
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
