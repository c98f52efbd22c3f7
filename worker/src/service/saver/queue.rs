//! The claims that wait to be saved, in the order in which they were made. One that is tried keeps its place until its
//! outcome is known, so none of a later claim gets ahead of it.

use std::collections::{BTreeMap, HashMap};

use pager_questions::{Claim, Incarnation, Record, State, Time};
use tokio::time::{Duration, Instant};

/// The order: by the time of the claim, then by arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    at: Time,
    arrived: u64,
}

/// A claim that waits.
pub(super) struct Waiting {
    /// The record with the claim, as it was when it came.
    pub(super) record: Record,
    joined: Instant,
    /// Whoever answered was shown that it takes long.
    is_told: bool,
    /// What the record says of the last try.
    doubt: Option<String>,
    /// An earlier try, perhaps of another process, may have written it.
    may_be_written: bool,
}

/// See above.
#[derive(Default)]
pub(super) struct Queue {
    waiting: BTreeMap<Place, Waiting>,
    /// A claim is named by its record and its number.
    places: HashMap<(Incarnation, u64), Place>,
    arrivals: u64,
}

impl Queue {
    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Adds a claim. One that waits already keeps its place, and a record without a claim is none. `may_be_written`: whoever
    /// had it before may have tried it.
    pub(super) fn add(&mut self, record: Record, now: Instant, may_be_written: bool) {
        let Some(claim) = claim(&record) else { return };
        let name = (record.question.incarnation.clone(), claim.number);
        if self.places.contains_key(&name) {
            return;
        }
        self.arrivals += 1;
        let place = Place { at: claim.answer.at, arrived: self.arrivals };
        let doubt = claim.uncertain.as_ref().map(|note| note.reason.clone());
        let is_told = claim.delayed.is_some();
        let may_be_written = may_be_written || doubt.is_some();
        self.places.insert(name, place);
        self.waiting.insert(place, Waiting { record, joined: now, is_told, doubt, may_be_written });
    }

    /// The first ones. They stay until they are removed.
    pub(super) fn first(&self, most: usize) -> Vec<(Place, Record)> {
        self.waiting.iter().take(most).map(|(place, waiting)| (*place, waiting.record.clone())).collect()
    }

    /// Its outcome is known.
    pub(super) fn remove(&mut self, place: Place) {
        if let Some(waiting) = self.waiting.remove(&place)
            && let Some(claim) = claim(&waiting.record)
        {
            self.places.remove(&(waiting.record.question.incarnation.clone(), claim.number));
        }
    }

    /// Notes why it is uncertain. Gives back its record when that is news.
    pub(super) fn doubt(&mut self, place: Place, reason: &str) -> Option<Record> {
        let waiting = self.waiting.get_mut(&place)?;
        waiting.may_be_written = true;
        if waiting.doubt.as_deref() == Some(reason) {
            return None;
        }
        waiting.doubt = Some(reason.to_owned());
        Some(waiting.record.clone())
    }

    /// Whether an earlier try may have written it.
    pub(super) fn may_be_written(&self, place: Place) -> bool {
        self.waiting.get(&place).is_some_and(|waiting| waiting.may_be_written)
    }

    /// When the next one has waited for so long that it is to be shown.
    pub(super) fn next_untold(&self, after: Duration) -> Option<Instant> {
        self.waiting.values().filter(|waiting| !waiting.is_told).map(|waiting| waiting.joined + after).min()
    }

    /// Those that have waited for so long and were not shown; they count as shown from here on.
    pub(super) fn take_untold(&mut self, after: Duration, now: Instant) -> Vec<Record> {
        let untold = self.waiting.values_mut().filter(|waiting| !waiting.is_told && waiting.joined + after <= now);
        untold
            .map(|waiting| {
                waiting.is_told = true;
                waiting.record.clone()
            })
            .collect()
    }

    /// Since when the oldest doubt has lasted, as the records say it.
    pub(super) fn in_doubt_since(&self) -> Option<Time> {
        let claims = self.waiting.values().filter_map(|waiting| claim(&waiting.record));
        claims.filter_map(|claim| claim.uncertain.as_ref()).map(|note| note.at).min()
    }
}

/// The claim of a record whose answer is being saved.
pub(super) fn claim(record: &Record) -> Option<&Claim> {
    match &record.state {
        State::Answering(claim) => Some(claim),
        State::Open { .. } | State::Ended { .. } | State::Withdrawn { .. } | State::IdTaken { .. } => None,
    }
}
