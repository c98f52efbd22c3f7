//! Deadlines that pass, and reminders halfway to them. Slept for until the next one, looked at anew when one is asked for, and at
//! least once a minute, since clocks jump. What was said before a deadline and not heard yet wins over it, unless words over
//! HTTP that came too late let it act first; what was received and cannot be handled holds it up for a minute and no longer.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pager_questions::{Event, Record, State, Time};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::{Service, ServiceError};
use crate::store::Stored;
use crate::{clock, crash};

/// The longest sleep: the clock may be set meanwhile.
const LONGEST: Duration = Duration::from_secs(60);
/// Until Telegram is heard after a start, or given up for this, no deadline acts.
const HEARD_WITHIN: Duration = Duration::from_secs(60);
/// What was received and still waits after this cannot be handled at present: deadlines act all the same.
const HANDLED_WITHIN: Duration = Duration::from_secs(60);
/// While something that was received waits to be handled.
const LOOKS_AGAIN: Duration = Duration::from_millis(100);
/// The answers repository refused the end of a question: it is tried again after so long.
const AFTER_A_REFUSAL_MILLIS: i64 = 30_000;
/// The longest sleep while one waits for that.
const BETWEEN_REFUSALS: Duration = Duration::from_secs(1);
/// What could not be looked at or stored is tried again after this.
const AFTER_AN_ERROR: Duration = Duration::from_secs(1);
/// The most that end together.
const MOST_TOGETHER: u32 = 256;

/// Where deadlines are looked up, and what they do is stored.
#[async_trait]
pub(super) trait Questions: Send + Sync + 'static {
    /// The earliest deadline that ends a question.
    async fn next_deadline(&self) -> Stored<Option<Time>>;
    /// What its deadline ends by now, the earliest first.
    async fn due(&self, now: Time, limit: u32) -> Stored<Vec<Record>>;
    /// The next moment that somebody is to be reminded at.
    async fn next_reminder(&self, now: Time) -> Stored<Option<Time>>;
    /// Whose owners are to be reminded by now.
    async fn to_remind(&self, now: Time, limit: u32) -> Stored<Vec<Record>>;
    /// Whether something that was received waits to be handled.
    async fn is_behind(&self) -> Stored<bool>;
    /// Stores what an event does to a question.
    async fn change(&self, record: Record, event: &Event) -> Result<(), ServiceError>;
}

#[async_trait]
impl Questions for Service {
    async fn next_deadline(&self) -> Stored<Option<Time>> {
        self.store.next_deadline().await
    }

    async fn due(&self, now: Time, limit: u32) -> Stored<Vec<Record>> {
        self.store.due(now, limit).await
    }

    async fn next_reminder(&self, now: Time) -> Stored<Option<Time>> {
        self.store.next_reminder(now).await
    }

    async fn to_remind(&self, now: Time, limit: u32) -> Stored<Vec<Record>> {
        self.store.to_remind(now, limit).await
    }

    async fn is_behind(&self) -> Stored<bool> {
        Ok(self.has_telegram && !self.store.unhandled_updates(1).await?.is_empty())
    }

    async fn change(&self, record: Record, event: &Event) -> Result<(), ServiceError> {
        Self::change(self, record, None, event, &[]).await.map(drop)
    }
}

/// What looks after deadlines, and what it works with.
pub(super) struct Deadlines<Q> {
    questions: Arc<Q>,
    /// Whether Telegram was heard since the start; None where it is no door.
    heard: Option<watch::Receiver<bool>>,
    /// Whether owners are reminded.
    reminds: bool,
    /// Since when something that was received has waited without a break, as seen while a deadline was due.
    behind_since: Option<Instant>,
    ending: CancellationToken,
}

/// Looks for ever.
pub(super) async fn run(service: Arc<Service>) {
    let deadlines = Deadlines {
        questions: service.clone(),
        heard: service.has_telegram.then(|| service.heard.subscribe()),
        reminds: service.has_telegram && service.policy.remind,
        behind_since: None,
        ending: service.ending.clone(),
    };
    deadlines.run(&service.deadlines).await;
}

impl<Q: Questions> Deadlines<Q> {
    async fn run(mut self, asked: &Notify) {
        if let Some(mut heard) = self.heard.take() {
            tokio::select! {
                _ = timeout(HEARD_WITHIN, heard.wait_for(|heard| *heard)) => {}
                () = self.ending.cancelled() => return,
            }
        }
        loop {
            let asked = asked.notified();
            let sleep = self.round().await.unwrap_or_else(|error| {
                tracing::error!(%error, "deadlines could not be looked at; it is tried again");
                AFTER_AN_ERROR
            });
            tokio::select! {
                () = tokio::time::sleep(sleep.min(LONGEST)) => {}
                () = asked => {}
                () = self.ending.cancelled() => return,
            }
        }
    }

    /// Does what is due, and tells how long nothing else is.
    async fn round(&mut self) -> Result<Duration, ServiceError> {
        let now = clock::now();
        let next = self.questions.next_deadline().await?;
        let reminder = if self.reminds { self.questions.next_reminder(now).await? } else { None };
        let first = next.into_iter().chain(reminder).min();
        if first.is_none_or(|first| first > now) {
            self.behind_since = None;
            return Ok(first.map_or(LONGEST, |first| until(first, now)));
        }
        if self.must_wait().await? {
            return Ok(LOOKS_AGAIN);
        }
        let (mut sleep, mut failed) = (Duration::ZERO, None);
        if reminder.is_some_and(|reminder| reminder <= now) {
            for record in self.questions.to_remind(now, MOST_TOGETHER).await? {
                crash::point("reminder.due");
                failed = self.happens(record, &Event::Remind).await.err().or(failed);
            }
        }
        let due = if next.is_some_and(|next| next <= now) { self.questions.due(now, MOST_TOGETHER).await? } else { Vec::new() };
        for record in due {
            match paused_until(&record).filter(|until| *until > now) {
                // Meanwhile the next one may become due.
                Some(until) => sleep = self::until(until, now).min(BETWEEN_REFUSALS),
                None => {
                    crash::point("deadline.due");
                    failed = self.happens(record, &Event::Due).await.err().or(failed);
                }
            }
        }
        failed.map_or(Ok(sleep), Err)
    }

    /// Whether something that was received is still to be handled before a deadline may act.
    async fn must_wait(&mut self) -> Result<bool, ServiceError> {
        if !self.questions.is_behind().await? {
            self.behind_since = None;
            return Ok(false);
        }
        let since = *self.behind_since.get_or_insert_with(Instant::now);
        Ok(since.elapsed() < HANDLED_WITHIN)
    }

    async fn happens(&self, record: Record, event: &Event) -> Result<(), ServiceError> {
        match self.questions.change(record, event).await {
            // Somebody was first.
            Ok(()) | Err(ServiceError::Refused(..) | ServiceError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
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
