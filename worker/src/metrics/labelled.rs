//! A counter for each of a few labels. Labels come from code, so there are never many.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

type Counts = BTreeMap<String, BTreeMap<String, u64>>;

/// Counters by one or two labels; the second one is empty where there is one alone.
#[derive(Debug, Default)]
pub(super) struct Labelled {
    counts: Mutex<Counts>,
}

impl Labelled {
    /// One more.
    pub(super) fn count(&self, first: &str, second: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        // Nothing is allocated for labels that were seen before.
        if let Some(count) = counts.get_mut(first).and_then(|counts| counts.get_mut(second)) {
            *count += 1;
        } else {
            counts.entry(first.to_owned()).or_default().insert(second.to_owned(), 1);
        }
    }

    /// All of them, sorted.
    pub(super) fn all(&self) -> Vec<(String, String, u64)> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let flat = counts
            .iter()
            .flat_map(|(first, counts)| counts.iter().map(|(second, count)| (first.clone(), second.clone(), *count)));
        flat.collect()
    }
}
