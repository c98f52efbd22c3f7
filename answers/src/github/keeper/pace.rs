//! GitHub's pace for whoever writes, kept before a call is made: being told off costs more than waiting.
//! Nothing here looks at a clock or waits.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How much may be written in which time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaceLimits {
    /// The least time between two writes.
    pub between: Duration,
    /// The most writes within one [`minute`](Self::minute).
    pub a_minute: usize,
    /// The most writes within one [`hour`](Self::hour).
    pub an_hour: usize,
    /// What counts as a minute.
    pub minute: Duration,
    /// What counts as an hour.
    pub hour: Duration,
}

impl Default for PaceLimits {
    /// What GitHub publishes: a second between writes, 80 a minute, 500 an hour.
    fn default() -> Self {
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        Self { between: Duration::from_secs(1), a_minute: 80, an_hour: 500, minute, hour }
    }
}

impl PaceLimits {
    /// The same with every time divided, for a server whose limits are scaled alike.
    #[must_use]
    pub fn faster(self, times: u32) -> Self {
        let Self { between, minute, hour, .. } = self;
        Self { between: between / times, minute: minute / times, hour: hour / times, ..self }
    }
}

/// What was written when, and until when GitHub wants to be left alone.
#[derive(Debug)]
pub(super) struct Pace {
    limits: PaceLimits,
    written: VecDeque<Instant>,
    paused_until: Option<Instant>,
}

impl Pace {
    pub(super) fn new(limits: PaceLimits) -> Self {
        Self { limits, written: VecDeque::new(), paused_until: None }
    }

    /// How long until the next write may go.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let spacing = self.written.back().map_or(Duration::ZERO, |last| until(*last + self.limits.between, now));
        spacing.max(self.wait_for_room(now, 1))
    }

    /// How long until the minute and the hour have room for so many writes.
    pub(super) fn wait_for_room(&self, now: Instant, writes: usize) -> Duration {
        let PaceLimits { a_minute, an_hour, minute, hour, .. } = self.limits;
        [(a_minute, minute), (an_hour, hour)]
            .into_iter()
            .map(|(most, span)| {
                let over = (self.written.len() + writes.min(most)).checked_sub(most + 1);
                // The writes are in order: once this one is out of the span, all before it are.
                over.and_then(|place| self.written.get(place)).map_or(Duration::ZERO, |write| until(*write + span, now))
            })
            .max()
            .unwrap_or_default()
    }

    /// A write goes out.
    pub(super) fn wrote(&mut self, now: Instant) {
        self.written.push_back(now);
        if self.written.len() > self.limits.an_hour.max(self.limits.a_minute) {
            self.written.pop_front();
        }
    }

    /// GitHub wants no call for so long.
    pub(super) fn pause(&mut self, now: Instant, pause: Duration) {
        let end = now + pause.min(LONGEST_PAUSE);
        self.paused_until = self.paused_until.max(Some(end));
    }

    /// How long it still wants none.
    pub(super) fn paused(&self, now: Instant) -> Option<Duration> {
        self.paused_until.map(|end| until(end, now)).filter(|left| !left.is_zero())
    }

    pub(super) fn between(&self) -> Duration {
        self.limits.between
    }
}

/// GitHub's own limits are by the hour; more than a day is a mistake, and may not silence the keeper for ever.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 3600);

fn until(end: Instant, now: Instant) -> Duration {
    end.saturating_duration_since(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Writes as soon as it may, and says when each write went.
    fn as_fast_as_may_be(writes: usize) -> Vec<Duration> {
        let start = Instant::now();
        let (mut pace, mut now) = (Pace::new(PaceLimits::default()), start);
        (0..writes)
            .map(|_| {
                now += pace.wait(now);
                pace.wrote(now);
                now - start
            })
            .collect()
    }

    #[test]
    fn the_first_write_goes_at_once_and_the_next_a_second_later() {
        assert_eq!(as_fast_as_may_be(3), [Duration::ZERO, SECOND, 2 * SECOND]);
    }

    #[test]
    fn no_minute_has_more_than_80_writes_and_no_hour_more_than_500() {
        let gone = as_fast_as_may_be(1200);
        for (most, span) in [(80, 60 * SECOND), (500, 3600 * SECOND)] {
            for window in gone.windows(most + 1) {
                assert!(window[most] - window[0] >= span, "{most} in less than {span:?}");
            }
        }
        assert_eq!(gone[500], 3600 * SECOND, "the hour's end is used at once");
    }

    #[test]
    fn a_pace_with_shorter_seconds_keeps_its_own_minute() {
        let limits = PaceLimits { between: Duration::ZERO, a_minute: 2, ..PaceLimits::default().faster(60) };
        let now = Instant::now();
        let mut pace = Pace::new(limits);
        pace.wrote(now);
        assert_eq!(pace.wait(now), Duration::ZERO);
        assert_eq!(pace.wait_for_room(now, 2), SECOND);
        pace.wrote(now);
        assert_eq!(pace.wait(now), SECOND);
        assert_eq!(pace.wait(now + SECOND), Duration::ZERO);
    }

    #[test]
    fn a_pause_ends_and_a_shorter_one_does_not_shorten_it() {
        let now = Instant::now();
        let mut pace = Pace::new(PaceLimits::default());
        assert_eq!(pace.paused(now), None);
        pace.pause(now, 30 * SECOND);
        pace.pause(now, SECOND);
        assert_eq!(pace.paused(now), Some(30 * SECOND));
        assert_eq!(pace.paused(now + 30 * SECOND), None);
        pace.pause(now, Duration::MAX);
        assert_eq!(pace.paused(now), Some(LONGEST_PAUSE));
    }
}
