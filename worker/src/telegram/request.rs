//! An owner's text that answers no question is a request: stored, then sent to the control repository where there is one, then
//! marked with 👀. It gets no other reply, unless its question is just being
//! settled by another answer, ended by its deadline, or GitHub refuses it for good.

use jiff::tz::TimeZone;
use pager_bot::intake::Text;
use pager_bot::render::{late, replies};
use pager_bot::{Budget, Failure};
use pager_questions::{By, Incarnation, Outcome, Record, State, Time, text};

use super::sender::Next;
use super::{Door, handler, kind_class, text as texts, threads};
use crate::service::{Requested, ServiceError, Written, effects};
use crate::store::{Job, JobKind, Write};
use crate::{clock, crash, hub, secrets};

/// The most tries of a mark with an unknown outcome.
const MOST_TRIES: u32 = 6;

/// Stores the text together with *this update was handled*. `about` is the question whose topic it stands in.
///
/// An edit makes a request only when no earlier version of the message counted, as a request or as an answer: whoever
/// mends a word does not ask a second time.
pub(super) async fn store(door: &Door, update: i64, written: &Text, about: Option<&Record>) -> Result<(), ServiceError> {
    if text::is_blank(&written.text) || (written.edited && has_counted(door, written, about).await?) {
        return handler::done(door, update).await;
    }
    let message = written.at.message_id;
    let words = Written {
        from: By::telegram(written.at.user),
        text: &written.text,
        about: about.map(|record| record.question.id.clone()),
        at: Time::from_millis(written.at.date.saturating_mul(1000)),
        place: Some(hub::Place { chat: door.seat.chat_id, topic: written.at.thread, message }),
        // An update id alone would do until the bot is another one.
        origin: format!("telegram:{update}:{}:{}", door.seat.chat_id, message.unwrap_or_default()),
    };
    let number = Incarnation::from_random(secrets::random());
    let Some(Requested { request, writes: stored, leaves }) = door.service.requested(&number, words) else {
        return handler::done(door, update).await;
    };
    let mut writes = vec![Write::Handled { update }];
    writes.extend(texts::remember(door, written));
    if let Some(message) = message {
        writes.push(counted(door, message, request.id.as_str()));
        writes.push(threads::keep_origin(door, &request.id, written.at.thread, message));
        if !leaves {
            let see = JobKind::See { chat: door.seat.chat_id, message };
            writes.push(Write::AddJob(effects::job_about_none(format!("{}-see", request.id), see)));
        }
    }
    if let Some((record, reply)) = about.and_then(|record| Some((record, reply_to(record, &door.zone)?))) {
        writes.push(texts::reply(door, record, update, &written.at, reply));
    }
    writes.extend(stored);
    texts::store(door, writes).await?;
    door.service.outlet.ring();
    Ok(())
}

/// What a text is told that came too late to be the answer, where nothing else that is shown tells it.
fn reply_to(record: &Record, zone: &TimeZone) -> Option<String> {
    let is_being_settled = matches!(record.state, State::Answering(_));
    late::reply(record, zone).or_else(|| is_being_settled.then(replies::being_saved))
}

/// Puts 👀 on a text. It adorns: a refusal ends it without a word.
pub(super) async fn see(door: &Door, budget: &mut Budget, job: &Job, chat: i64, message: i64) -> Result<Next, ServiceError> {
    let again = |due_at, attempts| Write::Retry { job: job.id.clone(), due_at, attempts };
    let finished = Write::FinishJob { job: job.id.clone() };
    if let Err(wait) = budget.take(kind_class(&job.kind), clock::now().as_millis()) {
        return Ok(Next::Wait(std::time::Duration::from_millis(wait)));
    }
    let outcome = door.api.react(chat, message, "👀").await;
    crash::point("see.called");
    let (write, next) = match outcome {
        Ok(()) => (finished, Next::Step),
        Err(Failure::Permanent { reason, .. }) => {
            tracing::info!(reason, "a stored text could not be marked");
            (finished, Next::Step)
        }
        Err(Failure::NotApplied { retry_after: Some(pause), .. }) => {
            budget.pause(pause, clock::now().as_millis());
            (again(clock::now(), job.attempts), Next::Step)
        }
        Err(Failure::NotApplied { retry_after: None, .. }) => (again(clock::now(), job.attempts), Next::Pause),
        Err(Failure::Unknown { .. }) if job.attempts + 1 >= MOST_TRIES => (finished, Next::Step),
        Err(Failure::Unknown { .. }) => {
            (again(clock::now().plus_millis(1000 << job.attempts.min(6)), job.attempts + 1), Next::Step)
        }
    };
    door.service.store.commit(vec![write]).await?;
    Ok(next)
}

/// Did an earlier version of this message become a request, or the answer of the question?
async fn has_counted(door: &Door, written: &Text, about: Option<&Record>) -> Result<bool, ServiceError> {
    if is_counted(door, written).await? {
        return Ok(true);
    }
    let Some(words) = about.and_then(own_words) else { return Ok(false) };
    Ok(texts::remembered(door, written).await? == Some(secrets::hash(words)))
}

/// Did an earlier version of this message become a request, or stand in the thread of one?
pub(super) async fn is_counted(door: &Door, written: &Text) -> Result<bool, ServiceError> {
    let Some(message) = written.at.message_id else { return Ok(false) };
    Ok(door.service.store.kept(&counted_name(door, message)).await?.is_some())
}

/// Keeps what this message was stored as.
pub(super) fn counted(door: &Door, message: i64, stored_as: &str) -> Write {
    Write::Keep { name: counted_name(door, message), value: stored_as.to_owned() }
}

/// The words that this question was answered with.
fn own_words(record: &Record) -> Option<&str> {
    let answer = match &record.state {
        State::Answering(claim) => &claim.answer,
        State::Ended { answer, .. } => answer,
        State::Open { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => return None,
    };
    answer.answer.as_deref().filter(|_| answer.outcome == Outcome::OwnWords)
}

fn counted_name(door: &Door, message: i64) -> String {
    format!("request:{}:{message}", door.seat.chat_id)
}
