//! What happened last, read once for all who listen and woken by the commit itself. With nobody listening nothing is read.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::frame::Frame;
use crate::service::Service;
use crate::store::Stored;

/// How much is held at hand; who is further behind reads the store.
const MOST_FRAMES: usize = 1024;
const MOST_BYTES: usize = 1024 * 1024;
/// How many entries are read at a time.
const PAGE: u32 = 64;
/// How far back it begins once somebody listens.
const BEGINS_BACK: i64 = 16;
/// How many one client takes at a time: whoever is slow holds no more than these.
const MOST_TAKEN: usize = 16;
/// How long it waits when the store cannot be read.
const PAUSE: Duration = Duration::from_secs(1);

/// The newest events, for all who listen.
#[derive(Default)]
pub struct Feed {
    recent: Mutex<Option<Recent>>,
    newest: watch::Sender<i64>,
}

/// All that happened after one entry.
struct Recent {
    /// The number of that entry.
    after: i64,
    frames: VecDeque<Arc<Frame>>,
    bytes: usize,
}

/// What comes after a place.
pub enum Next {
    /// These.
    Frames(Vec<Arc<Frame>>),
    /// Nothing that is known of.
    Nothing,
    /// What is not at hand any more: the store has it.
    Elsewhere,
}

impl Feed {
    /// Told of whatever is new. As long as somebody listens, it is read.
    pub fn listen(&self) -> watch::Receiver<i64> {
        self.newest.subscribe()
    }

    /// What comes after the entry of this number.
    pub fn after(&self, number: i64) -> Next {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(recent) = recent.as_ref().filter(|recent| recent.after <= number) else { return Next::Elsewhere };
        let first = recent.frames.partition_point(|frame| frame.mark.number <= number);
        let frames: Vec<_> = recent.frames.iter().skip(first).take(MOST_TAKEN).cloned().collect();
        if frames.is_empty() { Next::Nothing } else { Next::Frames(frames) }
    }

    /// Reads what is new since the last time, and tells it.
    async fn read(&self, service: &Service) -> Stored<()> {
        let known = self.recent().as_ref().map(|recent| recent.frames.back().map_or(recent.after, |last| last.mark.number));
        let mut at = match known {
            Some(at) => at,
            None => (service.store.last_happened().await?.number - BEGINS_BACK).max(0),
        };
        loop {
            let page = service.store.happened_after(at, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            // Whose right was taken back before this happened is told nothing of it.
            service.revocations.look(service.store.as_ref()).await?;
            let (after, is_all) = (at, page.len() < PAGE as usize);
            at = last.mark.number;
            self.recent()
                .get_or_insert_with(|| Recent { after, frames: VecDeque::new(), bytes: 0 })
                .add(page.iter().map(Frame::of));
            self.newest.send_replace(at);
            if is_all {
                return Ok(());
            }
        }
    }

    fn recent(&self) -> std::sync::MutexGuard<'_, Option<Recent>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recent {
    fn add(&mut self, frames: impl Iterator<Item = Frame>) {
        for frame in frames {
            self.bytes += frame.bytes.len();
            self.frames.push_back(Arc::new(frame));
            while self.frames.len() > MOST_FRAMES || self.bytes > MOST_BYTES {
                let Some(oldest) = self.frames.pop_front() else { break };
                self.bytes -= oldest.bytes.len();
                self.after = oldest.mark.number;
            }
        }
    }
}

/// Reads for as long as pagerd runs and somebody listens.
pub async fn run(service: Arc<Service>, feed: Arc<Feed>) {
    let mut news = service.store.news();
    loop {
        tokio::select! {
            changed = news.changed() => if changed.is_err() { return },
            () = service.ending.cancelled() => return,
        }
        if feed.newest.receiver_count() == 0 {
            feed.recent().take();
            continue;
        }
        if let Err(error) = feed.read(&service).await {
            tracing::warn!(%error, "what happened could not be read for those who listen");
            // Whoever was told nothing of it must hear of it yet.
            news.mark_changed();
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = service.ending.cancelled() => return,
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use pager_questions::Author;

    use super::*;
    use crate::store::Mark;

    fn frame(number: i64, size: usize) -> Frame {
        Frame { mark: Mark { number, at: 1 }, agent: Author::parse("deploy").ok(), settles: None, bytes: vec![b'x'; size].into() }
    }

    fn feed(numbers: std::ops::Range<i64>, size: usize) -> Feed {
        let mut recent = Recent { after: numbers.start - 1, frames: VecDeque::new(), bytes: 0 };
        recent.add(numbers.map(|number| frame(number, size)));
        Feed { recent: Mutex::new(Some(recent)), ..Feed::default() }
    }

    fn numbers(next: Next) -> Option<Vec<i64>> {
        match next {
            Next::Frames(frames) => Some(frames.iter().map(|frame| frame.mark.number).collect()),
            Next::Nothing => Some(Vec::new()),
            Next::Elsewhere => None,
        }
    }

    #[test]
    fn a_place_leads_to_what_follows_it_a_few_at_a_time() {
        let feed = feed(101..141, 10);
        assert_eq!(numbers(feed.after(100)), Some((101..117).collect()));
        assert_eq!(numbers(feed.after(138)), Some(vec![139, 140]));
        assert_eq!(numbers(feed.after(140)), Some(vec![]));
        assert_eq!(numbers(feed.after(900)), Some(vec![]), "the store was read further than this");
    }

    #[test]
    fn what_is_not_at_hand_is_said_to_be_elsewhere_and_never_left_out() {
        assert_eq!(numbers(Feed::default().after(0)), None);
        assert_eq!(numbers(feed(101..141, 10).after(99)), None);
        let many = feed(1..3000, 10);
        assert_eq!(numbers(many.after(1974)), None);
        assert_eq!(numbers(many.after(1975)).unwrap()[0], 1976);
    }

    #[test]
    fn what_is_at_hand_is_bounded_in_bytes_too() {
        let large = feed(1..100, 100_000);
        let recent = large.recent();
        let recent = recent.as_ref().unwrap();
        assert!(recent.bytes <= MOST_BYTES && recent.frames.len() == 10, "{} in {}", recent.bytes, recent.frames.len());
        assert_eq!(recent.after, 89);
    }
}
