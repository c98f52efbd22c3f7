//! Deadlines that pass. Slept for until the next one, looked at anew when one is asked for, and at least once a minute, since
//! clocks jump. What was said before a deadline and not heard yet wins over it.

use std::sync::Arc;
use std::time::Duration;

use pager_questions::{Event, Record, State, Time};
use tokio::time::timeout;

use super::{Service, ServiceError};
use crate::{clock, crash};

/// The longest sleep: the clock may be set meanwhile.
const LONGEST: Duration = Duration::from_secs(60);
/// Until Telegram is heard after a start, or given up for this, no deadline acts.
const HEARD_WITHIN: Duration = Duration::from_secs(60);
/// While something that was received waits to be handled.
const LOOKS_AGAIN: Duration = Duration::from_millis(100);
/// The answers repository refused the end of a question: it is tried again after so long.
const AFTER_A_REFUSAL_MILLIS: i64 = 30_000;
/// The longest sleep while one waits for that.
const BETWEEN_REFUSALS: Duration = Duration::from_secs(1);
/// The most that end together.
const MOST_TOGETHER: u32 = 256;

/// Looks for ever.
pub(super) async fn run(service: Arc<Service>) {
    if service.has_telegram {
        let mut heard = service.heard.subscribe();
        let _ = timeout(HEARD_WITHIN, heard.wait_for(|heard| *heard)).await;
    }
    loop {
        let asked = service.deadlines.notified();
        let sleep = match round(&service).await {
            Ok(sleep) => sleep,
            Err(error) => {
                tracing::error!(%error, "deadlines could not be looked at; it is tried again");
                Duration::from_secs(1)
            }
        };
        tokio::select! {
            () = tokio::time::sleep(sleep.min(LONGEST)) => {}
            () = asked => {}
            () = service.ending.cancelled() => return,
        }
    }
}

/// Ends what is due, and tells how long nothing else is.
async fn round(service: &Service) -> Result<Duration, ServiceError> {
    let now = clock::now();
    let Some(next) = service.store.next_deadline().await? else { return Ok(LONGEST) };
    if next > now {
        return Ok(until(next, now));
    }
    if service.has_telegram && !service.store.unhandled_updates(1).await?.is_empty() {
        return Ok(LOOKS_AGAIN);
    }
    let mut sleep = Duration::ZERO;
    for record in service.store.due(now, MOST_TOGETHER).await? {
        match paused_until(&record).filter(|until| *until > now) {
            // Meanwhile the next one may become due.
            Some(until) => sleep = self::until(until, now).min(BETWEEN_REFUSALS),
            None => end(service, record).await?,
        }
    }
    Ok(sleep)
}

async fn end(service: &Service, record: Record) -> Result<(), ServiceError> {
    crash::point("deadline.due");
    match service.change(record, None, &Event::Due, &[]).await {
        // Somebody was first.
        Ok(_) | Err(ServiceError::Refused(..) | ServiceError::NotFound) => Ok(()),
        Err(error) => Err(error),
    }
}

fn paused_until(record: &Record) -> Option<Time> {
    match &record.state {
        State::Open { refused: Some(note) } => Some(note.at.plus_millis(AFTER_A_REFUSAL_MILLIS)),
        State::Open { refused: None }
        | State::Answering(_)
        | State::Ended { .. }
        | State::Withdrawn { .. }
        | State::IdTaken { .. } => None,
    }
}

fn until(moment: Time, now: Time) -> Duration {
    let millis = moment.as_millis().saturating_sub(now.as_millis());
    Duration::from_millis(u64::try_from(millis).unwrap_or(0).max(1))
}
