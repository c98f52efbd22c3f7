//! Whoever waits for a question. A waiter subscribes, reads the store, and is woken by the change itself; a slow timer
//! reads again in case another process made the change. A waiter that vanishes leaves nothing behind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pager_questions::{Incarnation, Record, State};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::{Service, ServiceError};

/// How often a waiter looks at the store by itself. Rarely: ten thousand of them would be felt.
const LOOKS_AGAIN: Duration = Duration::from_secs(300);

type News = watch::Sender<Option<Arc<Record>>>;

/// Who waits for which record.
#[derive(Default)]
pub struct Waiters {
    waiting: Mutex<HashMap<Incarnation, News>>,
}

impl Waiters {
    fn subscribe(&self, incarnation: &Incarnation) -> watch::Receiver<Option<Arc<Record>>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.entry(incarnation.clone()).or_insert_with(|| watch::Sender::new(None)).subscribe()
    }

    fn leave(&self, incarnation: &Incarnation) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.get(incarnation).is_some_and(|news| news.receiver_count() == 0) {
            waiting.remove(incarnation);
        }
    }

    /// Hands the newest version to whoever waits for it.
    pub fn tell(&self, record: &Record) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(news) = waiting.get(&record.question.incarnation) {
            news.send_replace(Some(Arc::new(record.clone())));
        }
    }
}

/// Leaves when it is dropped, however the wait ended.
struct Waiting<'a> {
    waiters: &'a Waiters,
    incarnation: Incarnation,
    news: Option<watch::Receiver<Option<Arc<Record>>>>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.news.take();
        self.waiters.leave(&self.incarnation);
    }
}

impl Service {
    /// The record once it is over, or as it is when the patience ends. Boxed, since ten thousand may wait.
    ///
    /// # Errors
    /// `NotFound` when it is gone, `Unusable` when the store is.
    pub async fn over(&self, record: Box<Record>, patience: Duration) -> Result<Box<Record>, ServiceError> {
        self.until(record, patience, Record::is_over).await
    }

    /// The record once no answer is being saved any more, or as it is when the patience ends.
    ///
    /// # Errors
    /// As [`Self::over`].
    pub async fn settled(&self, record: Record, patience: Duration) -> Result<Record, ServiceError> {
        Ok(*self.until(Box::new(record), patience, |record| !matches!(record.state, State::Answering(_))).await?)
    }

    async fn until(
        &self,
        record: Box<Record>,
        patience: Duration,
        is_it: impl Fn(&Record) -> bool,
    ) -> Result<Box<Record>, ServiceError> {
        if is_it(&record) || patience.is_zero() {
            return Ok(record);
        }
        let deadline = Instant::now() + patience;
        let incarnation = record.question.incarnation.clone();
        // Whoever waits keeps no record meanwhile: there may be ten thousand of them.
        drop(record);
        let news = Some(self.waiters.subscribe(&incarnation));
        let mut waiting = Waiting { waiters: &self.waiters, incarnation, news };
        loop {
            {
                let stored = self.store.record_of(&waiting.incarnation).await?.ok_or(ServiceError::NotFound)?;
                if is_it(&stored) || Instant::now() >= deadline || self.ending.is_cancelled() {
                    return Ok(Box::new(stored));
                }
            }
            let look_again = deadline.min(Instant::now() + LOOKS_AGAIN);
            let news = waiting.news.as_mut().expect("taken only when it is dropped");
            let told = tokio::select! {
                told = timeout_at(look_again, news.wait_for(|news| news.as_deref().is_some_and(&is_it))) => told,
                () = self.ending.cancelled() => continue,
            };
            if let Ok(Ok(news)) = told
                && let Some(record) = news.as_deref()
            {
                return Ok(Box::new(record.clone()));
            }
        }
    }
}
