//! The send queue: one call to the chat at a time, the most urgent first, within the chat's budget. Every call is a row
//! of the outbox; a row is gone only once its outcome is stored.

use std::time::Duration;

use pager_bot::{Budget, Class, Failure};
use pager_questions::apply::Event;
use pager_questions::{Delivery, Record, Time};

use super::backlog::Backlog;
use super::mute::Muting;
use super::{Door, after, failures, held, kind_class, notes, private, remind, request, show, threads, topic, updates};
use crate::service::ServiceError;
use crate::store::{Job, JobKind, Write};
use crate::{clock, crash};

/// Its part in the health of pagerd.
pub(super) const PART: &str = "sending";
/// It looks again by itself, should a ring have been missed.
const LOOKS_AGAIN: Duration = Duration::from_secs(30);
/// The pauses while Telegram cannot be reached.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(10);
/// What came of performing a job.
pub(super) enum Outcome {
    /// Done; this is stored with it.
    Done(Vec<Write>),
    /// Done, and the delivery of the question is another one.
    Delivered(Delivery, Vec<Write>),
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
    let mut backlog = Backlog::kept(door).await.unwrap_or_default();
    let ending = &door.leaving;
    let mut mute = Muting::default();
    let mut pause = FIRST_PAUSE;
    let mut cut_off = Some("pagerd ended during the call");
    while !ending.is_cancelled() {
        if let Some(reason) = cut_off {
            match failures::recover(door, reason).await {
                Ok(()) => cut_off = None,
                Err(error) => tracing::error!(%error, "calls that were cut off could not be looked at; it is tried again"),
            }
        }
        let next = step(door, &mut budget, &mut mute, &mut backlog).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the outbox could not be worked on");
            // A job may stand there as being tried, which would hold up whatever waits for it until the next start.
            cut_off = cut_off.or(Some("what came of the call could not be stored"));
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

/// Does the most urgent job, or says how long there is nothing to do.
async fn step(door: &Door, budget: &mut Budget, mute: &mut Muting, backlog: &mut Backlog) -> Result<Next, ServiceError> {
    let store = &door.service.store;
    let now = clock::now();
    mute.look(door).await?;
    let next = store.next_job(now).await?;
    let is_outcome = next.as_ref().is_some_and(|job| kind_class(&job.kind) == Class::Outcome);
    if !is_outcome && backlog.tell(door, budget, next.is_none()).await? {
        return Ok(Next::Step);
    }
    let Some(job) = next else {
        let due = store.next_due().await?;
        return Ok(Next::Wait(due.map_or(LOOKS_AGAIN, |due| millis(due.as_millis() - now.as_millis()))));
    };
    let Some(incarnation) = &job.incarnation else {
        return match job.kind {
            JobKind::See { chat, message } => request::see(door, budget, &job, chat, message).await,
            _ => Ok(notes::step(door, budget, &job).await?.map_or(Next::Step, Next::Wait)),
        };
    };
    if threads::is_about_threads(&job.kind) {
        return threads::step(door, budget, &job).await;
    }
    if updates::is_about_updates(&job.kind) {
        return updates::step(door, budget, mute, &job).await;
    }
    let Some(record) = store.record_of(incarnation).await? else {
        store.commit(vec![Write::FinishJob { job: job.id }]).await?;
        return Ok(Next::Step);
    };
    if mute.holds(door, &job, &record).await? {
        return Ok(Next::Step);
    }
    if let Err(wait) = budget.take(kind_class(&job.kind), now.as_millis()) {
        let look_again = backlog.waits(door, budget).await?;
        return Ok(Next::Wait(Duration::from_millis(wait).min(look_again)));
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
        Outcome::Delivered(delivery, mut writes) => {
            writes.push(Write::FinishJob { job: job.id.clone() });
            door.service.change(record, None, &Event::Deliver(delivery), &writes).await?;
        }
        Outcome::Later(due_at) => store.commit(vec![Write::Retry { job: job.id, due_at, attempts: job.attempts }]).await?,
        Outcome::Failed(failure) => {
            let next = after_failure(door, budget, &failure);
            failures::store(door, &job, record, failure).await?;
            return Ok(next);
        }
    }
    door.service.health.well(PART);
    Ok(Next::Step)
}

/// What a failed call means for the next one: a pause of the chat, or of everything.
pub(super) fn after_failure(door: &Door, budget: &mut Budget, failure: &Failure) -> Next {
    match failure {
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
    }
}

async fn perform(door: &Door, budget: &mut Budget, job: &Job, record: &Record) -> Result<Outcome, ServiceError> {
    let outcome = match &job.kind {
        JobKind::CreateTopic => topic::create(door, job, record).await?,
        JobKind::SendQuestion { thread } => show::send(door, job, record, *thread).await?,
        JobKind::SendDocument { thread, number } => show::send_document(door, job, record, *thread, *number).await?,
        // Whatever was marked when it ended.
        JobKind::EditMarks if record.is_over() => Outcome::done(),
        JobKind::EditQuestion | JobKind::EditMarks => {
            // The first copy is paid for; a second one is rare and goes on the account all the same.
            for _ in 1..show::copies(door, record).await? {
                let _ = budget.take(kind_class(&job.kind), clock::now().as_millis());
            }
            show::edit(door, record).await?
        }
        JobKind::MarkTopic => show::mark(door, record).await?,
        JobKind::CloseTopic => after::close(door, record).await?,
        JobKind::DeleteTopic => after::delete(door, record).await?,
        JobKind::Thank { chat, message } => {
            let thanked = door.api.react(*chat, *message, "👍").await;
            crash::point("thank.called");
            thanked.map_or_else(Outcome::Failed, |()| Outcome::done())
        }
        JobKind::DeleteMessage { chat, thread, message } => private::delete(door, job, record, *chat, *thread, *message).await,
        JobKind::HoldBack { thread, to, update, looks } => held::reply(door, record, (*thread, *to), *update, looks).await,
        JobKind::TakeButton { chat, message } => {
            let taken = door.api.take_buttons(*chat, *message).await;
            taken.map_or_else(Outcome::Failed, |()| Outcome::done())
        }
        JobKind::Remind => remind::send(door, job, record).await?,
        JobKind::Reply { thread, to, text } => {
            let places = door.service.store.places(&record.question.incarnation).await?;
            let first = places.iter().find(|place| place.message != 0).or_else(|| places.first());
            // Without topics only a reply says which question it is about.
            let (thread, to) = match door.kind().has_topics() {
                true => (thread.or_else(|| first.map(|place| place.thread)).and_then(show::topic_of), *to),
                false => (None, to.or_else(|| first.map(|place| place.message).filter(|message| *message != 0))),
            };
            let replied = door.api.reply(door.seat.chat_id, thread, to, text).await;
            replied.map_or_else(Outcome::Failed, |_| Outcome::done())
        }
        // They are about no question, and were done before one was looked for.
        JobKind::See { .. } | JobKind::Say { .. } | JobKind::SendLogin { .. } => Outcome::done(),
        JobKind::MakeUpdatesTopic { .. } | JobKind::SendUpdate | JobKind::EditUpdate => Outcome::done(),
        JobKind::ShowReply { .. } | JobKind::ShowOffer { .. } | JobKind::AttachToThread { .. } => Outcome::done(),
    };
    Ok(outcome)
}

/// A call that makes something new each time it is repeated.
fn makes_something(kind: &JobKind) -> bool {
    match kind {
        JobKind::CreateTopic
        | JobKind::SendQuestion { .. }
        | JobKind::SendDocument { .. }
        | JobKind::Reply { .. }
        | JobKind::Remind
        | JobKind::HoldBack { .. }
        | JobKind::Say { .. }
        | JobKind::SendLogin { .. }
        | JobKind::MakeUpdatesTopic { .. }
        | JobKind::SendUpdate
        | JobKind::ShowReply { .. }
        | JobKind::ShowOffer { .. }
        | JobKind::AttachToThread { .. } => true,
        JobKind::EditQuestion
        | JobKind::EditMarks
        | JobKind::MarkTopic
        | JobKind::CloseTopic
        | JobKind::DeleteTopic
        | JobKind::Thank { .. }
        | JobKind::See { .. }
        | JobKind::DeleteMessage { .. }
        | JobKind::TakeButton { .. }
        | JobKind::EditUpdate => false,
    }
}

fn millis(wait: i64) -> Duration {
    Duration::from_millis(u64::try_from(wait).unwrap_or(0).max(1))
}
