//! How long something took, sorted into buckets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds in seconds, from one flush to a disk that is in trouble; what took longer is in none of them.
pub(super) const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

/// Durations.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    buckets: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

/// What was observed so far.
pub(super) struct Observed {
    /// For each bound, how many took at most so long.
    pub(super) at_most: [u64; BOUNDS.len()],
    pub(super) count: u64,
    pub(super) seconds: f64,
}

impl Histogram {
    /// One more.
    pub(super) fn observe(&self, took: Duration) {
        if let Some(index) = BOUNDS.iter().position(|bound| took.as_secs_f64() <= *bound) {
            self.buckets[index].fetch_add(1, Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// All of them.
    pub(super) fn observed(&self) -> Observed {
        let mut so_far = 0;
        let at_most = std::array::from_fn(|index| {
            so_far += self.buckets[index].load(Ordering::Relaxed);
            so_far
        });
        // Read after the buckets, so that it is never less than they are.
        let count = self.count.load(Ordering::Relaxed);
        Observed { at_most, count, seconds: Duration::from_micros(self.micros.load(Ordering::Relaxed)).as_secs_f64() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_counts_everything_that_took_no_longer() {
        let histogram = Histogram::default();
        for millis in [1, 4, 4, 700, 60_000] {
            histogram.observe(Duration::from_millis(millis));
        }
        let observed = histogram.observed();
        assert_eq!(observed.at_most, [1, 1, 3, 3, 3, 3, 3, 3, 4, 4]);
        assert_eq!(observed.count, 5);
        assert!((observed.seconds - 60.709).abs() < 0.000_1);
    }
}
