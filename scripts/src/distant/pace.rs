//! How often one looks: soon at first, more seldom while nothing happens.

use std::time::Duration;

/// The shortest pause between two looks. Every other pause is a multiple of it.
pub const UNIT: Duration = Duration::from_secs(5);

/// The pauses of one wait.
#[derive(Debug, Clone, Copy)]
pub struct Rhythm {
    unit: Duration,
    pause: Duration,
}

impl Rhythm {
    /// Begins with pauses of one unit.
    pub fn of(unit: Duration) -> Self {
        Self { unit, pause: unit }
    }

    /// The unit, a number of times.
    pub fn times(&self, number: u32) -> Duration {
        self.unit * number
    }

    /// The pause after a look that saw nothing new: a quarter longer each time, up to `longest` units.
    pub fn next(&mut self, longest: u32) -> Duration {
        let pause = self.pause.min(self.times(longest));
        self.pause = (self.pause * 5 / 4).min(self.times(longest));
        pause
    }

    /// Something moved: the pauses begin anew.
    pub fn reset(&mut self) {
        self.pause = self.unit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_five_seconds_to_a_minute_and_begin_anew() {
        let mut rhythm = Rhythm::of(UNIT);
        let pauses: Vec<Duration> = (0..20).map(|_| rhythm.next(12)).collect();
        assert_eq!((pauses[0], pauses[19]), (Duration::from_secs(5), Duration::from_secs(60)));
        assert!(pauses.is_sorted());
        assert_eq!(rhythm.next(2), Duration::from_secs(10));
        rhythm.reset();
        assert_eq!(rhythm.next(12), UNIT);
    }
}
