//! More questions than the budget carries: each asker sees why its question waits, and the owner gets one line in
//! General. It is renewed rather than repeated, and goes when nothing waits any more.

use std::time::Duration;

use futures_util::future::join_all;
use pager_bot::render::{Message, replies};
use pager_bot::{Budget, Class, Failure};
use pager_questions::apply::Event;
use pager_questions::{Delivery, DeliveryState};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::Door;
use crate::clock;
use crate::service::ServiceError;
use crate::store::Write;

/// Under this name the store keeps the line.
const DIGEST: &str = "digest";
/// So many may wait without a word to the owner.
const FEW: usize = 4;
/// How often it is looked at who waits, and how often the line is renewed.
const LOOKS_EVERY: Duration = Duration::from_secs(1);
const RENEWS_EVERY: Duration = Duration::from_secs(30);

/// The line, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Digest {
    chat: i64,
    /// Its message; 0 when it is not known whether it was sent, or it was refused: then it is not sent again.
    message: i64,
    /// The number in it.
    count: usize,
}

/// What the sender knows about the questions that wait.
#[derive(Default)]
pub(super) struct Backlog {
    digest: Option<Digest>,
    waiting: usize,
    looked_at: Option<Instant>,
    renewed_at: Option<Instant>,
    not_before: Option<Instant>,
}

impl Backlog {
    /// Begins with what is kept: the line outlives a restart.
    pub(super) async fn kept(door: &Door) -> Result<Self, ServiceError> {
        let text = door.service.store.kept(DIGEST).await?;
        let digest = text.and_then(|text| serde_json::from_str::<Option<Digest>>(&text).ok()).flatten();
        let digest = digest.filter(|digest| digest.chat == door.seat.chat_id);
        Ok(Self { digest, ..Self::default() })
    }

    /// A call has to wait for the budget, or for the end of a pause: those whose questions wait are told why.
    /// Gives back after how long it is worth looking again.
    pub(super) async fn waits(&mut self, door: &Door, budget: &Budget) -> Result<Duration, ServiceError> {
        if self.looked_at.is_some_and(|then| then.elapsed() < LOOKS_EVERY) {
            return Ok(LOOKS_EVERY);
        }
        self.looked_at = Some(Instant::now());
        let reason = reason(door, budget);
        let store = &door.service.store;
        let unshown = store.unshown().await?;
        self.waiting = unshown.len();
        let mut told = Vec::new();
        for incarnation in unshown {
            if let Some(record) = store.record_of(&incarnation).await?
                && record.delivery.state == DeliveryState::Queued
                && record.delivery.reason.as_ref() != Some(&reason)
            {
                let delivery = Delivery { state: DeliveryState::Queued, reason: Some(reason.clone()), link: None };
                let event = Event::Deliver(delivery);
                told.push(async move { door.service.change(record, None, &event, &[]).await });
            }
        }
        // Together, so that they are stored in one commit.
        for outcome in join_all(told).await {
            outcome?;
        }
        Ok(LOOKS_EVERY)
    }

    /// Sends, renews or takes away the line, when that is due and the budget has room. Tells whether it made a call.
    pub(super) async fn tell(&mut self, door: &Door, budget: &mut Budget, is_idle: bool) -> Result<bool, ServiceError> {
        let renews = self.renewed_at.is_none_or(|then| then.elapsed() >= RENEWS_EVERY);
        if self.digest.is_none() && self.waiting <= FEW || self.digest.is_some() && !is_idle && !renews {
            return Ok(false);
        }
        let count = door.service.store.unshown().await?.len();
        self.waiting = count;
        match self.digest.clone() {
            None if count > FEW => {
                if budget.take(Class::Note, clock::now().as_millis()).is_err() {
                    return Ok(false);
                }
                self.send(door, budget, count).await?;
            }
            Some(digest) if count == 0 => {
                let is_early = self.not_before.is_some_and(|moment| Instant::now() < moment);
                if is_early || budget.take(Class::Note, clock::now().as_millis()).is_err() {
                    return Ok(false);
                }
                self.take_away(door, budget, &digest).await?;
            }
            Some(digest) if digest.count != count && digest.message != 0 && renews => {
                if budget.take(Class::Note, clock::now().as_millis()).is_err() {
                    return Ok(false);
                }
                self.renewed_at = Some(Instant::now());
                let line = Message::plain(replies::more_wait(count));
                match door.api.edit(digest.chat, digest.message, &line).await {
                    Ok(()) => self.keep(door, Some(Digest { count, ..digest })).await?,
                    Err(Failure::Permanent { .. }) => self.keep(door, Some(Digest { message: 0, ..digest })).await?,
                    Err(failure) => pauses(budget, &failure),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    async fn send(&mut self, door: &Door, budget: &mut Budget, count: usize) -> Result<(), ServiceError> {
        // Kept first: silence rather than the same line twice.
        let chat = door.seat.chat_id;
        self.keep(door, Some(Digest { chat, message: 0, count })).await?;
        self.renewed_at = Some(Instant::now());
        match door.api.reply(chat, None, None, &replies::more_wait(count)).await {
            Ok(sent) => self.keep(door, Some(Digest { chat, message: sent.message_id, count })).await,
            Err(failure @ Failure::NotApplied { .. }) => {
                pauses(budget, &failure);
                self.keep(door, None).await
            }
            Err(failure) => {
                tracing::warn!(reason = failure.reason(), "the line about questions that wait may be missing");
                Ok(())
            }
        }
    }

    async fn take_away(&mut self, door: &Door, budget: &mut Budget, digest: &Digest) -> Result<(), ServiceError> {
        if digest.message != 0 {
            let mut gone = door.api.delete(digest.chat, digest.message).await;
            if matches!(gone, Err(Failure::Permanent { .. })) {
                gone = door.api.edit(digest.chat, digest.message, &Message::plain(replies::none_wait())).await;
            }
            if let Err(failure @ (Failure::NotApplied { .. } | Failure::Unknown { .. })) = gone {
                // Both can be repeated, though not at once.
                pauses(budget, &failure);
                self.not_before = Some(Instant::now() + LOOKS_EVERY);
                return Ok(());
            }
        }
        self.keep(door, None).await
    }

    async fn keep(&mut self, door: &Door, digest: Option<Digest>) -> Result<(), ServiceError> {
        let value = serde_json::to_string(&digest).expect("a line is plain JSON");
        door.service.store.commit(vec![Write::Keep { name: DIGEST.to_owned(), value }]).await?;
        self.digest = digest;
        Ok(())
    }
}

fn reason(door: &Door, budget: &Budget) -> String {
    let paused = budget.paused_until().filter(|until| *until > clock::now().as_millis());
    match paused.map(pager_questions::Time::from_millis) {
        Some(until) => format!("Telegram asks to wait until {until}"),
        None => format!("it waits for its turn; {} calls a minute go to the chat", door.budget_per_minute),
    }
}

fn pauses(budget: &mut Budget, failure: &Failure) {
    if let Failure::NotApplied { retry_after: Some(pause), .. } = failure {
        budget.pause(*pause, clock::now().as_millis());
    }
}
