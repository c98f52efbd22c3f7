//! The line to one repository: one call at a time, writes at GitHub's pace, and no call at all while GitHub wants a pause.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::pace::{Pace, PaceLimits};
use crate::github::{Call, Failure, GitHub, Reply, RepositoryName};

/// How many seconds' worth of spacing a write waits for its turn; when it would be longer, its asker is told.
const WAITS_AT_MOST: u32 = 4;

/// See above.
pub(super) struct Line {
    hub: GitHub,
    repository: RepositoryName,
    pace: Mutex<Pace>,
    turn: tokio::sync::Mutex<()>,
}

impl Line {
    pub(super) fn new(hub: GitHub, repository: RepositoryName, limits: PaceLimits) -> Self {
        Self { hub, repository, pace: Mutex::new(Pace::new(limits)), turn: tokio::sync::Mutex::default() }
    }

    pub(super) fn repository(&self) -> &RepositoryName {
        &self.repository
    }

    /// `/repos/<owner>/<repo>` and this.
    pub(super) fn route(&self, rest: &str) -> String {
        format!("{}{rest}", self.repository.route())
    }

    /// The time between two writes, which other waits are measured in.
    pub(super) fn between(&self) -> Duration {
        self.pace().between()
    }

    /// Reads. Any reply but one of a rate limit is `Ok`.
    pub(super) async fn read(&self, call: Call) -> Result<Reply, Failure> {
        let turn = self.turn.lock().await;
        self.unless_paused()?;
        let reply = self.hub.call(&self.repository, call).await;
        drop(turn);
        self.note(reply)
    }

    /// Writes, once it is time. Any reply of success is `Ok`.
    pub(super) async fn write(&self, call: Call) -> Result<Reply, Failure> {
        let turn = self.turn.lock().await;
        loop {
            self.unless_paused()?;
            let wait = self.pace().wait(Instant::now());
            if wait.is_zero() {
                break;
            }
            self.unless_longer(wait)?;
            tokio::time::sleep(wait).await;
        }
        self.pace().wrote(Instant::now());
        let reply = self.hub.call(&self.repository, call).await;
        drop(turn);
        let reply = self.note(reply)?;
        if reply.is_success() { Ok(reply) } else { Err(reply.failure()) }
    }

    /// Whether so many writes fit into the minute and the hour, for what is only of use when all of it is done.
    pub(super) fn room_for(&self, writes: usize) -> Result<(), Failure> {
        let wait = self.pace().wait_for_room(Instant::now(), writes);
        self.unless_longer(wait)
    }

    fn unless_paused(&self) -> Result<(), Failure> {
        match self.pace().paused(Instant::now()) {
            None => Ok(()),
            Some(pause) => {
                let reason = format!("GitHub asked to be left alone; {} s of that are left", pause.as_secs());
                Err(Failure::Limited { pause, reason })
            }
        }
    }

    fn unless_longer(&self, wait: Duration) -> Result<(), Failure> {
        if wait <= self.between() * WAITS_AT_MOST {
            return Ok(());
        }
        let reason = format!("as much was written as GitHub takes in this time; the next write goes in {} s", wait.as_secs());
        Err(Failure::Limited { pause: wait, reason })
    }

    fn note(&self, reply: Result<Reply, Failure>) -> Result<Reply, Failure> {
        let failure = match reply {
            Ok(reply) if reply.is_success() || reply.is_unchanged() => return Ok(reply),
            Ok(reply) => match reply.failure() {
                limited @ Failure::Limited { .. } => limited,
                Failure::Refused { .. } | Failure::Unknown { .. } => return Ok(reply),
            },
            Err(failure) => failure,
        };
        if let Failure::Limited { pause, .. } = &failure {
            self.pace().pause(Instant::now(), *pause);
        }
        Err(failure)
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
