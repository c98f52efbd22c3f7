//! The only reader of the clock. In tests of this crate it can be held, and then goes as tokio's clock does.

#[cfg(not(test))]
use pager_questions::Time;

/// Now.
#[cfg(not(test))]
pub fn now() -> Time {
    jiff::Timestamp::now().into()
}

#[cfg(test)]
pub use held::now;

/// A clock that tests set. Each test has a thread of its own, so none disturbs another.
#[cfg(test)]
pub mod held {
    use std::cell::Cell;

    use pager_questions::Time;
    use tokio::time::Instant;

    thread_local! {
        static SET: Cell<Option<(Time, Instant)>> = const { Cell::new(None) };
    }

    /// The moment that was set, and what went by since on tokio's clock; the real time while none was set.
    pub fn now() -> Time {
        SET.get().map_or_else(
            || jiff::Timestamp::now().into(),
            |(moment, since)| moment.plus_millis(i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX)),
        )
    }

    /// Sets the clock of this thread, as somebody who sets a machine's.
    pub fn set(moment: Time) {
        SET.set(Some((moment, Instant::now())));
    }

    /// Sets it forward by so many milliseconds, or back.
    pub fn jump(millis: i64) {
        set(now().plus_millis(millis));
    }
}
