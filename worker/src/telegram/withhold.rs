//! Before an update is stored: are there words in it that must not be? Those are for a `secret` question, and are held in memory.

use pager_bot::intake::withheld::{self, Spot};
use pager_questions::Incarnation;
use serde_json::Value;

use crate::service::Service;
use crate::store::Stored;

/// How many questions one key may mean.
const MOST_MEANT: u32 = 10;
/// How many open questions are looked through at a time.
const PAGE: u32 = 500;

/// What is to be stored in an update's place.
pub(super) enum Look {
    /// The update as it came.
    Whole,
    /// This: copies of private words were left out. Nothing is missed.
    Lessened(Value),
    /// This, without any words: they are held in memory until it is handled.
    Bare(Value),
}

/// Looks at an update.
pub(super) async fn look(service: &Service, update: &Value) -> Stored<Look> {
    if let Some(spot) = withheld::spot(update)
        && let Private::Yes(about) = is_private(service, &spot).await?
    {
        return Ok(Look::Bare(withheld::without_words(update, about.as_ref())));
    }
    let mut lessened = None;
    for (pointer, spot) in withheld::copies(update) {
        if let Private::Yes(_) = is_private(service, &spot).await? {
            withheld::drop_copy(lessened.get_or_insert_with(|| update.clone()), pointer);
        }
    }
    Ok(lessened.map_or(Look::Whole, Look::Lessened))
}

enum Private {
    No,
    /// For this question, where that is known.
    Yes(Option<Incarnation>),
}

/// Are words there for a secret question? Whether it takes them any more is not asked: they were meant for it.
async fn is_private(service: &Service, spot: &Spot) -> Stored<Private> {
    let store = &service.store;
    if let Some(thread) = spot.thread
        && let Some(place) = store.place_in(spot.chat, thread).await?
        && store.record_of(&place.incarnation).await?.is_some_and(|record| record.question.secret)
    {
        return Ok(Private::Yes(Some(place.incarnation)));
    }
    let Some(key) = &spot.key else { return Ok(Private::No) };
    let found = match key {
        Some(key) => store.with_key(key, MOST_MEANT).await?,
        None => Vec::new(),
    };
    if let Some(secret) = found.iter().find(|record| record.question.secret) {
        return Ok(Private::Yes(Some(secret.question.incarnation.clone())));
    }
    // A key that was mistyped may have been that of a secret question.
    let is_mistyped = found.is_empty() && is_waiting(service).await?;
    Ok(if is_mistyped { Private::Yes(None) } else { Private::No })
}

/// Does any secret question wait for words?
async fn is_waiting(service: &Service) -> Stored<bool> {
    let store = &service.store;
    if !store.private_answers().await?.is_empty() {
        return Ok(true);
    }
    let mut after = None;
    loop {
        let page = store.open(PAGE, after.take()).await?;
        if page.iter().any(|listed| listed.record.question.secret) {
            return Ok(true);
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = Some(last.cursor.clone()),
            _ => return Ok(false),
        }
    }
}
