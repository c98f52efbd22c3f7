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
use crate::service::{Service, ServiceError};
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

/// What is to be done about the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Nothing,
    Send,
    Renew,
    TakeAway,
}

impl Act {
    /// With this line, if any, and so many questions that wait; `is_ripe` when the line is old enough to be renewed.
    fn due(digest: Option<&Digest>, waiting: usize, is_ripe: bool) -> Self {
        match digest {
            None if waiting > FEW => Self::Send,
            None => Self::Nothing,
            Some(_) if waiting == 0 => Self::TakeAway,
            Some(digest) if is_ripe && digest.message != 0 && digest.count != waiting => Self::Renew,
            Some(_) => Self::Nothing,
        }
    }
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
        self.waiting = explain(&door.service, &reason(door, budget)).await?;
        Ok(LOOKS_EVERY)
    }

    /// Sends, renews or takes away the line, when that is due and the budget has room. Tells whether it made a call.
    pub(super) async fn tell(&mut self, door: &Door, budget: &mut Budget, is_idle: bool) -> Result<bool, ServiceError> {
        let is_ripe = self.renewed_at.is_none_or(|then| then.elapsed() >= RENEWS_EVERY);
        let is_early = self.not_before.is_some_and(|moment| Instant::now() < moment);
        let nothing_to_say = self.digest.is_none() && self.waiting <= FEW;
        if nothing_to_say || is_early || (self.digest.is_some() && !is_idle && !is_ripe) {
            return Ok(false);
        }
        self.waiting = door.service.store.unshown(clock::now()).await?.len();
        let act = Act::due(self.digest.as_ref(), self.waiting, is_ripe);
        if act == Act::Nothing || budget.take(Class::Note, clock::now().as_millis()).is_err() {
            return Ok(false);
        }
        match (act, self.digest.clone()) {
            (Act::TakeAway, Some(digest)) => self.take_away(door, budget, &digest).await?,
            (Act::Renew, Some(digest)) => self.renew(door, budget, digest).await?,
            _ => self.send(door, budget, self.waiting).await?,
        }
        Ok(true)
    }

    async fn renew(&mut self, door: &Door, budget: &mut Budget, digest: Digest) -> Result<(), ServiceError> {
        self.renewed_at = Some(Instant::now());
        let line = Message::plain(replies::more_wait(self.waiting));
        match door.api.edit(digest.chat, digest.message, &line).await {
            Ok(()) => self.keep(door, Some(Digest { count: self.waiting, ..digest })).await,
            Err(Failure::Permanent { .. }) => self.keep(door, Some(Digest { message: 0, ..digest })).await,
            Err(failure) => {
                pauses(budget, &failure);
                Ok(())
            }
        }
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

/// Tells the askers of all questions that wait why they do. Gives back how many wait.
pub(super) async fn explain(service: &Service, reason: &str) -> Result<usize, ServiceError> {
    let unshown = service.store.unshown(clock::now()).await?;
    let waiting = unshown.len();
    let mut told = Vec::new();
    for incarnation in unshown {
        if let Some(record) = service.store.record_of(&incarnation).await?
            && record.delivery.state == DeliveryState::Queued
            && record.delivery.reason.as_deref() != Some(reason)
        {
            let delivery = Delivery { state: DeliveryState::Queued, reason: Some(reason.to_owned()), link: None };
            let event = Event::Deliver(delivery);
            told.push(async move { service.change(record, None, &event, &[]).await });
        }
    }
    // Together, so that they are stored in one commit.
    for outcome in join_all(told).await {
        outcome?;
    }
    Ok(waiting)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_sent_once_renewed_when_its_number_is_old_and_taken_away_when_nothing_waits() {
        let digest = |message, count| Digest { chat: -1001, message, count };
        assert_eq!(Act::due(None, FEW, true), Act::Nothing);
        assert_eq!(Act::due(None, FEW + 1, true), Act::Send);
        assert_eq!(Act::due(Some(&digest(7, 12)), 9, false), Act::Nothing, "not more often than it pays");
        assert_eq!(Act::due(Some(&digest(7, 12)), 9, true), Act::Renew);
        assert_eq!(Act::due(Some(&digest(7, 9)), 9, true), Act::Nothing);
        assert_eq!(Act::due(Some(&digest(7, 9)), 0, false), Act::TakeAway);
    }

    #[test]
    fn a_line_of_which_nobody_knows_whether_it_is_there_is_not_sent_again() {
        let unknown = Digest { chat: -1001, message: 0, count: 12 };
        assert_eq!(Act::due(Some(&unknown), 50, true), Act::Nothing);
        assert_eq!(Act::due(Some(&unknown), 0, true), Act::TakeAway, "then it is forgotten, and the next flood has its own");
    }
}
