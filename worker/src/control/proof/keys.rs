//! The issuer's keys, kept in memory. A key that is not known lets them be fetched anew, at most once a minute: else anybody
//! could make us ask the issuer as often as they like.

use std::collections::HashMap;
use std::sync::{Arc, Mutex as Plain, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use jsonwebtoken::DecodingKey;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The least time between two fetches, whatever came of them.
const PAUSE: Duration = Duration::from_secs(60);
/// After this long they are fetched anew, so that one that was withdrawn does not count for ever.
const STALE_AFTER: Duration = Duration::from_secs(60 * 60);

/// Keys by their ids.
pub(super) type KeyMap = HashMap<String, Arc<DecodingKey>>;

/// Where keys come from.
#[async_trait]
pub(super) trait KeySource: Send + Sync {
    /// All keys of the issuer that sign with RS256. An error tells what happened, for people.
    async fn fetch(&self) -> Result<KeyMap, String>;
}

/// Why there is no key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoKey {
    /// The issuer has none of this id.
    Unknown,
    /// Those that were fetched last have none of this id, and it is too early to fetch them anew.
    TooEarly,
    /// The issuer could not be asked.
    Unreachable(String),
}

/// See above.
pub(super) struct Keys {
    source: Box<dyn KeySource>,
    known: Plain<Known>,
    /// Held while they are fetched. Whoever has a known key does not wait for that.
    fetching: Mutex<()>,
}

#[derive(Default)]
struct Known {
    keys: KeyMap,
    /// When they were fetched.
    since: Option<Instant>,
    /// When that was tried last, and what went wrong then.
    tried: Option<(Instant, Option<String>)>,
}

impl Keys {
    pub(super) fn of(source: impl KeySource + 'static) -> Self {
        Self { source: Box::new(source), known: Plain::default(), fetching: Mutex::default() }
    }

    /// The key of this id, at this moment.
    pub(super) async fn key(&self, id: &str, now: Instant) -> Result<Arc<DecodingKey>, NoKey> {
        if let Some(key) = self.fresh(id, now) {
            return Ok(key);
        }
        let _fetching = self.fetching.lock().await;
        if let Some(key) = self.fresh(id, now) {
            return Ok(key);
        }
        let may_ask = self.known().tried.as_ref().is_none_or(|(at, _)| now.saturating_duration_since(*at) >= PAUSE);
        if may_ask {
            let fetched = self.source.fetch().await;
            let mut known = self.known();
            known.tried = Some((now, fetched.as_ref().err().cloned()));
            if let Ok(keys) = fetched {
                known.keys = keys;
                known.since = Some(now);
            }
        }
        let known = self.known();
        match (known.keys.get(id), &known.tried) {
            (Some(key), _) => Ok(key.clone()),
            (None, Some((_, Some(trouble)))) => Err(NoKey::Unreachable(trouble.clone())),
            (None, _) if !may_ask => Err(NoKey::TooEarly),
            (None, _) => Err(NoKey::Unknown),
        }
    }

    fn fresh(&self, id: &str, now: Instant) -> Option<Arc<DecodingKey>> {
        let known = self.known();
        let is_fresh = known.since.is_some_and(|since| now.saturating_duration_since(since) < STALE_AFTER);
        known.keys.get(id).filter(|_| is_fresh).cloned()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;

    #[derive(Default)]
    struct Issuer {
        keys: Plain<Vec<&'static str>>,
        is_away: Plain<bool>,
        /// Held here: a fetch does not end before.
        hangs: Plain<Option<Arc<Notify>>>,
        asked: AtomicUsize,
    }

    struct Source(Arc<Issuer>);

    #[async_trait]
    impl KeySource for Source {
        async fn fetch(&self) -> Result<KeyMap, String> {
            self.0.asked.fetch_add(1, Ordering::SeqCst);
            let hangs = self.0.hangs.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(hangs) = hangs {
                hangs.notified().await;
            }
            if *self.0.is_away.lock().unwrap_or_else(PoisonError::into_inner) {
                return Err("it does not answer".to_owned());
            }
            let keys = self.0.keys.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(keys.iter().map(|id| ((*id).to_owned(), Arc::new(DecodingKey::from_secret(b"x")))).collect())
        }
    }

    impl Issuer {
        fn with(keys: &[&'static str]) -> (Arc<Self>, Keys) {
            let issuer = Arc::new(Self::default());
            issuer.has(keys);
            (issuer.clone(), Keys::of(Source(issuer)))
        }

        fn has(&self, keys: &[&'static str]) {
            *self.keys.lock().unwrap_or_else(PoisonError::into_inner) = keys.to_vec();
        }

        fn is_away(&self, away: bool) {
            *self.is_away.lock().unwrap_or_else(PoisonError::into_inner) = away;
        }

        fn asked(&self) -> usize {
            self.asked.load(Ordering::SeqCst)
        }
    }

    /// What comes of asking for a key at this moment.
    async fn outcome(keys: &Keys, id: &str, at: Instant) -> Result<(), NoKey> {
        keys.key(id, at).await.map(|_| ())
    }

    #[tokio::test]
    async fn an_unknown_key_asks_the_issuer_once_a_minute() {
        let (issuer, keys) = Issuer::with(&["one"]);
        let mut now = Instant::now();
        assert_eq!(outcome(&keys, "one", now).await, Ok(()));
        for _ in 0..100 {
            assert_eq!(outcome(&keys, "forged", now).await, Err(NoKey::TooEarly), "it may be a new one");
            assert_eq!(outcome(&keys, "one", now).await, Ok(()));
        }
        assert_eq!(issuer.asked(), 1);
        issuer.has(&["one", "two"]);
        now += PAUSE;
        assert_eq!(outcome(&keys, "two", now).await, Ok(()));
        assert_eq!(issuer.asked(), 2);
        now += PAUSE;
        assert_eq!(outcome(&keys, "forged", now).await, Err(NoKey::Unknown));
    }

    #[tokio::test]
    async fn a_known_key_does_not_wait_while_a_stranger_s_is_looked_for() {
        let (issuer, keys) = Issuer::with(&["one"]);
        let mut now = Instant::now();
        assert_eq!(outcome(&keys, "one", now).await, Ok(()));
        let held = Arc::new(Notify::new());
        *issuer.hangs.lock().unwrap_or_else(PoisonError::into_inner) = Some(held.clone());
        now += PAUSE;
        let known_meanwhile = async {
            assert_eq!(outcome(&keys, "one", now).await, Ok(()));
            assert_eq!(issuer.asked(), 2, "the fetch is under way");
            held.notify_one();
        };
        let (forged, ()) = tokio::join!(outcome(&keys, "forged", now), known_meanwhile);
        assert_eq!(forged, Err(NoKey::Unknown));
    }

    #[tokio::test]
    async fn an_issuer_that_is_away_is_told_from_a_key_that_it_lacks() {
        let (issuer, keys) = Issuer::with(&["one"]);
        let mut now = Instant::now();
        issuer.is_away(true);
        let away = Err(NoKey::Unreachable("it does not answer".to_owned()));
        assert_eq!(outcome(&keys, "one", now).await, away);
        issuer.is_away(false);
        assert_eq!(outcome(&keys, "one", now).await, away, "not asked again within the minute");
        assert_eq!(issuer.asked(), 1);
        now += PAUSE;
        assert_eq!(outcome(&keys, "one", now).await, Ok(()));
    }

    #[tokio::test]
    async fn a_key_that_was_withdrawn_counts_for_an_hour_at_most_while_the_issuer_can_be_asked() {
        let (issuer, keys) = Issuer::with(&["one"]);
        let mut now = Instant::now();
        assert_eq!(outcome(&keys, "one", now).await, Ok(()));
        issuer.is_away(true);
        now += STALE_AFTER;
        assert_eq!(outcome(&keys, "one", now).await, Ok(()), "what is known still counts");
        issuer.is_away(false);
        issuer.has(&["two"]);
        now += PAUSE;
        assert_eq!(outcome(&keys, "one", now).await, Err(NoKey::Unknown));
    }
}
