//! How a request stands: whether somebody answered it, how often, and what waits there for whom.

use pager_questions::{Purpose, Record, Request, State, Unanswered};

use super::shown::Shown;
use crate::store::{Store, StoreError};

/// How a request stands.
pub struct Standing {
    /// Somebody else than its author answered.
    pub is_answered: bool,
    /// `2 answers`.
    pub answers: String,
    /// `1 offer waits for you`, one for each kind and whom it waits for; empty when nothing waits.
    pub waiting: Vec<Shown>,
    /// The service's notice, when it is the owner's own and unanswered.
    pub notice: Option<Shown>,
}

impl Standing {
    /// Reads what there is of this request. `unanswered`: all of the owner's.
    pub async fn find(store: &dyn Store, request: &Request, unanswered: &[Unanswered]) -> Result<Self, StoreError> {
        let thread = request.id.thread();
        let (answers, about) = (store.answers(&request.id).await?, store.about(&thread).await?);
        let own = unanswered.iter().find(|summary| summary.id == thread);
        Ok(Self::of(answers, &about, own))
    }

    /// The same from what was read: how many answered, what is about it, and its summary when it is the owner's and unanswered.
    pub fn of(answers: u64, about: &[Record], own: Option<&Unanswered>) -> Self {
        Self {
            is_answered: answers > 0,
            answers: counted(answers, "answer", "answers"),
            waiting: waiting(about),
            notice: own.map(|summary| Shown::of(&summary.notice)),
        }
    }
}

fn waiting(about: &[Record]) -> Vec<Shown> {
    let mut kinds: Vec<(bool, String, u64)> = Vec::new();
    for record in about.iter().filter(|record| matches!(record.state, State::Open { .. })) {
        let question = &record.question;
        let is_offer = question.purpose == Purpose::Offer;
        let whom = question.put_to.as_ref().map_or_else(|| "you".to_owned(), ToString::to_string);
        match kinds.iter_mut().find(|(offer, name, _)| *offer == is_offer && *name == whom) {
            Some((_, _, count)) => *count += 1,
            None => kinds.push((is_offer, whom, 1)),
        }
    }
    let line = |(is_offer, whom, count): &(bool, String, u64)| {
        let (one, more) = if *is_offer { ("offer waits", "offers wait") } else { ("question waits", "questions wait") };
        Shown::of(&format!("{} for {whom}", counted(*count, one, more)))
    };
    kinds.iter().map(line).collect()
}

fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
