//! What is wrong with pagerd at the moment, by part. Parts report; `/readyz` tells.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The parts that are not well, each with the reason.
#[derive(Debug, Default)]
pub struct Health {
    troubles: Mutex<BTreeMap<&'static str, String>>,
}

impl Health {
    /// This part is not well. The reason goes to operators: no secrets, no texts of people.
    pub fn trouble(&self, part: &'static str, reason: impl Into<String>) {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).insert(part, reason.into());
    }

    /// This part is well again.
    pub fn well(&self, part: &'static str) {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).remove(part);
    }

    /// Is this part well, as far as is known?
    pub fn is_well(&self, part: &'static str) -> bool {
        !self.troubles.lock().unwrap_or_else(PoisonError::into_inner).contains_key(part)
    }

    /// `part: reason` for each that is not well.
    pub fn degraded(&self) -> Vec<String> {
        let troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        troubles.iter().map(|(part, reason)| format!("{part}: {reason}")).collect()
    }
}
