//! The other screens: updates, history, help. Each is a list and one of its items.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::super::event::{Effect, Mark};
use super::super::wire::{Page, Question, Update, UpdateId};
use super::notes::Kind;
use super::{Inbox, Screen};

impl Inbox {
    /// Opens the updates, as they are now.
    pub(super) fn open_updates(&mut self) -> Vec<Effect> {
        self.screen = Screen::Updates;
        vec![Effect::ReadUpdates]
    }

    /// Opens the history, as it is now.
    pub(super) fn open_history(&mut self) -> Vec<Effect> {
        self.screen = Screen::History;
        vec![Effect::ReadHistory(None)]
    }

    /// How many updates nobody has read yet.
    pub fn unread(&self) -> usize {
        self.updates.items().iter().filter(|update| update.state == "unread").count()
    }

    pub(super) fn press_in_updates(&mut self, key: KeyEvent) -> Vec<Effect> {
        match (key.code, self.updates.current().map(|update| update.id.clone())) {
            (KeyCode::Enter | KeyCode::Right, Some(id)) => self.open_update(id),
            (KeyCode::Char('x'), Some(id)) => vec![Effect::Mark(id, Mark::Dismissed)],
            (KeyCode::Char('r'), _) => vec![Effect::ReadUpdates],
            (KeyCode::Esc | KeyCode::Char('u'), _) => self.go_back_to_questions(),
            (code, _) => {
                self.updates.go(steps(code));
                Vec::new()
            }
        }
    }

    pub(super) fn press_in_update(&mut self, key: KeyEvent, id: UpdateId) -> Vec<Effect> {
        match key.code {
            KeyCode::Char('x') => {
                self.screen = Screen::Updates;
                vec![Effect::Mark(id, Mark::Dismissed)]
            }
            KeyCode::Esc | KeyCode::Enter | KeyCode::Left => {
                self.screen = Screen::Updates;
                Vec::new()
            }
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Up | KeyCode::Char('k') => {
                self.updates.go(steps(key.code));
                match self.updates.current().map(|update| update.id.clone()) {
                    Some(id) => self.open_update(id),
                    None => Vec::new(),
                }
            }
            code => self.turn_pages(code),
        }
    }

    fn open_update(&mut self, id: UpdateId) -> Vec<Effect> {
        self.scroll = 0;
        let is_unread = self.updates.current().is_some_and(|update| update.state == "unread");
        self.screen = Screen::Update(id.clone());
        if is_unread { vec![Effect::Mark(id, Mark::Read)] } else { Vec::new() }
    }

    pub(super) fn updates_read(&mut self, result: Result<Page<Update>, String>) -> Vec<Effect> {
        match result {
            Ok(page) => self.updates.begin(page, |old, new| old.id == new.id),
            Err(words) => self.updates.trouble = Some(words),
        }
        if let Screen::Update(id) = &self.screen
            && !self.updates.items().iter().any(|update| update.id == *id)
        {
            self.screen = Screen::Updates;
        }
        Vec::new()
    }

    pub(super) fn marked(&mut self, id: &UpdateId, mark: Mark, result: Result<(), String>) -> Vec<Effect> {
        match (result, mark) {
            (Err(words), Mark::Read) => self.notes.say(Kind::Trouble, &format!("The update was not marked as read: {words}")),
            (Err(words), Mark::Dismissed) => self.notes.say(Kind::Trouble, &format!("The update was not dismissed: {words}")),
            (Ok(()), Mark::Read) => {
                let items = self.updates.items.iter_mut().flatten();
                items.filter(|update| update.id == *id).for_each(|update| "read".clone_into(&mut update.state));
            }
            (Ok(()), Mark::Dismissed) => {
                if let Some(items) = &mut self.updates.items {
                    items.retain(|update| update.id != *id);
                }
                self.updates.go(0);
                self.notes.say(Kind::Done, "The update is dismissed");
            }
        }
        Vec::new()
    }

    pub(super) fn press_in_history(&mut self, key: KeyEvent) -> Vec<Effect> {
        match (key.code, self.history.current().map(|question| question.incarnation.clone())) {
            (KeyCode::Enter | KeyCode::Right, Some(incarnation)) => {
                self.scroll = 0;
                self.screen = Screen::Ended(incarnation);
                Vec::new()
            }
            (KeyCode::Char('r'), _) => vec![Effect::ReadHistory(None)],
            (KeyCode::Esc | KeyCode::Char('h'), _) => self.go_back_to_questions(),
            (code, _) => {
                let wants_more = self.history.go(steps(code));
                if wants_more { vec![Effect::ReadHistory(self.history.next.clone())] } else { Vec::new() }
            }
        }
    }

    pub(super) fn press_in_ended(&mut self, key: KeyEvent) -> Vec<Effect> {
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Left => {
                self.screen = Screen::History;
                Vec::new()
            }
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Up | KeyCode::Char('k') => {
                let wants_more = self.history.go(steps(key.code));
                self.scroll = 0;
                if let Some(question) = self.history.current() {
                    self.screen = Screen::Ended(question.incarnation.clone());
                }
                if wants_more { vec![Effect::ReadHistory(self.history.next.clone())] } else { Vec::new() }
            }
            code => self.turn_pages(code),
        }
    }

    pub(super) fn history_read(&mut self, after: Option<&str>, result: Result<Page<Question>, String>) -> Vec<Effect> {
        let page = match result {
            Ok(page) => page,
            Err(words) => {
                self.history.trouble = Some(words);
                return Vec::new();
            }
        };
        let ended = page.items.into_iter().filter(Question::has_ended).collect();
        let page = Page { items: ended, unreadable: page.unreadable, next: page.next };
        match after {
            // A page that does not follow what is shown belongs to a list that was begun anew meanwhile.
            Some(after) if self.history.next.as_deref() != Some(after) => {}
            Some(_) => self.history.go_on(page),
            None => self.history.begin(page, |old, new| old.incarnation == new.incarnation),
        }
        if let Screen::Ended(incarnation) = &self.screen
            && !self.history.items().iter().any(|question| question.incarnation == *incarnation)
        {
            self.screen = Screen::History;
        }
        // A page of open questions alone shows nothing, and would end the list before its end.
        let is_short = self.history.selected + 1 >= self.history.items().len();
        match &self.history.next {
            Some(next) if is_short => vec![Effect::ReadHistory(Some(next.clone()))],
            _ => Vec::new(),
        }
    }

    pub(super) fn go_back_to_questions(&mut self) -> Vec<Effect> {
        self.scroll = 0;
        self.screen = Screen::Questions;
        Vec::new()
    }

    /// Scrolls what is on the screen.
    pub(super) fn turn_pages(&mut self, code: KeyCode) -> Vec<Effect> {
        let page = super::view::page(self).saturating_sub(1).max(1);
        self.scroll = match code {
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll + page,
            KeyCode::PageUp | KeyCode::Char('b') => self.scroll.saturating_sub(page),
            KeyCode::Home => 0,
            KeyCode::End => usize::MAX / 2,
            _ => self.scroll,
        };
        Vec::new()
    }
}

/// How far a key moves in a list.
pub(super) fn steps(code: KeyCode) -> isize {
    match code {
        KeyCode::Down | KeyCode::Char('j') => 1,
        KeyCode::Up | KeyCode::Char('k') => -1,
        KeyCode::PageDown | KeyCode::Char(' ') => 10,
        KeyCode::PageUp | KeyCode::Char('b') => -10,
        KeyCode::Home | KeyCode::Char('g') => isize::MIN / 2,
        KeyCode::End | KeyCode::Char('G') => isize::MAX / 2,
        _ => 0,
    }
}
