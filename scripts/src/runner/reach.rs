//! How far back a listing of wakes reaches: `catchup` bounds what happened while no runner ran, and nothing that happened while this
//! one was busy.

use std::time::{Duration, SystemTime};

/// The service catches up no further.
const FURTHEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// How far back the next one reaches.
#[derive(Debug, Clone)]
pub struct Reach {
    catchup: Duration,
    /// When the last one that was answered was asked for.
    listed: Option<SystemTime>,
}

impl Reach {
    /// That of a runner that just started.
    pub fn new(catchup: Duration) -> Self {
        Self { catchup, listed: None }
    }

    /// The time of whoever was not busy, in seconds.
    pub fn catchup(&self) -> u64 {
        self.catchup.as_secs()
    }

    /// In seconds: at least back to the last one. A clock that was set back reaches no less far than `catchup`.
    pub fn seconds(&self, now: SystemTime) -> u64 {
        let away = self.listed.and_then(|listed| now.duration_since(listed).ok());
        let away = away.map_or(Duration::ZERO, |away| away + Duration::from_secs(1));
        self.catchup.max(away).min(FURTHEST).as_secs()
    }

    /// One that was asked for at this moment was answered.
    pub fn was_listed(&mut self, asked: SystemTime) {
        self.listed = Some(asked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_was_busy_reaches_back_to_its_last_listing() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let mut reach = Reach::new(Duration::from_secs(600));
        assert_eq!(reach.seconds(at(10_000)), 600, "at its start it reaches back for its catchup alone");
        reach.was_listed(at(10_000));
        for (now, seconds) in [(10_030, 600), (10_599, 600), (17_200, 7201), (9_000, 600), (90_000_000, 2_592_000)] {
            assert_eq!(reach.seconds(at(now)), seconds, "{now}");
        }
        assert_eq!(reach.catchup(), 600);
    }
}
