//! The send queue: one call to the chat at a time, the most urgent first, within the chat's budget. Every call is a row
//! of the outbox; a row is gone only once its outcome is stored.

use std::time::Duration;

use pager_bot::{Budget, Failure};
use pager_questions::apply::Event;
use pager_questions::{Delivery, DeliveryState, Record, Time};

use super::mute::Muting;
use super::{Door, kind_class, notes, request, show, topic};
use crate::service::ServiceError;
use crate::store::{Job, JobKind, Write};
use crate::{clock, crash};

/// Its part in the health of pagerd.
const PART: &str = "sending";
/// It looks again by itself, should a ring have been missed.
const LOOKS_AGAIN: Duration = Duration::from_secs(30);
/// The pauses while Telegram cannot be reached.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(10);
/// After an unknown outcome of a call that cannot be repeated safely, this long for news of what came of it.
const NEWS_WITHIN_MILLIS: i64 = 10_000;
const LONGEST_FOR_NEWS_MILLIS: i64 = 300_000;
/// The most tries to send a message that may be there already: at most one duplicate.
const MOST_TRIES_TO_SEND: u32 = 2;
/// The most tries of a call that only adorns.
const MOST_TRIES_TO_ADORN: u32 = 6;

/// What came of performing a job.
pub(super) enum Outcome {
    /// Done; this is stored with it.
    Done(Vec<Write>),
    /// The question is in the chat.
    Shown(Delivery, Vec<Write>),
    /// Something else comes first.
    Later(Time),
    /// The call failed.
    Failed(Failure),
}

impl Outcome {
    /// Done, with nothing more to store.
    pub(super) fn done() -> Self {
        Self::Done(Vec::new())
    }
}

/// What to do after a step.
pub(super) enum Next {
    /// The next step.
    Step,
    /// Nothing for this long, unless the outbox rings.
    Wait(Duration),
    /// Telegram cannot be reached: whatever comes next would fare no better.
    Pause,
}

/// Sends until the service ends; a call that is under way then is finished first.
pub(super) async fn run(door: &Door) {
    let mut budget = Budget::new(door.budget_per_minute, clock::now().as_millis());
    if let Err(error) = recover(door).await {
        tracing::error!(%error, "calls that a crash cut off could not be looked at");
    }
    let ending = &door.service.ending;
    let mut mute = Muting::default();
    let mut pause = FIRST_PAUSE;
    while !ending.is_cancelled() {
        let next = step(door, &mut budget, &mut mute).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the outbox could not be worked on");
            Next::Pause
        });
        let (wait, rings) = match next {
            Next::Step => {
                pause = FIRST_PAUSE;
                continue;
            }
            Next::Wait(wait) => (wait.min(LOOKS_AGAIN), true),
            Next::Pause => {
                pause = (pause * 2).min(LAST_PAUSE);
                (pause, false)
            }
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = door.service.outbox.notified(), if rings => {}
            () = ending.cancelled() => {}
        }
    }
}

/// Calls that were under way when the process ended: nobody knows whether they happened.
async fn recover(door: &Door) -> Result<(), ServiceError> {
    for job in door.service.store.tried_jobs().await? {
        if job.state == crate::store::JobState::Attempting {
            let failure = Failure::Unknown { reason: "pagerd ended during the call".to_owned() };
            let Some(incarnation) = &job.incarnation else {
                notes::failed(door, &job, failure).await?;
                continue;
            };
            if let Some(record) = door.service.store.record_of(incarnation).await? {
                let before = Job { attempts: job.attempts.saturating_sub(1), ..job };
                failed(door, &before, record, failure).await?;
            }
        }
    }
    Ok(())
}

/// Does the most urgent job, or says how long there is nothing to do.
async fn step(door: &Door, budget: &mut Budget, mute: &mut Muting) -> Result<Next, ServiceError> {
    let store = &door.service.store;
    let now = clock::now();
    mute.look(door).await?;
    let Some(job) = store.next_job(now).await? else {
        let due = store.next_due().await?;
        return Ok(Next::Wait(due.map_or(LOOKS_AGAIN, |due| millis(due.as_millis() - now.as_millis()))));
    };
    let Some(incarnation) = &job.incarnation else {
        return match job.kind {
            JobKind::See { chat, message } => request::see(door, budget, &job, chat, message).await,
            _ => Ok(notes::step(door, budget, &job).await?.map_or(Next::Step, Next::Wait)),
        };
    };
    let Some(record) = store.record_of(incarnation).await? else {
        store.commit(vec![Write::FinishJob { job: job.id }]).await?;
        return Ok(Next::Step);
    };
    if mute.holds(door, &job, &record).await? {
        return Ok(Next::Step);
    }
    if let Err(wait) = budget.take(kind_class(&job.kind), now.as_millis()) {
        return Ok(Next::Wait(Duration::from_millis(wait)));
    }
    crash::point("job.taken");
    if makes_something(&job.kind) {
        store.commit(vec![Write::Attempt { job: job.id.clone() }]).await?;
        crash::point("job.attempted");
    }
    match perform(door, budget, &job, &record).await? {
        Outcome::Done(mut writes) => {
            writes.push(Write::FinishJob { job: job.id.clone() });
            store.commit(writes).await?;
            if job.kind == JobKind::EditQuestion {
                crash::point("edit.stored");
            }
        }
        Outcome::Shown(delivery, mut writes) => {
            writes.push(Write::FinishJob { job: job.id.clone() });
            door.service.change(record, None, &Event::Deliver(delivery), &writes).await?;
        }
        Outcome::Later(due_at) => store.commit(vec![Write::Retry { job: job.id, due_at, attempts: job.attempts }]).await?,
        Outcome::Failed(failure) => {
            let next = match &failure {
                Failure::NotApplied { retry_after: Some(pause), .. } => {
                    budget.pause(*pause, clock::now().as_millis());
                    let millis = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
                    door.service.metrics.paused(clock::now().plus_millis(millis));
                    door.service.health.trouble(PART, format!("Telegram asks to wait for {} s", pause.as_secs()));
                    Next::Step
                }
                Failure::NotApplied { retry_after: None, reason } => {
                    door.service.health.trouble(PART, reason.clone());
                    Next::Pause
                }
                Failure::Permanent { .. } | Failure::Unknown { .. } => Next::Step,
            };
            failed(door, &job, record, failure).await?;
            return Ok(next);
        }
    }
    door.service.health.well(PART);
    Ok(Next::Step)
}

async fn perform(door: &Door, budget: &mut Budget, job: &Job, record: &Record) -> Result<Outcome, ServiceError> {
    let outcome = match &job.kind {
        JobKind::CreateTopic => topic::create(door, job, record).await?,
        JobKind::SendQuestion { thread } => show::send(door, job, record, *thread).await?,
        JobKind::SendDocument { thread } => show::send_document(door, record, *thread).await?,
        JobKind::EditQuestion => {
            // The first copy is paid for; a second one is rare and goes on the account all the same.
            for _ in 1..show::copies(door, record).await? {
                let _ = budget.take(kind_class(&job.kind), clock::now().as_millis());
            }
            show::edit(door, record).await?
        }
        JobKind::MarkTopic => show::mark(door, record).await?,
        JobKind::Thank { chat, message } => {
            let thanked = door.api.react(*chat, *message, "👍").await;
            crash::point("thank.called");
            thanked.map_or_else(Outcome::Failed, |()| Outcome::done())
        }
        // It is about no question, so it was done before one was looked for.
        JobKind::See { .. } => Outcome::done(),
        JobKind::Reply { thread, to, text } => {
            let places = door.service.store.places(&record.question.incarnation).await?;
            let first = places.iter().find(|place| place.message != 0).or_else(|| places.first());
            // Without topics only a reply says which question it is about.
            let (thread, to) = match door.kind.has_topics() {
                true => (thread.or_else(|| first.and_then(|place| show::topic_of(place.thread))), *to),
                false => (None, to.or_else(|| first.map(|place| place.message).filter(|message| *message != 0))),
            };
            let replied = door.api.reply(door.seat.chat_id, thread, to, text).await;
            replied.map_or_else(Outcome::Failed, |_| Outcome::done())
        }
        JobKind::Say { .. } | JobKind::SendLogin { .. } => {
            notes::say(door, &job.kind).await?.map_or_else(Outcome::Failed, |()| Outcome::done())
        }
    };
    Ok(outcome)
}

/// Stores what follows from a failure. `attempts` of the job are the unknown outcomes before this one.
async fn failed(door: &Door, job: &Job, record: Record, failure: Failure) -> Result<(), ServiceError> {
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
        Failure::Permanent { kind, reason } => {
            tracing::error!(job = job.kind.name(), id = %record.question.id, reason, "Telegram refused for good");
            let write = given_up(&reason);
            if makes {
                let delivery = show::undeliverable(&kind, &reason);
                door.service.change(record, None, &Event::Deliver(delivery), &[write]).await?;
            } else {
                store.commit(vec![write]).await?;
            }
        }
        Failure::Unknown { reason } => {
            tracing::warn!(job = job.kind.name(), id = %record.question.id, reason, "it is not known whether a call happened");
            let tries = job.attempts + 1;
            let write = match most_tries(&job.kind) {
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

/// How often a call with an unknown outcome is made in all; None: until it is done, since repeating it changes nothing.
fn most_tries(kind: &JobKind) -> Option<u32> {
    match kind {
        // A topic that was made all the same is found by the bot's own news of it.
        JobKind::EditQuestion | JobKind::CreateTopic => None,
        JobKind::SendQuestion { .. } | JobKind::SendDocument { .. } => Some(MOST_TRIES_TO_SEND),
        JobKind::MarkTopic | JobKind::Thank { .. } | JobKind::See { .. } => Some(MOST_TRIES_TO_ADORN),
        // Silence rather than the same line twice.
        JobKind::Reply { .. } | JobKind::Say { .. } | JobKind::SendLogin { .. } => Some(1),
    }
}

/// A call that makes something new each time it is repeated.
fn makes_something(kind: &JobKind) -> bool {
    match kind {
        JobKind::CreateTopic | JobKind::SendQuestion { .. } | JobKind::SendDocument { .. } | JobKind::Reply { .. } => true,
        JobKind::Say { .. } | JobKind::SendLogin { .. } => true,
        JobKind::EditQuestion | JobKind::MarkTopic | JobKind::Thank { .. } | JobKind::See { .. } => false,
    }
}

fn news_within(attempts: u32) -> i64 {
    (NEWS_WITHIN_MILLIS << attempts.min(10)).min(LONGEST_FOR_NEWS_MILLIS)
}

fn back_off(attempts: u32) -> i64 {
    1000 << attempts.min(6)
}

fn millis(wait: i64) -> Duration {
    Duration::from_millis(u64::try_from(wait).unwrap_or(0).max(1))
}
