//! What comes in about questions: lists, single records, the stream. It moves the list and says what others did; it never
//! touches what somebody is writing, and never puts another question under somebody's keys.

use pager_questions::Incarnation;
use serde_json::Value;

use super::super::ends;
use super::super::event::{Effect, Message, Stream};
use super::super::view::wrap::fit;
use super::super::wire::{Page, Question};
use super::notes::Kind;
use super::open::Change;
use super::{Inbox, Screen, Selected};

/// At most so many questions that vanished are asked about.
const MOST_LOOKUPS: usize = 8;
/// The most columns of a title in a line about it.
const TITLE: usize = 40;

/// Where a word about a question comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// It happens now.
    Stream,
    /// It was asked for.
    Reading,
}

impl Inbox {
    pub(super) fn streamed(&mut self, number: u64, heard: Stream) -> Vec<Effect> {
        if !self.connection.hear(number, &heard, self.now) {
            return Vec::new();
        }
        match heard {
            Stream::Message(message) => self.told(&message),
            // What happened while nothing was heard is in the lists.
            Stream::Up | Stream::Absent | Stream::Lost(_) => self.look(),
            Stream::Heard => Vec::new(),
        }
    }

    fn told(&mut self, message: &Message) -> Vec<Effect> {
        let (kind, _) = message.name.split_once('.').unwrap_or((&message.name, ""));
        match kind {
            "question" => match question_in(&message.data) {
                Some(question) => self.hear(question, From::Stream),
                None if self.open.begin_reading() => vec![Effect::ReadOpen],
                None => Vec::new(),
            },
            "update" => vec![Effect::ReadUpdates],
            // It could not go on where it was heard last.
            "stream" => self.look(),
            _ => Vec::new(),
        }
    }

    /// Takes a word about one question.
    pub(super) fn hear(&mut self, question: Question, from: From) -> Vec<Effect> {
        let incarnation = question.incarnation.clone();
        let mut effects = Vec::new();
        match self.open.hear(question.clone()) {
            Change::Added if from == From::Stream => {
                let title = fit(&question.title(), TITLE);
                self.notes.say(Kind::News, &format!("{} asks: {title}", question.source.agent.line()));
            }
            Change::Ended => {
                // Whoever sent an act hears what became of it from its reply.
                if !self.is_sending(&incarnation) {
                    self.notes.say(Kind::News, &self.told_of(&question));
                }
                self.drop_draft_that_was_recorded(&question);
                self.let_go(question);
                if matches!(self.screen, Screen::History | Screen::Ended(_)) {
                    effects.push(Effect::ReadHistory(None));
                }
                if self.open.has_more && self.open.begin_reading() {
                    effects.push(Effect::ReadOpen);
                }
            }
            Change::Added | Change::Kept | Change::Nothing => self.learn_the_end(question),
        }
        self.settle_selection();
        effects
    }

    /// What became of a question, in a line that names it.
    pub(super) fn told_of(&self, question: &Question) -> String {
        format!("{} → {}", fit(&question.title(), TITLE), ends::told(question, &self.zone))
    }

    pub(super) fn listed(&mut self, page: Page<Question>) -> Vec<Effect> {
        self.notes.forget(Kind::Outage);
        let has_more = page.next.is_some();
        let vanished = self.open.was_read(page);
        let mut effects = Vec::new();
        for (count, question) in vanished.into_iter().enumerate() {
            // In a list that goes on a question may stand further below.
            if count < MOST_LOOKUPS && (!has_more || self.is_selected(&question.incarnation)) {
                self.missing.insert(question.incarnation.clone());
                effects.push(Effect::ReadRecord(question.id.clone()));
            }
            self.let_go(question);
        }
        let saved = self.open.questions().iter().filter(|question| !question.is_open());
        effects.extend(saved.take(MOST_LOOKUPS).map(|question| Effect::ReadRecord(question.id.clone())));
        self.settle_selection();
        effects
    }

    pub(super) fn unlisted(&mut self, words: &str) -> Vec<Effect> {
        self.open.was_not_read();
        self.notes.say(Kind::Outage, &format!("The questions could not be read: {words}"));
        Vec::new()
    }

    /// The question left the list. Was it under somebody's keys, it stays there, as what it is.
    pub(super) fn let_go(&mut self, question: Question) {
        if self.is_selected(&question.incarnation) {
            self.picks.clear();
            if let Screen::Confirm(confirm) = &self.screen
                && confirm.write.incarnation == question.incarnation
            {
                self.screen = Screen::Questions;
            }
            self.selected = Selected::Gone(Box::new(question));
        }
    }

    /// A question that was missing from a list: what became of it.
    fn learn_the_end(&mut self, question: Question) {
        if self.missing.remove(&question.incarnation) && question.has_ended() && !self.is_sending(&question.incarnation) {
            self.notes.say(Kind::News, &self.told_of(&question));
            self.drop_draft_that_was_recorded(&question);
        }
        let is_back = self.open.get(&question.incarnation).is_some();
        match &mut self.selected {
            Selected::Gone(gone) if gone.incarnation != question.incarnation => {}
            Selected::Gone(_) if is_back => self.selected = Selected::Open(question.incarnation),
            Selected::Gone(gone) if question.has_ended() => **gone = question,
            Selected::None | Selected::Open(_) | Selected::Gone(_) => {}
        }
    }

    /// Words that were recorded after all, though their reply was lost, need not be kept as a draft.
    fn drop_draft_that_was_recorded(&mut self, question: &Question) {
        let recorded = question.answer.as_ref().filter(|answer| answer.outcome == "own_words");
        let Some(said) = recorded.and_then(|answer| answer.answer.as_ref()) else { return };
        let draft = self.drafts.get(&question.incarnation).map(|draft| super::super::shown::Shown::of(draft.text().trim()));
        if draft.is_some_and(|draft| draft.as_str() == said.as_str().trim()) && !self.is_writing(&question.incarnation) {
            self.drafts.remove(&question.incarnation);
        }
    }

    fn is_selected(&self, incarnation: &Incarnation) -> bool {
        match &self.selected {
            Selected::None => false,
            Selected::Open(selected) => selected == incarnation,
            Selected::Gone(gone) => gone.incarnation == *incarnation,
        }
    }

    pub(super) fn is_writing(&self, incarnation: &Incarnation) -> bool {
        matches!(&self.screen, Screen::Words(other) if other == incarnation)
    }

    /// Keeps the place of the selected question, and selects the first one when there was none.
    pub(super) fn settle_selection(&mut self) {
        match &self.selected {
            Selected::None => self.select(0),
            Selected::Open(incarnation) => match self.open.position(incarnation) {
                Some(at) => self.position = at,
                None => self.select(self.position),
            },
            Selected::Gone(_) => self.position = self.position.min(self.open.questions().len()),
        }
    }

    /// Selects the question at this place, or the last one before it.
    pub(super) fn select(&mut self, at: usize) {
        let at = at.min(self.open.questions().len().saturating_sub(1));
        self.position = at;
        self.scroll = 0;
        self.picks.clear();
        self.selected = match self.open.questions().get(at) {
            Some(question) => Selected::Open(question.incarnation.clone()),
            None => Selected::None,
        };
    }
}

/// The record in an event: the data itself, or a member of it.
fn question_in(data: &str) -> Option<Question> {
    let mut value: Value = serde_json::from_str(data).ok()?;
    for member in ["record", "question"] {
        if let Some(inner) = value.get_mut(member).filter(|inner| inner.is_object()) {
            return serde_json::from_value(inner.take()).ok();
        }
    }
    serde_json::from_value(value).ok()
}
