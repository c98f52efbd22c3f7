//! Waits for a condition, and fails when it does not come about.

use std::thread;
use std::time::{Duration, Instant};

pub fn some<T>(look: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "it does not come about");
        thread::park_timeout(Duration::from_millis(10));
    }
}

pub fn holds(condition: impl Fn() -> bool) {
    some(|| condition().then_some(()));
}
