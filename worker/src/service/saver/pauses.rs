//! How long to wait before what is uncertain is written again: doubling and never the same for two, or what the answers
//! repository asks for. The only place that repeats a save.

use std::time::Duration;

use tokio::time::Instant;

/// The pauses: doubling from the first to the last.
pub(super) const FIRST: Duration = Duration::from_millis(500);
pub(super) const LAST: Duration = Duration::from_secs(60);
/// The longest pause that is believed when the repository asks for one: GitHub's budgets begin anew each hour.
const MOST_ASKED: Duration = Duration::from_secs(3600);

/// What the last tries have taught.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    failures: u32,
    began: Option<Instant>,
    until: Option<Instant>,
    /// The repository itself asked for this pause: nobody cuts it short.
    is_asked: bool,
    /// Others of the same batch were decided, so the repository answers: what comes new is not held up.
    is_answering: bool,
}

/// What one batch came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tried {
    /// The longest pause that was asked for.
    pub(super) asked: Option<Duration>,
    /// Some of the batch were decided.
    pub(super) is_answering: bool,
}

impl Pauses {
    /// Everything that was tried is decided.
    pub(super) fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// Something is uncertain. `chance` is between 0 and 1, and takes up to half of the pause away.
    pub(super) fn failed(&mut self, now: Instant, tried: Tried, chance: f64) {
        self.failures = self.failures.saturating_add(1);
        let own = FIRST.saturating_mul(1 << (self.failures - 1).min(10)).min(LAST);
        let pause = match tried.asked {
            Some(asked) => asked.clamp(FIRST, MOST_ASKED),
            None => own.mul_f64(1.0 - chance.clamp(0.0, 1.0) / 2.0),
        };
        self.is_asked = tried.asked.is_some();
        self.is_answering = tried.is_answering;
        self.began = Some(now);
        self.until = Some(now + pause);
    }

    /// Until when nothing is written; None when there is no pause.
    pub(super) fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Somebody found the repository well.
    pub(super) fn found_well(&mut self) {
        if !self.is_asked {
            self.until = self.until.min(self.began.map(|began| began + FIRST));
        }
    }

    /// Something new came.
    pub(super) fn came(&mut self) {
        if self.is_answering {
            self.found_well();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SILENT: Tried = Tried { asked: None, is_answering: false };

    fn pause(pauses: &Pauses, now: Instant) -> Duration {
        pauses.until().map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_double_up_to_a_minute_and_chance_takes_at_most_half() {
        let (now, mut pauses, mut rounds) = (Instant::now(), Pauses::default(), Vec::new());
        for _ in 0..9 {
            pauses.failed(now, SILENT, 0.0);
            rounds.push(pause(&pauses, now).as_millis());
        }
        assert_eq!(rounds, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
        pauses.failed(now, SILENT, 1.0);
        assert_eq!(pause(&pauses, now), LAST / 2);
        pauses.succeeded();
        assert_eq!(pauses.until(), None);
        pauses.failed(now, SILENT, 0.0);
        assert_eq!(pause(&pauses, now), FIRST);
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_repository_asks_for_is_kept_and_not_cut_short() {
        let now = Instant::now();
        for (asked, kept) in [(0, 500), (7_000, 7_000), (90_000, 90_000), (86_400_000, 3_600_000)] {
            let mut pauses = Pauses::default();
            pauses.failed(now, Tried { asked: Some(Duration::from_millis(asked)), is_answering: true }, 0.5);
            pauses.found_well();
            pauses.came();
            assert_eq!(pause(&pauses, now), Duration::from_millis(kept), "{asked}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_of_our_own_ends_early_when_the_repository_is_found_well() {
        let (now, mut pauses) = (Instant::now(), Pauses::default());
        for _ in 0..8 {
            pauses.failed(now, SILENT, 0.0);
        }
        pauses.came();
        assert_eq!(pause(&pauses, now), LAST, "what comes new waits with the others");
        pauses.found_well();
        assert_eq!(pause(&pauses, now), FIRST);
    }

    #[tokio::test(start_paused = true)]
    async fn one_answer_that_stays_uncertain_does_not_hold_up_what_comes_new() {
        let (now, mut pauses) = (Instant::now(), Pauses::default());
        for _ in 0..8 {
            pauses.failed(now, Tried { asked: None, is_answering: true }, 0.0);
        }
        pauses.came();
        assert_eq!(pause(&pauses, now), FIRST);
    }
}
