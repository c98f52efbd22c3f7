//! When was Telegram heard last? It drops presses that wait for longer than 150 seconds: after such an outage each open
//! question's topic is told once to press again.

use pager_bot::render::replies;
use pager_questions::{Record, Time};

use super::{Door, seat};
use crate::clock;
use crate::service::{ServiceError, effects};
use crate::store::{JobKind, Write};

/// Under this name the store keeps when a poll was finished last, in RFC 3339; at most half a minute late.
pub const LAST_POLL: &str = "last_poll";
/// How long Telegram keeps a press, in milliseconds.
const PRESSES_KEPT_MILLIS: i64 = 150_000;
/// How often the moment is stored, in milliseconds.
const STORES_EVERY_MILLIS: i64 = 30_000;

/// The last finished poll.
pub(super) struct Outage {
    heard_at: Option<Time>,
    stored_at: Option<Time>,
}

impl Outage {
    /// Begins with what is kept.
    pub(super) async fn kept(door: &Door) -> Self {
        let kept = door.service.store.kept(LAST_POLL).await.ok().flatten();
        let heard_at = kept.and_then(|text| Time::parse(&text));
        Self { heard_at, stored_at: heard_at }
    }

    /// A poll was finished now.
    pub(super) async fn finished(&mut self, door: &Door) {
        let now = clock::now();
        if let Some(since) = self.heard_at.filter(|heard_at| presses_are_lost(*heard_at, now)) {
            tracing::warn!(%since, "Telegram was not heard for so long that it dropped presses");
            if let Err(error) = tell(door, since).await {
                // The moment stays as it is, so the next poll tells.
                tracing::error!(%error, "owners could not be told to press again");
                return;
            }
        }
        self.heard_at = Some(now);
        if self.stored_at.is_none_or(|then| now.as_millis() - then.as_millis() >= STORES_EVERY_MILLIS) {
            let write = Write::Keep { name: LAST_POLL.to_owned(), value: now.to_string() };
            match door.service.store.commit(vec![write]).await {
                Ok(()) => self.stored_at = Some(now),
                Err(error) => tracing::warn!(%error, "it could not be stored when a poll was finished"),
            }
        }
    }
}

fn presses_are_lost(heard_at: Time, now: Time) -> bool {
    now.as_millis() - heard_at.as_millis() > PRESSES_KEPT_MILLIS
}

/// One line in the topic of each open question; the moment in the name makes it one for each outage.
async fn tell(door: &Door, since: Time) -> Result<(), ServiceError> {
    let mut writes = Vec::new();
    for record in seat::everything_open(door).await? {
        if let Some((thread, message)) = stands(door, &record).await? {
            let id = format!("{}-outage-{}", record.question.incarnation, since.as_millis());
            let text = replies::presses_lost(&since.for_people(&door.zone));
            let reply = JobKind::Reply { thread: (thread != 0).then_some(thread), to: Some(message), text };
            writes.push(Write::AddJob(effects::job(id, &record, reply)));
        }
    }
    // Stored with the lines, so that a crash neither loses nor repeats them.
    writes.push(Write::Keep { name: LAST_POLL.to_owned(), value: clock::now().to_string() });
    door.service.store.commit(writes).await?;
    door.service.outbox.notify_one();
    Ok(())
}

async fn stands(door: &Door, record: &Record) -> Result<Option<(i64, i64)>, ServiceError> {
    let places = door.service.store.places(&record.question.incarnation).await?;
    Ok(places.iter().find(|place| place.message != 0).map(|place| (place.thread, place.message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presses_are_lost_after_a_hundred_and_fifty_seconds() {
        let heard = clock::now();
        assert!(!presses_are_lost(heard, heard.plus_millis(150_000)));
        assert!(presses_are_lost(heard, heard.plus_millis(150_001)));
        assert!(!presses_are_lost(heard, heard.plus_millis(-1_000_000)), "a clock that was set back loses nothing");
    }
}
