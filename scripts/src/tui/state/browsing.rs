//! Keys: which screen they are for, and moving about in the open questions.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::super::event::Effect;
use super::super::view;
use super::elsewhere::steps;
use super::notes::Kind;
use super::{Inbox, Screen, Selected};

impl Inbox {
    pub(super) fn press(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        self.notes.forget(Kind::Hint);
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return self.leave();
        }
        if view::is_too_small(self.size) {
            // What a key would do cannot be seen. A q may be part of what somebody types.
            return if key.code == KeyCode::Char('q') && !self.would_lose() { vec![Effect::Quit] } else { Vec::new() };
        }
        match self.screen.clone() {
            Screen::Words(incarnation) => return self.press_in_words(key, &incarnation),
            Screen::Confirm(confirm) => return self.press_in_confirm(key, *confirm),
            Screen::Leaving(back) => return self.press_in_leaving(key, *back),
            Screen::Help(back) => {
                self.screen = *back;
                return Vec::new();
            }
            Screen::Questions | Screen::Updates | Screen::Update(_) | Screen::History | Screen::Ended(_) => {}
        }
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return Vec::new();
        }
        match (key.code, self.screen.clone()) {
            (KeyCode::Char('q'), _) => self.leave(),
            (KeyCode::Char('?'), screen) => {
                self.screen = Screen::Help(Box::new(screen));
                Vec::new()
            }
            (_, Screen::Updates) => self.press_in_updates(key),
            (_, Screen::Update(id)) => self.press_in_update(key, id),
            (_, Screen::History) => self.press_in_history(key),
            (_, Screen::Ended(_)) => self.press_in_ended(key),
            (code, _) => self.press_in_questions(code),
        }
    }

    fn press_in_questions(&mut self, code: KeyCode) -> Vec<Effect> {
        match code {
            KeyCode::Char(digit @ '1'..='9') => self.pick(digit),
            KeyCode::Enter => return self.send_picks(),
            KeyCode::Esc => self.picks.clear(),
            KeyCode::Char('w') => self.write_words(),
            KeyCode::Char('d') => self.ask_to_decline(),
            KeyCode::Char('c') => self.ask_to_cancel(),
            KeyCode::Char('u') => return self.open_updates(),
            KeyCode::Char('h') => return self.open_history(),
            KeyCode::Char('r') => return self.look(),
            KeyCode::Down | KeyCode::Up | KeyCode::Char('j' | 'k' | 'g' | 'G') => self.go(steps(code)),
            code => return self.turn_pages(code),
        }
        Vec::new()
    }

    /// Moves to another question. From one that is gone, the next is the one that took its place.
    pub(super) fn go(&mut self, by: isize) {
        let by = match &self.selected {
            Selected::Gone(_) if by > 0 => by - 1,
            Selected::Gone(_) | Selected::Open(_) | Selected::None => by,
        };
        let target = self.position.saturating_add_signed(by);
        let is_another = self.open.questions().get(target.min(self.open.questions().len().saturating_sub(1)));
        let is_another = is_another.map(|question| &question.incarnation) != self.current().map(|question| &question.incarnation);
        if is_another {
            self.select(target);
        }
    }

    /// Ends, unless something that was written or is on its way would be lost.
    fn leave(&mut self) -> Vec<Effect> {
        if !self.would_lose() || matches!(self.screen, Screen::Leaving(_)) {
            return vec![Effect::Quit];
        }
        self.screen = Screen::Leaving(Box::new(self.screen.clone()));
        Vec::new()
    }

    /// Would leaving lose something that was written or is on its way?
    pub fn would_lose(&self) -> bool {
        self.drafts.values().any(|draft| !draft.is_empty()) || !self.in_flight.is_empty()
    }

    fn press_in_leaving(&mut self, key: KeyEvent, back: Screen) -> Vec<Effect> {
        match key.code {
            KeyCode::Char('q') | KeyCode::Enter => vec![Effect::Quit],
            _ => {
                self.screen = back;
                Vec::new()
            }
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> Vec<Effect> {
        self.notes.forget(Kind::Hint);
        if view::is_too_small(self.size) {
            return Vec::new();
        }
        if let Screen::Words(incarnation) = self.screen.clone() {
            self.drafts.entry(incarnation).or_default().insert(text);
        } else {
            self.hint("What is pasted goes into own words alone: press w first");
        }
        Vec::new()
    }
}
