//! What the inbox shows: what is open, what is being saved, what ended a moment ago. Read anew for each page and piece.

use std::cmp::Reverse;

use pager_questions::{Incarnation, Record};

use super::about::About;
use super::card::Card;
use super::inbox::Looking;
use super::over::Over;
use super::session::Visitor;
use super::shell::{Place, Shell};
use super::shown::Shown;
use super::{Site, ended, sets};
use crate::http::Shared;
use crate::http::cursors;
use crate::service::ServiceError;
use crate::store::{Store, StoreError};

/// The most cards of one page.
const MOST_CARDS: usize = 50;

/// What the template shows.
pub struct Inbox {
    /// The frame around it.
    pub shell: Shell,
    /// Where this page begins, as in the address.
    pub after: Option<String>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// What came of what was just sent.
    pub notice: Option<Notice>,
    /// The questions; those of one set stand together.
    pub cards: Vec<Card>,
    /// What ended a moment ago, newest first.
    pub ended: Vec<Over>,
}

/// What came of what was just sent.
pub enum Notice {
    /// It counts.
    Done(Box<Over>),
    /// It does not; the card of this key says why and keeps what was typed.
    InCard(Shown, String),
    /// It does not, and there is nothing to send it to any more: what was typed is shown here.
    Kept(Shown, Option<Shown>),
}

/// What does not count of what was just sent.
pub struct Trouble {
    /// The question.
    pub incarnation: Incarnation,
    /// Why, and what to do.
    pub message: String,
    /// What stood in the field.
    pub typed: String,
    /// What was ticked.
    pub picked: Vec<String>,
    /// It looks like a secret, and may be sent all the same.
    pub is_held: bool,
}

impl Inbox {
    /// Reads what there is.
    pub async fn gather(
        shared: &Shared,
        site: &Site,
        visitor: &Visitor,
        looking: &Looking,
        trouble: Option<Trouble>,
    ) -> Result<Self, StoreError> {
        let store = shared.service.store.as_ref();
        let shell = Shell::gather(store, visitor, Place::Inbox).await?;
        let after = looking.after.as_deref().and_then(cursors::read);
        let mut listed = store.open(u32::try_from(MOST_CARDS + 1).unwrap_or(u32::MAX), after.clone()).await?;
        let has_more = listed.len() > MOST_CARDS;
        listed.truncate(MOST_CARDS);
        let next = listed.last().filter(|_| has_more).map(|last| cursors::write(&last.cursor));
        let mut records: Vec<Record> = listed.into_iter().map(|listed| listed.record).collect();
        if after.is_none() {
            let answering = store.answering().await?.into_iter();
            records.extend(answering.filter(|record| record.question.put_to.is_none()).take(MOST_CARDS));
            records.sort_by_key(|record| (Reverse(record.question.is_hard_to_reverse()), record.question.asked_at));
        }
        let mut cards = Vec::with_capacity(records.len());
        for record in &records {
            cards.extend(card(store, site, record).await?);
        }
        let mut inbox = Self {
            shell,
            after: looking.after.clone().filter(|_| after.is_some()),
            next,
            notice: None,
            cards: sets::together(cards),
            ended: Vec::new(),
        };
        if after.is_none() {
            let lost = shared.service.all_lost().await.map_err(unusable)?;
            let lost = lost.iter().map(|record| Card::of_lost(record, &site.zone));
            inbox.cards.splice(0..0, lost.take(MOST_CARDS));
        }
        let vanished = looking.shown.split(',').filter(|key| inbox.cards.iter().all(|card| card.key != **key)).take(MOST_CARDS);
        let vanished: Vec<Incarnation> = vanished.filter_map(|key| Incarnation::parse(key).ok()).collect();
        inbox.ended = ended::find(store, &vanished).await?.iter().filter_map(|record| Over::of(record, &site.zone)).collect();
        if let Some(done) = looking.done.as_deref().and_then(|done| Incarnation::parse(done).ok()) {
            let record = store.record_of(&done).await?;
            inbox.notice = record.and_then(|record| Over::of(&record, &site.zone)).map(|over| Notice::Done(Box::new(over)));
        }
        if let Some(trouble) = trouble {
            inbox.tell(store, site, trouble).await?;
        }
        Ok(inbox)
    }

    /// Puts the trouble where it belongs: to its question as long as that is open.
    async fn tell(&mut self, store: &dyn Store, site: &Site, trouble: Trouble) -> Result<(), StoreError> {
        let Trouble { incarnation, message, typed, picked, is_held } = trouble;
        let (message, record) = (Shown::of(&message), store.record_of(&incarnation).await?);
        let is_private = record.as_ref().is_some_and(|record| record.question.secret);
        if self.cards.iter().all(|card| card.key != incarnation.as_str())
            && let Some(record) = record.filter(|record| record.question.put_to.is_none())
            && let Some(card) = card(store, site, &record).await?
        {
            self.cards.insert(0, card);
        }
        let card = self.cards.iter_mut().find(|card| card.key == incarnation.as_str() && card.saving.is_none());
        self.notice = Some(match card {
            Some(card) => {
                card.refuse(message.clone(), typed, &picked);
                card.is_held = is_held;
                Notice::InCard(message, card.key.clone())
            }
            // What was private stays with whoever wrote it.
            None => {
                Notice::Kept(message, Some(typed).filter(|typed| !typed.is_empty() && !is_private).map(|typed| Shown::of(&typed)))
            }
        });
        Ok(())
    }

    /// The address of another page or form, with where this page begins.
    pub fn query(&self) -> String {
        self.after.as_ref().map(|after| format!("?after={after}")).unwrap_or_default()
    }

    /// The heading of the set that begins with this card.
    pub fn set_before(&self, place: &usize) -> Option<String> {
        let card = self.cards.get(*place).filter(|card| card.is_in_set)?;
        let is_same = |other: &&Card| sets::is_of_one_set(card, other);
        let before = place.checked_sub(1).and_then(|before| self.cards.get(before));
        let size = self.cards.iter().filter(is_same).count();
        let is_first = before.filter(is_same).is_none();
        is_first.then(|| format!("{size} questions asked together"))
    }

    /// What stands on top.
    pub fn headline(&self) -> String {
        match self.shell.open {
            0 => "Nothing waits for you".to_owned(),
            1 => "One question waits for you".to_owned(),
            open => format!("{open} questions wait for you"),
        }
    }
}

/// The card of a record that is not over, with what it is about.
async fn card(store: &dyn Store, site: &Site, record: &Record) -> Result<Option<Card>, StoreError> {
    let Some(card) = Card::of(record, &site.zone) else { return Ok(None) };
    let about = About::of(store, record.question.about.as_ref()).await?;
    Ok(Some(Card { about, ..card }))
}

fn unusable(error: ServiceError) -> StoreError {
    match error {
        ServiceError::Unusable(cause) => StoreError::Unusable(cause),
        other => StoreError::Unusable(other.to_string()),
    }
}
