//! What becomes of the topic of an ended question when the owner wants it tidied: closed, or deleted after a while.

use pager_bot::{Failure, Kind};
use pager_questions::Record;

use super::sender::Outcome;
use super::{Door, show};
use crate::clock;
use crate::service::{ServiceError, effects};
use crate::store::{JobKind, Write};

/// The jobs that follow the mark of an ended question.
pub(super) fn mark(door: &Door, record: &Record) -> Vec<Write> {
    let mut writes = Vec::new();
    let id = |what: &str| format!("{}-{what}", record.question.incarnation);
    if door.tidying.close_answered {
        writes.push(Write::AddJob(effects::job(id("close"), record, JobKind::CloseTopic)));
    }
    if let Some(after) = door.tidying.delete_topics_after {
        let millis = i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
        let mut job = effects::job(id("delete"), record, JobKind::DeleteTopic);
        job.due_at = record.ended_at().unwrap_or_else(clock::now).plus_millis(millis);
        writes.push(Write::AddJob(job));
    }
    writes
}

/// Closes the question's topics.
pub(super) async fn close(door: &Door, record: &Record) -> Result<Outcome, ServiceError> {
    if !door.tidying.close_answered {
        return Ok(Outcome::done());
    }
    for thread in show::threads(door, record).await? {
        match door.api.close_topic(door.seat.chat_id, thread).await {
            Ok(()) | Err(Failure::Permanent { kind: Kind::ThreadNotFound, .. }) => {}
            Err(failure) => return Ok(Outcome::Failed(failure)),
        }
    }
    Ok(Outcome::done())
}

/// Deletes the question's topics, as long as the setting still asks for it.
pub(super) async fn delete(door: &Door, record: &Record) -> Result<Outcome, ServiceError> {
    if door.tidying.delete_topics_after.is_none() {
        return Ok(Outcome::done());
    }
    for thread in show::threads(door, record).await? {
        match door.api.delete_topic(door.seat.chat_id, thread).await {
            Ok(()) | Err(Failure::Permanent { kind: Kind::ThreadNotFound, .. }) => {}
            Err(failure) => return Ok(Outcome::Failed(failure)),
        }
    }
    Ok(Outcome::done())
}
