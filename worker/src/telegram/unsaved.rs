//! A long outage of the answers repository: once answers have waited for a minute the owner gets one line about it, and one
//! more when none waits any more. A short outage is told nowhere but in the topics of the questions that it concerns.

use std::time::Duration;

use pager_bot::render::replies;
use pager_questions::Time;

use super::Door;
use crate::clock;
use crate::service::{ServiceError, Trouble, Unsaved, effects};
use crate::store::{JobKind, Write};

/// Under this name the store keeps since when the outage lasts that the owner was told of; empty without one.
const TOLD: &str = "unsaved";
/// How long answers wait before the owner is told, in milliseconds.
const TOLD_AFTER_MILLIS: i64 = 60_000;
/// How often it is looked whether the last outcome is stored.
const LOOKS_EVERY: Duration = Duration::from_secs(1);

/// What is to be done about the line.
#[derive(Debug, PartialEq, Eq)]
enum Act {
    Nothing,
    /// Look again at that moment, when nothing changes before.
    LookAt(Time),
    /// This outage is long enough.
    Tell(Trouble),
    /// The outage that was told of is over, as far as the saver knows.
    TellEnd,
}

impl Act {
    fn due(unsaved: &Unsaved, was_told: bool, now: Time, after: i64) -> Self {
        match &unsaved.trouble {
            Some(trouble) if unsaved.waiting > 0 && !was_told => {
                let due = trouble.since.plus_millis(after);
                if now >= due { Self::Tell(trouble.clone()) } else { Self::LookAt(due) }
            }
            None if unsaved.waiting == 0 && was_told => Self::TellEnd,
            Some(_) | None => Self::Nothing,
        }
    }
}

/// Tells for as long as the door is open.
pub(super) async fn run(door: &Door) {
    let mut changes = door.service.saving.watch();
    loop {
        let unsaved = changes.borrow_and_update().clone();
        let again = step(door, &unsaved).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "owners could not be told how saving goes; it is tried again");
            Some(LOOKS_EVERY)
        });
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = pause(again) => {}
        }
    }
}

/// Gives back after how long it is worth looking again, when nothing changes before.
async fn step(door: &Door, unsaved: &Unsaved) -> Result<Option<Duration>, ServiceError> {
    let store = &door.service.store;
    let was_told = store.kept(TOLD).await?.is_some_and(|since| !since.is_empty());
    let now = clock::now();
    match Act::due(unsaved, was_told, now, told_after()) {
        Act::Nothing => Ok(None),
        Act::LookAt(due) => {
            let millis = due.as_millis().saturating_sub(now.as_millis());
            Ok(Some(Duration::from_millis(millis.try_into().unwrap_or_default())))
        }
        Act::Tell(trouble) => {
            let text = replies::answers_wait(unsaved.waiting, &trouble.since.for_people(&door.zone), &trouble.reason);
            say(door, format!("unsaved-{}", trouble.since.as_millis()), text, trouble.since.to_string()).await
        }
        // The store has the last word: nobody is told before the outcomes are in it.
        Act::TellEnd if !store.answering().await?.is_empty() => Ok(Some(LOOKS_EVERY)),
        Act::TellEnd => say(door, format!("saved-{}", now.as_millis()), replies::no_answer_waits(), String::new()).await,
    }
}

/// The line and what is kept of it are stored together, so that a crash neither loses nor repeats it.
async fn say(door: &Door, id: String, text: String, told: String) -> Result<Option<Duration>, ServiceError> {
    let kind = JobKind::Say { chat: door.seat.chat_id, thread: None, to: None, text };
    let writes = vec![Write::AddJob(effects::job_about_none(id, kind)), Write::Keep { name: TOLD.to_owned(), value: told }];
    door.service.store.commit(writes).await?;
    door.service.outbox.notify_one();
    Ok(None)
}

async fn pause(again: Option<Duration>) {
    match again {
        Some(again) => tokio::time::sleep(again).await,
        None => std::future::pending().await,
    }
}

#[cfg(debug_assertions)]
fn told_after() -> i64 {
    let millis = std::env::var("PAGER_OUTAGE_TOLD_MILLIS").ok().and_then(|millis| millis.parse().ok());
    millis.unwrap_or(TOLD_AFTER_MILLIS)
}

#[cfg(not(debug_assertions))]
fn told_after() -> i64 {
    TOLD_AFTER_MILLIS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_told_once_when_it_is_long_and_its_end_only_after_that() {
        let since = clock::now();
        let trouble = Trouble { since, reason: "no route".to_owned() };
        let act = |waiting, trouble: Option<&Trouble>, was_told, after: i64| {
            let unsaved = Unsaved { waiting, trouble: trouble.cloned() };
            Act::due(&unsaved, was_told, since.plus_millis(after), TOLD_AFTER_MILLIS)
        };
        let due = since.plus_millis(TOLD_AFTER_MILLIS);
        assert_eq!(act(3, None, false, 1), Act::Nothing, "answers that are on their way");
        assert_eq!(act(3, Some(&trouble), false, 59_999), Act::LookAt(due));
        assert_eq!(act(3, Some(&trouble), false, 60_000), Act::Tell(trouble.clone()));
        assert_eq!(act(3, Some(&trouble), true, 9_000_000), Act::Nothing, "once");
        assert_eq!(act(0, Some(&trouble), false, 60_000), Act::Nothing, "nothing waits for it");
        assert_eq!(act(2, None, true, 60_000), Act::Nothing, "it goes on, and the last ones are on their way");
        assert_eq!(act(0, None, true, 60_000), Act::TellEnd);
        assert_eq!(act(0, None, false, 60_000), Act::Nothing, "nobody was told of it");
    }
}
