//! Reminds the owner of an open question, in reply to its message. Whatever ended meanwhile, or is shown nowhere yet, needs none.

use pager_bot::render::reminder;
use pager_bot::{Failure, Kind};
use pager_questions::{Record, State};

use super::sender::Outcome;
use super::{Door, show};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Write};
use crate::{clock, crash};

/// Sends it.
pub(super) async fn send(door: &Door, job: &Job, record: &Record) -> Result<Outcome, ServiceError> {
    let is_open = matches!(record.state, State::Open { .. });
    let has_time = record.question.deadline.is_some_and(|deadline| clock::now() < deadline);
    let places = show::messages(door, record).await?;
    let (Some(place), Some(text)) = (places.first(), reminder::reminder(&record.question, &door.zone)) else {
        return Ok(Outcome::done());
    };
    if !is_open || !has_time {
        return Ok(Outcome::done());
    }
    let (thread, to) = (show::topic_of(place.thread), Some(place.message));
    let reminded = door.api.reply(door.seat.chat_id, thread, to, &text).await;
    crash::point("reminder.called");
    Ok(match reminded {
        Ok(_) => Outcome::done(),
        // As any other line about it goes where a deleted or closed topic makes it go.
        Err(Failure::Permanent { kind: Kind::ThreadNotFound | Kind::TopicClosed, .. }) => {
            let line = effects::job(format!("{}-line", job.id), record, JobKind::Reply { thread, to, text });
            Outcome::Done(vec![Write::AddJob(line)])
        }
        Err(failure) => Outcome::Failed(failure),
    })
}
