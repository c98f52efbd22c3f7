//! The one place where a test waits: it looks again and again until there is something to see.

use std::time::{Duration, Instant};

/// How long a test waits when nothing else is said.
pub const PATIENCE: Duration = Duration::from_secs(25);
const LOOKS_EVERY: Duration = Duration::from_millis(15);

/// Waits until `look` finds something.
///
/// Panics when that takes longer than [`PATIENCE`].
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Option<T>) -> T {
    within(PATIENCE, what, look).await
}

/// The same with a patience of its own.
pub async fn within<T>(patience: Duration, what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(began.elapsed() < patience, "waited {patience:?} in vain: {what}");
        a_moment().await;
    }
}

/// The pause between two looks.
pub async fn a_moment() {
    tokio::time::sleep(LOOKS_EVERY).await;
}
