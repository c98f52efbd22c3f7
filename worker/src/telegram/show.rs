//! Showing a question in its topic, and showing its end in every message of it.

use pager_bot::outcome::Kind;
use pager_bot::render::{self, topic_name};
use pager_bot::{Failure, Sent};
use pager_questions::{Delivery, DeliveryState, Record};

use super::sender::Outcome;
use super::{Door, mute};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, Place, Write};
use crate::{clock, crash};

/// How long an end waits for a message that is still on its way, in milliseconds.
const WAITS_FOR_MESSAGE: i64 = 300;

/// Sends the question into its topic, as it is by now.
pub(super) async fn send(door: &Door, job: &Job, record: &Record, thread: i64) -> Result<Outcome, ServiceError> {
    let thread = match (door.kind.has_topics(), thread) {
        // Topics were switched on since: it gets one after all.
        (true, 0) => {
            return Ok(Outcome::Done(vec![Write::AddJob(effects::job(
                format!("{}-topic", job.id),
                record,
                JobKind::CreateTopic,
            ))]));
        }
        (true, thread) => thread,
        // There is nothing yet that would have to show its end.
        (false, _) if record.is_over() && job.attempts == 0 => return Ok(Outcome::done()),
        (false, _) => 0,
    };
    let message = render::current(record, door.kind, &door.zone);
    match door.api.send(door.seat.chat_id, topic_of(thread), &message).await {
        Ok(sent) => {
            let place = Place {
                incarnation: record.question.incarnation.clone(),
                chat: door.seat.chat_id,
                thread,
                message: sent.message_id,
            };
            let mut writes = vec![Write::SetPlace(place)];
            if message.document.is_some() {
                writes.push(Write::AddJob(effects::job(
                    format!("{}-document", job.id),
                    record,
                    JobKind::SendDocument { thread },
                )));
            }
            Ok(Outcome::Shown(delivery(door, thread, sent), writes))
        }
        Err(failure) => Ok(Outcome::Failed(failure)),
    }
}

/// Attaches the whole text.
pub(super) async fn send_document(door: &Door, record: &Record, thread: i64) -> Result<Outcome, ServiceError> {
    let Some(document) = render::question(record, door.kind, &door.zone).document else { return Ok(Outcome::done()) };
    // Without topics only a reply says what it belongs to.
    let to = if thread == 0 { messages(door, record).await?.first().map(|place| place.message) } else { None };
    match door.api.send_document(door.seat.chat_id, topic_of(thread), to, &document).await {
        Ok(_) => Ok(Outcome::done()),
        Err(failure) => Ok(Outcome::Failed(failure)),
    }
}

/// Shows the end in every message of the question, also in copies.
pub(super) async fn edit(door: &Door, record: &Record) -> Result<Outcome, ServiceError> {
    if is_on_its_way(door, record).await? {
        return mute::meanwhile(door, record, clock::now().plus_millis(WAITS_FOR_MESSAGE)).await;
    }
    let message = render::current(record, door.kind, &door.zone);
    for place in messages(door, record).await? {
        let edited = door.api.edit(place.chat, place.message, &message).await;
        crash::point("edit.called");
        match edited {
            Ok(()) => {}
            // A message that is gone has no buttons; the others still have.
            Err(Failure::Permanent { reason, .. }) => {
                tracing::warn!(id = %record.question.id, reason, "an end could not be shown")
            }
            Err(failure) => return Ok(Outcome::Failed(failure)),
        }
    }
    Ok(Outcome::done())
}

/// Puts ✅ on the topics of an ended question: as the icon, or where there is none in the name.
pub(super) async fn mark(door: &Door, record: &Record) -> Result<Outcome, ServiceError> {
    if is_on_its_way(door, record).await? {
        return mute::meanwhile(door, record, clock::now().plus_millis(WAITS_FOR_MESSAGE)).await;
    }
    if !door.kind.has_topics() {
        return Ok(Outcome::done());
    }
    let mut threads: Vec<i64> =
        messages(door, record).await?.iter().map(|place| place.thread).filter(|thread| *thread != 0).collect();
    threads.dedup();
    for thread in threads {
        let marked = match &door.icons.ended {
            Some(icon) => door.api.edit_topic_icon(door.seat.chat_id, thread, icon).await,
            None => door.api.edit_topic_name(door.seat.chat_id, thread, &format!("✅ {}", topic_name(record))).await,
        };
        crash::point("mark.called");
        match marked {
            Ok(()) => {}
            Err(Failure::Permanent { reason, .. }) => {
                tracing::warn!(id = %record.question.id, reason, "a topic could not be marked")
            }
            Err(failure) => return Ok(Outcome::Failed(failure)),
        }
    }
    Ok(Outcome::done())
}

/// How many calls an edit of this question takes.
pub(super) async fn copies(door: &Door, record: &Record) -> Result<usize, ServiceError> {
    Ok(messages(door, record).await?.len())
}

pub(super) async fn messages(door: &Door, record: &Record) -> Result<Vec<Place>, ServiceError> {
    let places = door.service.store.places(&record.question.incarnation).await?;
    Ok(places.into_iter().filter(|place| place.message != 0).collect())
}

async fn is_on_its_way(door: &Door, record: &Record) -> Result<bool, ServiceError> {
    let jobs = door.service.store.jobs_of(&record.question.incarnation).await?;
    let shows = |job: &Job| matches!(job.kind, JobKind::CreateTopic | JobKind::SendQuestion { .. });
    Ok(jobs.iter().any(|job| shows(job) && job.state != crate::store::JobState::Failed))
}

fn delivery(door: &Door, thread: i64, sent: Sent) -> Delivery {
    if sent.thread != topic_of(thread) {
        let reason = "it landed outside its topic; the chat may have no topics any more".to_owned();
        return Delivery { state: DeliveryState::Uncertain, reason: Some(reason), link: None };
    }
    let chat = door.seat.chat_id.to_string();
    let place = topic_of(thread).map_or_else(|| sent.message_id.to_string(), |thread| format!("{thread}/{}", sent.message_id));
    // Only messages of supergroups have links.
    let link = chat.strip_prefix("-100").map(|chat| format!("https://t.me/c/{chat}/{place}"));
    Delivery { state: DeliveryState::Shown, reason: None, link }
}

/// The topic that a place names; 0 is none.
pub(super) fn topic_of(thread: i64) -> Option<i64> {
    (thread != 0).then_some(thread)
}

/// What the asker is told when a question cannot be shown.
pub(super) fn undeliverable(kind: &Kind, reason: &str) -> Delivery {
    let reason = match kind {
        Kind::ChatGone => format!("the bot is not in the chat any more ({reason})"),
        Kind::NoRights => format!("the bot lacks the right to do so ({reason})"),
        Kind::NotAForum => {
            format!(
                "the chat has no topics any more ({reason}); switch Topics on, or Threaded Mode at @BotFather, or start pagerd again"
            )
        }
        _ => reason.to_owned(),
    };
    Delivery { state: DeliveryState::Undeliverable, reason: Some(reason), link: None }
}
