//! Slows down guessing: so many failed logins a minute, then every further miss is refused until the minute is over. In memory.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many may fail within [`WITHIN`].
const MOST: usize = 10;
const WITHIN: Duration = Duration::from_secs(60);

/// The failures of the last minute.
#[derive(Default)]
pub struct Attempts {
    failed: Mutex<VecDeque<Instant>>,
}

impl Attempts {
    /// How long every miss is refused; None while it is only counted.
    pub fn pause(&self, now: Instant) -> Option<Duration> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        while failed.front().is_some_and(|first| now.duration_since(*first) >= WITHIN) {
            failed.pop_front();
        }
        let first = failed.front().filter(|_| failed.len() >= MOST)?;
        Some(WITHIN.saturating_sub(now.duration_since(*first)))
    }

    /// Somebody failed.
    pub fn failed(&self, now: Instant) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.len() >= MOST {
            failed.pop_front();
        }
        failed.push_back(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_failures_a_minute_are_enough() {
        let (attempts, start) = (Attempts::default(), Instant::now());
        for second in 0..10 {
            assert_eq!(attempts.pause(start + Duration::from_secs(second)), None);
            attempts.failed(start + Duration::from_secs(second));
        }
        assert_eq!(attempts.pause(start + Duration::from_secs(10)), Some(Duration::from_secs(50)));
        assert_eq!(attempts.pause(start + Duration::from_secs(60)), None);
        attempts.failed(start + Duration::from_secs(60));
        assert_eq!(attempts.pause(start + Duration::from_secs(60)), Some(Duration::from_secs(1)));
    }
}
