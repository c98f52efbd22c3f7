//! The owner's acts: choosing, writing, declining, cancelling, and what became of them. Nothing is sent without an Enter
//! or a Ctrl-D that was told what it sends, and nothing typed is thrown away before it counts.

use pager_questions::text::is_blank;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::ends;
use super::super::event::{Act, Effect, Outcome, Write};
use super::super::shown::Shown;
use super::super::view::wrap::fit;
use super::super::wire::{Answer, Question};
use super::editor::MOST;
use super::notes::Kind;
use super::{Confirm, Inbox, Screen, Selected};

/// The most columns of a title in a line about it.
const TITLE: usize = 40;

impl Inbox {
    pub(super) fn hint(&mut self, text: &str) {
        self.notes.say(Kind::Hint, text);
    }

    /// The selected question if it takes an act now; else says why it does not.
    fn ready(&mut self) -> Option<Question> {
        let why_not = match (&self.selected, self.current()) {
            (Selected::None, _) | (_, None) => "There is no open question",
            (Selected::Gone(_), _) => "This question has ended: press ↓ for the next one",
            (Selected::Open(incarnation), Some(_)) if self.is_sending(incarnation) => {
                "Your answer to this question is on its way"
            }
            (Selected::Open(_), Some(question)) if !question.is_open() => "An answer to this question is being saved",
            (Selected::Open(_), Some(question)) => return Some(question.clone()),
        };
        self.hint(why_not);
        None
    }

    pub(super) fn pick(&mut self, digit: char) {
        let Some(question) = self.ready() else { return };
        let at = digit.to_digit(10).and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        let Some(option) = at.checked_sub(1).and_then(|at| question.options.get(at)) else {
            match question.options.len() {
                0 => self.hint("This question has no options: press w to answer in your own words"),
                count => self.hint(&format!("There is no option {digit}: press 1 to {count}")),
            }
            return;
        };
        match self.picks.iter().position(|picked| *picked == option.id) {
            Some(at) if question.multi => drop(self.picks.remove(at)),
            Some(_) => {}
            None if question.multi => self.picks.push(option.id.clone()),
            None => self.picks = vec![option.id.clone()],
        }
    }

    pub(super) fn send_picks(&mut self) -> Vec<Effect> {
        if matches!(self.selected, Selected::Gone(_)) {
            self.go(1);
            return Vec::new();
        }
        let Some(question) = self.ready() else { return Vec::new() };
        if self.picks.is_empty() {
            match question.options.len() {
                0 => self.hint("Press w to answer in your own words"),
                count => self.hint(&format!("Press 1 to {count} first; Enter then sends it")),
            }
            return Vec::new();
        }
        // In the order of the question, however they were toggled.
        let chosen = question.options.iter().filter(|option| self.picks.contains(&option.id));
        let act = Act::Choose(chosen.map(|option| (option.id.clone(), option.label.line())).collect());
        if self.is_unseen_approval(&question) {
            self.hint("You have not seen the subject to its end: read it to its end (PgDn) first");
            return Vec::new();
        }
        self.send(write(&question, act))
    }

    /// Would Enter approve something that was not seen to its end?
    pub fn is_unseen_approval(&self, question: &Question) -> bool {
        let approves = self.picks.iter().any(|picked| picked.as_str() == "approve");
        question.purpose == "approval" && approves && question.subject.is_some() && !self.was_seen(&question.incarnation)
    }

    pub(super) fn write_words(&mut self) {
        let Some(question) = self.ready() else { return };
        if question.purpose == "decision" {
            self.hint("A decision takes no own words: press 1 to 4, or d to decline");
            return;
        }
        self.picks.clear();
        self.drafts.entry(question.incarnation.clone()).or_default();
        self.screen = Screen::Words(question.incarnation);
    }

    pub(super) fn ask_to_decline(&mut self) {
        let Some(question) = self.ready() else { return };
        let what = match question.purpose.as_str() {
            "approval" => "Decline to decide? It is not approved.",
            "action" => "Decline? It is not done.",
            "verify" => "Decline? It is not verified.",
            "offer" => "Decline? The helper goes on by its own judgement; the last option is the way out.",
            _ => "Decline? The agent goes on by its own judgement.",
        };
        self.confirm(&question, Act::Decline, format!("{what} Enter declines, Esc goes back"));
    }

    pub(super) fn ask_to_cancel(&mut self) {
        let Some(question) = self.ready() else { return };
        self.confirm(&question, Act::Cancel, "Call this question off? Enter cancels it, Esc goes back".to_owned());
    }

    fn confirm(&mut self, question: &Question, act: Act, prompt: String) {
        self.screen = Screen::Confirm(Box::new(Confirm { prompt, write: write(question, act) }));
    }

    pub(super) fn press_in_confirm(&mut self, key: KeyEvent, confirm: Confirm) -> Vec<Effect> {
        match key.code {
            KeyCode::Enter => {
                self.screen = Screen::Questions;
                self.send(confirm.write)
            }
            KeyCode::Esc | KeyCode::Char('q' | 'n') => {
                self.screen = Screen::Questions;
                Vec::new()
            }
            code => self.turn_pages(code),
        }
    }

    pub(super) fn press_in_words(&mut self, key: KeyEvent, incarnation: &pager_questions::Incarnation) -> Vec<Effect> {
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => {
                if self.drafts.get(incarnation).is_some_and(super::editor::Editor::is_empty) {
                    self.drafts.remove(incarnation);
                }
                self.go_back_to_questions()
            }
            KeyCode::Char('d') if held => self.send_words(incarnation),
            KeyCode::PageUp | KeyCode::PageDown => self.turn_pages(key.code),
            _ => {
                self.drafts.entry(incarnation.clone()).or_default().press(key);
                Vec::new()
            }
        }
    }

    fn send_words(&mut self, incarnation: &pager_questions::Incarnation) -> Vec<Effect> {
        let Some(draft) = self.drafts.get(incarnation) else { return Vec::new() };
        let (text, length) = (draft.text(), draft.length());
        if is_blank(&text) {
            self.hint("Nothing is written yet");
            return Vec::new();
        }
        if length > MOST {
            self.hint(&format!("That is {} characters more than the {MOST} that an answer may have", length - MOST));
            return Vec::new();
        }
        if matches!(self.selected, Selected::Gone(_)) {
            self.hint("The question has ended meanwhile. Your words stay here: copy what you need, Esc leaves");
            return Vec::new();
        }
        let Some(question) = self.ready().filter(|question| question.incarnation == *incarnation) else { return Vec::new() };
        self.screen = Screen::Questions;
        self.send(write(&question, Act::Words { text, anyway: false }))
    }

    fn send(&mut self, write: Write) -> Vec<Effect> {
        // What stood on the screen when the key was pressed may have ended meanwhile.
        let Some(question) = self.ready().filter(|question| question.incarnation == write.incarnation) else {
            return Vec::new();
        };
        self.picks.clear();
        self.in_flight.insert(question.incarnation);
        vec![Effect::Settle(Box::new(write))]
    }

    pub(super) fn written(&mut self, write: &Write, outcome: Outcome) -> Vec<Effect> {
        self.in_flight.remove(&write.incarnation);
        let title = fit(&write.title, TITLE);
        let kept = if matches!(write.act, Act::Words { .. }) { " Your words are kept: press w." } else { "" };
        match outcome {
            Outcome::Settled(answer) => {
                if matches!(write.act, Act::Words { .. }) && !self.is_writing(&write.incarnation) {
                    self.drafts.remove(&write.incarnation);
                }
                self.settled(write, &title, answer)
            }
            Outcome::Saving(question) => {
                self.notes.say(
                    Kind::Done,
                    &format!("{title} → being saved. It counts once the answers repository has it; nothing more is to be done"),
                );
                self.hear(*question, super::arriving::From::Reading)
            }
            Outcome::LooksSecret(words) => {
                let can_ask = self.screen == Screen::Questions
                    && matches!(&self.selected, Selected::Open(incarnation) if *incarnation == write.incarnation);
                match &write.act {
                    Act::Words { text, .. } if can_ask => {
                        let act = Act::Words { text: text.clone(), anyway: true };
                        let prompt = format!("{} Enter sends it anyway, Esc keeps it as a draft", Shown::of(&words).line());
                        let write = Write { act, ..write.clone() };
                        self.screen = Screen::Confirm(Box::new(Confirm { prompt, write }));
                    }
                    _ => self.notes.say(Kind::Trouble, &format!("{title} → not sent: {words}{kept}")),
                }
                Vec::new()
            }
            Outcome::Refused { words, is_stale } => {
                self.notes.say(Kind::Trouble, &format!("{title} → {words}.{kept}").replace("..", "."));
                if is_stale { self.look_up(write) } else { Vec::new() }
            }
            Outcome::Unknown(words) => {
                let again = if kept.is_empty() { " Choose again to send it again." } else { kept };
                self.notes.say(Kind::Trouble, &format!("{title} → not known whether it arrived: {words}.{again}"));
                self.look_up(write)
            }
        }
    }

    /// Finds out what became of a question that an act did not settle.
    fn look_up(&mut self, write: &Write) -> Vec<Effect> {
        if self.open.has_ended(&write.incarnation) {
            // Its end came while the act was on its way, and was not told then.
            self.missing.insert(write.incarnation.clone());
        }
        vec![Effect::ReadRecord(write.id.clone())]
    }

    fn settled(&mut self, write: &Write, title: &str, answer: Answer) -> Vec<Effect> {
        let known = self.open.get(&write.incarnation).or(self.current()).cloned();
        let Some(known) = known.filter(|question| question.incarnation == write.incarnation) else {
            self.notes.say(Kind::Done, &format!("{title} → answered"));
            return Vec::new();
        };
        let said = ends::outcome(&known, &answer, &self.zone);
        self.notes.say(Kind::Done, &format!("{title} → {said}"));
        let state = match answer.outcome.as_str() {
            "chosen" | "own_words" => "answered",
            other => other,
        };
        let ended = Question {
            state: state.to_owned(),
            resolved_by: Some(answer.by.clone()),
            resolved_at: answer.at,
            reason: answer.reason.clone(),
            revision: known.revision + 1,
            answer: Some(answer),
            ..known
        };
        // Not heard of, but known: nobody else has to tell it.
        self.in_flight.insert(write.incarnation.clone());
        let effects = self.hear(ended, super::arriving::From::Reading);
        self.in_flight.remove(&write.incarnation);
        effects
    }
}

fn write(question: &Question, act: Act) -> Write {
    Write { id: question.id.clone(), incarnation: question.incarnation.clone(), title: question.title(), act }
}
