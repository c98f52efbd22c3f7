//! One client's stream: it takes from the feed, or from the store in pages when it is behind, and holds only a few events.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream::unfold;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::feed::{Feed, Next};
use super::frame::{self, Frame};
use super::position;
use super::right::Right;
use crate::service::Service;
use crate::store::{Mark, Stored};

/// How often a comment is sent, so that nobody between takes the connection for dead.
const BEATS_EVERY: Duration = Duration::from_secs(15);
/// How many entries are read from the store at a time.
const PAGE: u32 = 32;

/// A client that listens. Dropping it leaves nothing behind.
pub struct Listening {
    service: Arc<Service>,
    feed: Arc<Feed>,
    news: watch::Receiver<i64>,
    right: Arc<Right>,
    /// Returns when the right to listen is over.
    over: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// How far it is.
    at: Mark,
    /// How far the client knows that it is.
    told: Mark,
    /// What is to be sent first.
    first: Option<Bytes>,
    waiting: VecDeque<Arc<Frame>>,
    beat: Interval,
}

impl Listening {
    /// Begins after this place, or now. What happens from here on is heard: it listens before it looks.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn begin(service: &Arc<Service>, feed: Arc<Feed>, right: Right, after: Option<&str>) -> Stored<Self> {
        let news = feed.listen();
        let store = service.store.as_ref();
        let asked = after.map(position::read);
        let known = match asked {
            Some(Some(mark)) if store.remembers(mark).await? => Some(mark),
            Some(_) | None => None,
        };
        let at = match known {
            Some(mark) => mark,
            None => store.last_happened().await?,
        };
        let first = if known.is_none() && asked.is_some() { frame::reset(at) } else { frame::beginning(at) };
        let mut beat = interval_at(Instant::now() + beats_every(), beats_every());
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (service, right) = (service.clone(), Arc::new(right));
        let over = Box::pin({
            let (service, right) = (service.clone(), right.clone());
            async move { right.until_over(&service).await }
        });
        Ok(Self { service, feed, news, right, over, at, told: at, first: Some(first), waiting: VecDeque::new(), beat })
    }

    /// As the body of a reply.
    pub fn into_body(self) -> Body {
        Body::from_stream(unfold(self, async |mut listening| {
            let bytes = listening.next().await?;
            Some((Ok::<_, Infallible>(bytes), listening))
        }))
    }

    /// What is sent next; None at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            while let Some(frame) = self.waiting.pop_front() {
                self.at = frame.mark;
                if self.right.hears(&frame) {
                    self.told = frame.mark;
                    return self.as_long_as_it_may(frame.bytes.clone()).await;
                }
            }
            match self.feed.after(self.at.number) {
                Next::Frames(frames) => {
                    self.waiting.extend(frames);
                    continue;
                }
                Next::Nothing => {}
                Next::Elsewhere => match self.read().await {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => {
                        tracing::warn!(%error, "what happened could not be read for a client; its stream ends");
                        return None;
                    }
                },
            }
            tokio::select! {
                biased;
                () = self.service.ending.cancelled() => return None,
                () = &mut self.over => return None,
                changed = self.news.changed() => changed.ok()?,
                _ = self.beat.tick() => {
                    let passed = (self.told != self.at).then_some(self.at);
                    self.told = self.at;
                    return Some(frame::beat(passed));
                }
            }
        }
    }

    /// Looks at the right once more right before something is sent.
    async fn as_long_as_it_may(&mut self, bytes: Bytes) -> Option<Bytes> {
        tokio::select! {
            biased;
            () = self.service.ending.cancelled() => None,
            () = &mut self.over => None,
            () = std::future::ready(()) => Some(bytes),
        }
    }

    /// Reads a page from the store: whether there was anything. Whose right is over gets an end instead.
    async fn read(&mut self) -> Stored<bool> {
        let page = self.service.store.happened_after(self.at.number, PAGE).await?;
        if !page.is_empty() && !self.right.stands(self.service.store.as_ref()).await? {
            self.over = Box::pin(std::future::ready(()));
            return Ok(false);
        }
        self.waiting.extend(page.iter().map(|happened| Arc::new(Frame::of(happened))));
        Ok(!page.is_empty())
    }
}

#[cfg(not(debug_assertions))]
fn beats_every() -> Duration {
    BEATS_EVERY
}

/// Tests shorten it.
#[cfg(debug_assertions)]
fn beats_every() -> Duration {
    let millis = std::env::var("PAGER_EVENTS_BEAT_MILLIS").ok().and_then(|millis| millis.parse().ok());
    millis.map_or(BEATS_EVERY, Duration::from_millis)
}
