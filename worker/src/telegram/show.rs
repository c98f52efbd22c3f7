//! Showing a question in its topic, and showing its end in every message of it.

use pager_bot::render::{self, Display, topic_name};
use pager_bot::{ChatKind, Failure, Kind, Sent};
use pager_questions::{Delivery, DeliveryState, Record};

use super::sender::Outcome;
use super::{Door, after, anew, attached, held, marks, mute, rights, threads};
use crate::service::{ServiceError, effects};
use crate::store::{Job, JobKind, JobState, Place, Write};
use crate::{clock, crash};

/// How long an end waits for a message that is still on its way, in milliseconds.
const WAITS_FOR_MESSAGE: i64 = 300;

/// Sends the question into its topic, as it is by now; with topic 0 into the chat itself.
pub(super) async fn send(door: &Door, job: &Job, record: &Record, thread: i64) -> Result<Outcome, ServiceError> {
    let thread = match (door.kind().has_topics(), thread) {
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
    let message = render::current(record, &Display { marked: marks::of(door, record).await?, ..plain(door) });
    match door.api.send(door.seat.chat_id, topic_of(thread), &message).await {
        Ok(sent) => {
            // A chat whose topics were switched off drops the topic without a word.
            let landed = if sent.thread == topic_of(thread) { thread } else { 0 };
            let place = |thread, message| Place {
                incarnation: record.question.incarnation.clone(),
                chat: door.seat.chat_id,
                thread,
                message,
            };
            let mut writes = vec![Write::SetPlace(place(landed, sent.message_id))];
            if landed != thread {
                writes.push(Write::ForgetPlace(place(thread, 0)));
            }
            if landed == 0 && door.kind == ChatKind::Forum {
                rights::topics_are_off(door);
            }
            writes.extend(anew::told(door, record, landed, sent.message_id).await?);
            writes.extend(attached::come(record));
            writes.extend(threads::offer_shown(record, landed, &job.id));
            let thread = landed;
            if !message.documents.is_empty() {
                let kind = JobKind::SendDocument { thread, number: 0 };
                writes.push(Write::AddJob(effects::job(format!("{}-document", job.id), record, kind)));
            }
            Ok(Outcome::Delivered(delivery(door, thread, sent), writes))
        }
        Err(failure) => Ok(Outcome::Failed(failure)),
    }
}

/// Attaches what did not fit; one document after the other.
pub(super) async fn send_document(
    door: &Door,
    job: &Job,
    record: &Record,
    thread: i64,
    number: usize,
) -> Result<Outcome, ServiceError> {
    let documents = render::question(record, &plain(door)).documents;
    let Some(document) = documents.get(number) else { return Ok(Outcome::done()) };
    // Without topics only a reply says what it belongs to.
    let to = if thread == 0 { messages(door, record).await?.first().map(|place| place.message) } else { None };
    let sent = match door.api.send_document(door.seat.chat_id, topic_of(thread), to, document).await {
        Ok(sent) => sent,
        Err(failure) => return Ok(Outcome::Failed(failure)),
    };
    crash::point("document.called");
    if number + 1 < documents.len() {
        let kind = JobKind::SendDocument { thread, number: number + 1 };
        let id = format!("{}-{}", job.id, number + 1);
        return Ok(Outcome::Done(vec![Write::AddJob(effects::job(id, record, kind))]));
    }
    attached::came(door, job, record, sent.thread.unwrap_or_default()).await
}

/// A message to which nothing happened yet.
fn plain(door: &Door) -> Display<'_> {
    Display::new(door.kind(), &door.zone)
}

/// Shows the end in every message of the question, also in copies.
pub(super) async fn edit(door: &Door, record: &Record) -> Result<Outcome, ServiceError> {
    if is_on_its_way(door, record).await? {
        return mute::meanwhile(door, record, clock::now().plus_millis(WAITS_FOR_MESSAGE)).await;
    }
    let (attached, marked) = (attached::state(door, record).await?, marks::of(door, record).await?);
    let message = render::current(record, &Display { attached, marked, ..plain(door) });
    let mut gone = Vec::new();
    for place in messages(door, record).await? {
        let edited = door.api.edit(place.chat, place.message, &message).await;
        crash::point("edit.called");
        match edited {
            Ok(()) => {}
            Err(Failure::Permanent { kind: Kind::MessageGone | Kind::ThreadNotFound, .. }) => gone.push(place),
            // Other copies still have their buttons.
            Err(Failure::Permanent { kind, reason }) if !rights::is_the_chats(&kind) && !is_move(&kind) => {
                tracing::warn!(id = %record.question.id, reason, "a message could not be edited");
            }
            Err(failure) => return Ok(Outcome::Failed(failure)),
        }
    }
    // A message that is gone has no buttons: of an ended question nothing is left to do.
    if record.is_over() {
        return Ok(Outcome::Done(held::of_no_use(door, record).await?));
    }
    if gone.is_empty() { Ok(Outcome::done()) } else { anew::message(door, record, gone).await }
}

fn is_move(kind: &Kind) -> bool {
    matches!(kind, Kind::Migrated { .. })
}

/// The topic that a job writes into.
pub(super) fn thread_of(kind: &JobKind) -> Option<i64> {
    match kind {
        JobKind::SendQuestion { thread } | JobKind::SendDocument { thread, .. } => topic_of(*thread),
        JobKind::Reply { thread, .. } | JobKind::HoldBack { thread, .. } => thread.and_then(topic_of),
        JobKind::CreateTopic
        | JobKind::Remind
        | JobKind::EditQuestion
        | JobKind::EditMarks
        | JobKind::MarkTopic
        | JobKind::CloseTopic
        | JobKind::DeleteTopic
        | JobKind::Thank { .. }
        | JobKind::See { .. }
        | JobKind::DeleteMessage { .. }
        | JobKind::TakeButton { .. }
        | JobKind::Say { .. }
        | JobKind::SendLogin { .. }
        | JobKind::MakeUpdatesTopic { .. }
        | JobKind::SendUpdate
        | JobKind::ShowReply { .. }
        | JobKind::ShowOffer { .. }
        | JobKind::AttachToThread { .. }
        | JobKind::EditUpdate => None,
    }
}

/// The topics in which a question stands.
pub(super) async fn threads(door: &Door, record: &Record) -> Result<Vec<i64>, ServiceError> {
    let mut threads: Vec<i64> = messages(door, record).await?.iter().filter_map(|place| topic_of(place.thread)).collect();
    threads.dedup();
    Ok(threads)
}

/// Puts ✅ on the topics of an ended question: as the icon, or where there is none in the name.
pub(super) async fn mark(door: &Door, record: &Record) -> Result<Outcome, ServiceError> {
    if is_on_its_way(door, record).await? {
        return mute::meanwhile(door, record, clock::now().plus_millis(WAITS_FOR_MESSAGE)).await;
    }
    if !door.kind().has_topics() {
        return Ok(Outcome::done());
    }
    for thread in threads(door, record).await? {
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
    Ok(Outcome::Done(after::mark(door, record)))
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
    Ok(jobs.iter().any(|job| shows(job) && matches!(job.state, JobState::Waiting | JobState::Attempting)))
}

fn delivery(door: &Door, thread: i64, sent: Sent) -> Delivery {
    let chat = door.seat.chat_id.to_string();
    let place = topic_of(thread).map_or_else(|| sent.message_id.to_string(), |thread| format!("{thread}/{}", sent.message_id));
    // Only messages of supergroups have links.
    let link = chat.strip_prefix("-100").map(|chat| format!("https://t.me/c/{chat}/{place}"));
    let is_out_of_place = thread == 0 && door.kind == ChatKind::Forum;
    let reason = is_out_of_place.then(|| "the chat has no topics, so it stands in the chat itself".to_owned());
    Delivery { state: DeliveryState::Shown, reason, link }
}

/// The topic that a place names; 0 is none.
pub(super) fn topic_of(thread: i64) -> Option<i64> {
    (thread != 0).then_some(thread)
}
