//! The open questions as they are known: a list that was read, and what was heard since. What ended stays ended, however
//! late an older word of it comes.

use std::collections::BTreeMap;

use pager_questions::Incarnation;

use super::super::wire::{Page, Question};

/// What a word about a question changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is new here.
    Added,
    /// It stays, maybe changed.
    Kept,
    /// It was here and has ended.
    Ended,
    /// Nothing.
    Nothing,
}

/// The list: hard to reverse first, then oldest.
#[derive(Debug, Default)]
pub struct Open {
    questions: Vec<Question>,
    ended: BTreeMap<Incarnation, u64>,
    /// Has a list ever been read?
    pub is_known: bool,
    /// How many of the list could not be read.
    pub unreadable: usize,
    /// Are there more than the list holds?
    pub has_more: bool,
    reading: bool,
    meanwhile: Vec<Question>,
}

impl Open {
    /// All, in their order. Those whose answer is being saved are among them.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// One of them.
    pub fn get(&self, incarnation: &Incarnation) -> Option<&Question> {
        self.questions.iter().find(|question| question.incarnation == *incarnation)
    }

    /// Where it stands.
    pub fn position(&self, incarnation: &Incarnation) -> Option<usize> {
        self.questions.iter().position(|question| question.incarnation == *incarnation)
    }

    /// Is it known to have ended?
    pub fn has_ended(&self, incarnation: &Incarnation) -> bool {
        self.ended.contains_key(incarnation)
    }

    /// A list is being asked for. False when one is on its way already.
    pub fn begin_reading(&mut self) -> bool {
        !std::mem::replace(&mut self.reading, true)
    }

    /// It could not be read.
    pub fn was_not_read(&mut self) {
        self.reading = false;
        self.meanwhile.clear();
    }

    /// Takes a list, and what was heard while it was on its way. Gives the questions that are not in it any more.
    pub fn was_read(&mut self, page: Page<Question>) -> Vec<Question> {
        self.reading = false;
        self.is_known = true;
        self.unreadable = page.unreadable;
        self.has_more = page.next.is_some();
        let before = std::mem::take(&mut self.questions);
        let fresh = page.items.into_iter().filter(|question| !self.ended.contains_key(&question.incarnation));
        self.questions = fresh.collect();
        let mut vanished = Vec::new();
        for question in before {
            if self.has_ended(&question.incarnation) {
                continue;
            }
            match self.get(&question.incarnation) {
                Some(_) => {}
                // Answers that are being saved are in no list of open questions.
                None if !question.is_open() => self.insert(question),
                None => vanished.push(question),
            }
        }
        for question in std::mem::take(&mut self.meanwhile) {
            self.hear(question);
        }
        vanished.retain(|question| self.get(&question.incarnation).is_none() && !self.has_ended(&question.incarnation));
        vanished
    }

    /// Takes a word about one question.
    pub fn hear(&mut self, question: Question) -> Change {
        if self.reading {
            self.meanwhile.push(question.clone());
        }
        let incarnation = question.incarnation.clone();
        if self.ended.get(&incarnation).is_some_and(|revision| question.revision <= *revision || !question.has_ended()) {
            return Change::Nothing;
        }
        let known = self.position(&incarnation);
        if question.has_ended() {
            self.ended.insert(incarnation, question.revision);
            return match known {
                Some(at) => {
                    self.questions.remove(at);
                    Change::Ended
                }
                None => Change::Nothing,
            };
        }
        match known {
            Some(at) if self.questions[at].revision > question.revision => Change::Nothing,
            Some(at) => {
                self.questions[at] = question;
                Change::Kept
            }
            None => {
                self.insert(question);
                Change::Added
            }
        }
    }

    fn insert(&mut self, question: Question) {
        let key = |question: &Question| (!question.is_hard(), question.asked_at);
        let at = self.questions.partition_point(|other| key(other) <= key(&question));
        self.questions.insert(at, question);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    use serde_json::json;

    use super::super::super::samples::{ended, question, with};
    use super::*;

    fn page(items: Vec<Question>) -> Page<Question> {
        Page { items, unreadable: 0, next: None }
    }

    fn ids(open: &Open) -> Vec<&str> {
        open.questions().iter().map(|question| question.id.as_str()).collect()
    }

    #[test]
    fn what_is_heard_takes_its_place_hard_to_reverse_first_then_oldest() {
        let mut open = Open::default();
        open.was_read(page(vec![question("b")]));
        let at = |id: &str, at: &str, reversibility: &str| with(id, json!({"asked_at": at, "reversibility": reversibility}));
        assert_eq!(open.hear(at("a", "2026-11-30T12:00:00Z", "reversible")), Change::Added);
        assert_eq!(open.hear(at("d", "2026-11-30T14:00:00Z", "hard_to_reverse")), Change::Added);
        assert_eq!(open.hear(at("c", "2026-11-30T13:00:00Z", "hard_to_reverse")), Change::Added);
        assert_eq!(ids(&open), ["c", "d", "a", "b"]);
        assert_eq!(open.hear(at("a", "2026-11-30T12:00:00Z", "reversible")), Change::Kept);
    }

    #[test]
    fn an_end_is_final_however_late_an_older_word_or_list_comes() {
        let mut open = Open::default();
        open.was_read(page(vec![question("a"), question("b")]));
        assert_eq!(open.hear(ended("a", "chosen")), Change::Ended);
        assert_eq!(open.hear(question("a")), Change::Nothing);
        assert_eq!(open.hear(ended("a", "chosen")), Change::Nothing);
        assert_eq!(open.was_read(page(vec![question("a"), question("b")])), []);
        assert_eq!(ids(&open), ["b"]);
    }

    #[test]
    fn what_was_heard_while_a_list_was_on_its_way_is_newer_than_the_list() {
        let mut open = Open::default();
        open.was_read(page(vec![question("a")]));
        assert!(open.begin_reading());
        assert!(!open.begin_reading());
        open.hear(question("c"));
        assert_eq!(open.was_read(page(vec![question("a"), question("b")])), []);
        assert_eq!(ids(&open), ["a", "b", "c"]);
    }

    #[test]
    fn a_question_that_a_list_lacks_has_vanished_unless_its_answer_is_being_saved() {
        let mut open = Open::default();
        open.was_read(page(vec![question("a"), question("b")]));
        assert_eq!(open.hear(with("b", json!({"state": "answering", "revision": 2}))), Change::Kept);
        let vanished = open.was_read(page(vec![]));
        assert_eq!(vanished.iter().map(|question| question.id.as_str()).collect::<Vec<_>>(), ["a"]);
        assert_eq!(ids(&open), ["b"]);
    }

    #[test]
    fn a_word_that_is_older_than_what_is_known_changes_nothing() {
        let mut open = Open::default();
        open.hear(with("a", json!({"revision": 5, "state": "answering"})));
        assert_eq!(open.hear(with("a", json!({"revision": 4}))), Change::Nothing);
        assert!(!open.get(&question("a").incarnation).unwrap().is_open());
    }
}
