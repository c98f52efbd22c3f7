//! Which questions an agent waits for. When one was waited for and then is not for long, its owner is told once.
//! Held in memory: after a restart it is known again as soon as the agent comes back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pager_questions::apply::Event;
use pager_questions::{Incarnation, Time};

use super::Service;
use crate::clock;

/// How long nobody may wait before the owner is told.
const LONG_MILLIS: i64 = 10 * 60 * 1000;
const LOOKS_EVERY: Duration = Duration::from_secs(30);

/// Who waits for what.
#[derive(Default)]
pub struct Attendance {
    questions: Mutex<HashMap<Incarnation, Attended>>,
}

struct Attended {
    waiting: usize,
    left_at: Time,
}

/// Waiting, for as long as it lives.
pub struct Attending<'a> {
    attendance: &'a Attendance,
    incarnation: Incarnation,
}

impl Attendance {
    /// An agent begins to wait.
    pub fn attend(&self, incarnation: &Incarnation) -> Attending<'_> {
        let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        questions.entry(incarnation.clone()).or_insert(Attended { waiting: 0, left_at: clock::now() }).waiting += 1;
        Attending { attendance: self, incarnation: incarnation.clone() }
    }

    /// How many wait at this moment.
    pub fn waiting(&self) -> usize {
        let questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        questions.values().map(|attended| attended.waiting).sum()
    }

    /// Takes out what nobody has waited for since before this moment.
    fn left_before(&self, moment: Time) -> Vec<(Incarnation, Time)> {
        let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let left = questions.extract_if(|_, attended| attended.waiting == 0 && attended.left_at <= moment);
        left.map(|(incarnation, attended)| (incarnation, attended.left_at)).collect()
    }
}

impl Drop for Attending<'_> {
    fn drop(&mut self) {
        let mut questions = self.attendance.questions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(attended) = questions.get_mut(&self.incarnation) {
            attended.waiting -= 1;
            attended.left_at = clock::now();
        }
    }
}

/// Looks for ever.
pub(super) async fn run(service: Arc<Service>) {
    loop {
        tokio::time::sleep(LOOKS_EVERY).await;
        for (incarnation, since) in service.attendance.left_before(clock::now().plus_millis(-LONG_MILLIS)) {
            let Ok(Some(record)) = service.store.record_of(&incarnation).await else { continue };
            if let Err(error) = service.change(record, None, &Event::Unattended { since }, &[]).await {
                tracing::warn!(%error, "it could not be noted that no agent waits any more");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_waited_for_and_left_is_told_and_once() {
        let attendance = Attendance::default();
        let (kept, left) = (Incarnation::from_random([1; 8]), Incarnation::from_random([2; 8]));
        let _waiting = attendance.attend(&kept);
        let (one, other) = (attendance.attend(&left), attendance.attend(&left));
        drop(one);
        assert_eq!(attendance.left_before(clock::now()), []);
        drop(other);
        let told: Vec<Incarnation> = attendance.left_before(clock::now()).into_iter().map(|(who, _)| who).collect();
        assert_eq!(told, [left]);
        assert_eq!(attendance.left_before(clock::now()), []);
    }
}
