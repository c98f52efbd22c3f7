//! The budget of one chat: how much may be written and when. Pure; time is an argument, in milliseconds.
//!
//! A token bucket: it holds one minute's budget and fills evenly. A quarter is kept for outcomes, a half from cosmetics.

use std::time::Duration;

/// One call's worth, in the unit in which a budget of n calls a minute grows by n each millisecond.
const CALL: u64 = 60_000;

/// What a call is for, most important first. Answers to presses are outside the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The outcome of an answer: edit, thanks, regret.
    Outcome,
    /// A new question: its topic, its message, its document.
    Question,
    /// A reply to the owner.
    Note,
    /// News of an agent.
    Update,
    /// Icons and the like. Given up rather than delay anything.
    Cosmetic,
}

/// The budget of one chat.
#[derive(Debug, Clone)]
pub struct Budget {
    per_minute: u64,
    filled: u64,
    counted_at: i64,
    paused_until: Option<i64>,
}

impl Budget {
    /// A full budget of this many calls a minute (at least one), from `now` in milliseconds.
    pub fn new(per_minute: u32, now: i64) -> Self {
        let per_minute = u64::from(per_minute.max(1));
        Self { per_minute, filled: per_minute * CALL, counted_at: now, paused_until: None }
    }

    /// Takes room for one call.
    ///
    /// # Errors
    /// The milliseconds to wait before it is worth asking again; at least 1.
    pub fn take(&mut self, class: Class, now: i64) -> Result<(), u64> {
        self.fill(now);
        if let Some(until) = self.paused_until {
            return Err(until.abs_diff(now));
        }
        let needed = CALL + self.kept_from(class);
        if self.filled < needed {
            return Err((needed - self.filled).div_ceil(self.per_minute));
        }
        self.filled -= CALL;
        Ok(())
    }

    /// Telegram asked to wait: nothing is sent to this chat until then. What is left afterwards is what outcomes need.
    pub fn pause(&mut self, retry_after: Duration, now: i64) {
        self.fill(now);
        let wait = i64::try_from(retry_after.as_millis()).unwrap_or(i64::MAX).max(1);
        let until = now.saturating_add(wait).max(self.paused_until.unwrap_or(i64::MIN));
        self.filled = self.filled.min(self.kept_from(Class::Question));
        self.paused_until = Some(until);
    }

    /// Until when nothing is sent, in milliseconds; it may have passed when nothing was asked for since.
    pub fn paused_until(&self) -> Option<i64> {
        self.paused_until
    }

    /// Is there room for this class right now? Cosmetics are given up when there is none.
    pub fn has_room(&self, class: Class, now: i64) -> bool {
        self.clone().take(class, now).is_ok()
    }

    fn fill(&mut self, now: i64) {
        let from = match self.paused_until {
            Some(until) if now < until => return,
            Some(until) => {
                self.paused_until = None;
                until.max(self.counted_at)
            }
            None => self.counted_at,
        };
        let passed = u64::try_from(now.saturating_sub(from)).unwrap_or(0);
        self.filled = self.filled.saturating_add(passed.saturating_mul(self.per_minute)).min(self.per_minute * CALL);
        // A clock that was set back gives nothing away and takes nothing: counting goes on from there.
        self.counted_at = now;
    }

    fn kept_from(&self, class: Class) -> u64 {
        match class {
            Class::Outcome => 0,
            Class::Question | Class::Note | Class::Update => (self.per_minute / 4) * CALL,
            Class::Cosmetic => (self.per_minute / 2) * CALL,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CLASSES: [Class; 5] = [Class::Outcome, Class::Question, Class::Note, Class::Update, Class::Cosmetic];

    fn taken_at_once(budget: &mut Budget, class: Class, now: i64) -> usize {
        (0..1000).take_while(|_| budget.take(class, now).is_ok()).count()
    }

    #[test]
    fn a_burst_is_one_minutes_budget_and_a_quarter_is_kept_for_outcomes() {
        let mut budget = Budget::new(20, 0);
        assert_eq!(taken_at_once(&mut budget, Class::Cosmetic, 0), 10);
        assert_eq!(taken_at_once(&mut budget, Class::Question, 0), 5);
        assert_eq!(taken_at_once(&mut budget, Class::Outcome, 0), 5);
    }

    #[test]
    fn the_wait_is_exact() {
        let mut budget = Budget::new(20, 0);
        taken_at_once(&mut budget, Class::Outcome, 0);
        assert_eq!(budget.take(Class::Outcome, 0), Err(3000));
        assert_eq!(budget.take(Class::Outcome, 2999), Err(1));
        assert_eq!(budget.take(Class::Outcome, 3000), Ok(()));
        assert_eq!(budget.take(Class::Question, 3000), Err(18_000));
    }

    #[test]
    fn while_telegram_asks_to_wait_nothing_goes_out_and_then_outcomes_go_first() {
        let mut budget = Budget::new(20, 0);
        budget.pause(Duration::from_secs(137), 1000);
        budget.pause(Duration::from_secs(10), 2000);
        assert_eq!(budget.paused_until(), Some(138_000));
        assert_eq!(budget.take(Class::Outcome, 2000), Err(136_000));
        assert_eq!(budget.take(Class::Outcome, 137_999), Err(1));
        assert!(budget.take(Class::Question, 138_000).is_err());
        assert_eq!(taken_at_once(&mut budget, Class::Outcome, 138_000), 5);
        assert_eq!(budget.paused_until(), None);
    }

    #[test]
    fn the_smallest_budget_still_lets_everything_through() {
        for per_minute in [0, 1, 2, 3] {
            for class in CLASSES {
                let mut budget = Budget::new(per_minute, 0);
                taken_at_once(&mut budget, Class::Outcome, 0);
                assert!(budget.has_room(class, 60_000), "{class:?} of {per_minute}");
            }
        }
    }

    #[test]
    fn a_clock_that_is_set_back_blocks_nothing() {
        let mut budget = Budget::new(20, 1_000_000);
        taken_at_once(&mut budget, Class::Outcome, 1_000_000);
        assert_eq!(budget.take(Class::Outcome, 0), Err(3000));
        assert_eq!(budget.take(Class::Outcome, 3000), Ok(()));
    }

    proptest! {
        #[test]
        fn no_minute_sees_more_than_the_burst_and_what_grew_in_it(
            per_minute in 1u32..60,
            steps in prop::collection::vec((0usize..5, 0i64..5000), 1..400),
        ) {
            let mut budget = Budget::new(per_minute, 0);
            let (mut now, mut taken) = (0i64, Vec::new());
            for (class, step) in steps {
                now += step;
                if let Err(wait) = budget.take(CLASSES[class], now) {
                    prop_assert!(wait >= 1);
                    let mut later = budget.clone();
                    prop_assert!(later.take(CLASSES[class], now + i64::try_from(wait).unwrap_or(i64::MAX)).is_ok());
                } else {
                    taken.push(now);
                }
            }
            for (index, from) in taken.iter().enumerate() {
                let within = taken[index..].iter().take_while(|at| *at - from < 60_000).count();
                prop_assert!(within <= 2 * per_minute as usize, "{within} in a minute");
            }
        }

        #[test]
        fn outcomes_find_their_quarter_whatever_else_was_sent(
            per_minute in 1u32..60,
            steps in prop::collection::vec((1usize..5, 0i64..5000), 0..200),
        ) {
            let mut budget = Budget::new(per_minute, 0);
            let mut now = 0;
            for (class, step) in steps {
                now += step;
                let _ = budget.take(CLASSES[class], now);
            }
            prop_assert!(taken_at_once(&mut budget, Class::Outcome, now) >= per_minute as usize / 4);
        }
    }
}
