//! Doing a request again when the service cannot be reached: only what can be repeated without doing it twice.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use pager_questions::Time;

use crate::client::{Call, Client, Reply, Unreachable};
use crate::failure::Failure;

/// How long a write is tried.
pub const WRITE_PATIENCE: Duration = Duration::from_secs(10);

const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);

/// Pauses that grow from 50 ms to 5 s, each a little different so that many agents do not come back at once.
#[derive(Debug)]
pub struct Backoff(Duration);

impl Backoff {
    /// From the shortest.
    pub fn new() -> Self {
        Self(SHORTEST)
    }

    /// The next pause.
    pub fn pause(&mut self) -> Duration {
        let pause = self.0;
        self.0 = (pause * 2).min(LONGEST);
        let chance = getrandom::u32().unwrap_or(0) % 256;
        (pause * (192 + chance) / 256).min(LONGEST)
    }
}

/// Sends a write that the service recognises when it comes twice, until there is a reply or [`WRITE_PATIENCE`] is over.
/// `pause` returns false to stop.
///
/// # Errors
/// The last [`Unreachable`]. Then it is not known whether the write arrived.
pub fn write(client: &Client, call: &Call, pause: &mut dyn FnMut(Duration) -> bool) -> Result<Reply, Unreachable> {
    let end = Instant::now() + WRITE_PATIENCE;
    let mut backoff = Backoff::new();
    loop {
        let reply = client.send(call);
        let passing = reply.as_ref().map_or(true, Reply::is_passing);
        let wait = backoff.pause();
        if !passing || Instant::now() + wait >= end || !pause(wait) {
            return reply;
        }
    }
}

/// A pause that nothing ends early.
pub fn sleep(duration: Duration) -> bool {
    std::thread::sleep(duration);
    true
}

/// Random bytes of the system.
pub fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Random hex digits, two for each byte.
pub fn random_hex<const N: usize>() -> Result<String, getrandom::Error> {
    Ok(random::<N>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A name that nobody used before, for one act that may have to be repeated.
///
/// # Errors
/// When the system gives no random bytes.
pub fn key() -> Result<String, Failure> {
    let random = random_hex::<16>().map_err(|error| Failure::failed(format!("the system gives no random bytes: {error}")))?;
    Ok(format!("ask-{random}"))
}

/// The time by this machine's clock.
pub fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_fifty_milliseconds_to_five_seconds() {
        let mut backoff = Backoff::new();
        let pauses: Vec<Duration> = (0..12).map(|_| backoff.pause()).collect();
        assert!(pauses[0] >= SHORTEST * 3 / 4 && pauses[0] <= SHORTEST * 2, "{pauses:?}");
        assert!(pauses[11] >= LONGEST * 3 / 4 && pauses[11] <= LONGEST, "{pauses:?}");
    }
}
