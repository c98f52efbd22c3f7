//! How long somebody waits. It is the caller's own: it changes no record.

use std::time::{Duration, Instant};

/// Longest time that one request is held. Short enough for the proxies that cut a silent connection after a minute.
const LONGEST_HOLD: Duration = Duration::from_secs(55);

/// A patience that may have an end.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    started: Instant,
    end: Option<Instant>,
}

impl Patience {
    /// Starts; zero is without end.
    pub fn of(duration: Duration) -> Self {
        let started = Instant::now();
        let end = if duration.is_zero() { None } else { started.checked_add(duration) };
        Self { started, end }
    }

    /// Starts, and lasts as long as this: zero is over at once.
    pub fn lasting(duration: Duration) -> Self {
        let started = Instant::now();
        Self { started, end: started.checked_add(duration) }
    }

    /// When it ends.
    pub fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Has it ended?
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| end <= Instant::now())
    }

    /// How long it has lasted.
    pub fn waited(&self) -> Duration {
        self.started.elapsed()
    }

    /// For how many seconds the next request is to be held: at least 1.
    pub fn hold(&self, most: Option<Duration>) -> u64 {
        let most = most.unwrap_or(LONGEST_HOLD);
        let left = self.end.map_or(most, |end| end.saturating_duration_since(Instant::now()).min(most));
        left.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_held_no_longer_than_patience_lasts() {
        assert_eq!(Patience::of(Duration::ZERO).hold(None), 55);
        assert_eq!(Patience::of(Duration::from_secs(3600)).hold(None), 55);
        assert_eq!(Patience::of(Duration::from_secs(3)).hold(None), 3);
        assert_eq!(Patience::of(Duration::from_secs(3600)).hold(Some(Duration::from_secs(2))), 2);
        assert_eq!(Patience::of(Duration::from_nanos(1)).hold(None), 1);
    }

    #[test]
    fn without_an_end_it_is_never_over() {
        assert!(!Patience::of(Duration::ZERO).is_over());
        assert!(!Patience::of(Duration::MAX).is_over());
    }
}
