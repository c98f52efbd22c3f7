//! The buttons of a question: one row each.

use pager_questions::{OptionId, Question, text};

use super::Button;
use crate::callback::{Act, CallbackData};

/// The most characters of a label that a button shows whole.
const MOST_LABEL: usize = 40;
/// Before an option that is marked, and one that is not, where several may be picked.
const MARKED: &str = "☑ ";
const UNMARKED: &str = "☐ ";

/// A button for each option; where several may be picked, with marks and one that sends what is marked. `holds_back_yes`
/// leaves out the one that means yes: nobody says it to what they have not seen.
pub(super) fn keyboard(question: &Question, marked: &[OptionId], holds_back_yes: bool) -> Vec<Vec<Button>> {
    let yes = question.purpose.rules().yes.map(|yes| yes.option).filter(|_| holds_back_yes);
    let shown = (0..question.options.len()).filter(|place| Some(question.options[*place].id.as_str()) != yes);
    let mut rows: Vec<Vec<Button>> = shown.map(|place| vec![button(question, place, marked)]).collect();
    if question.multi {
        let label = if marked.is_empty() { "Send".to_owned() } else { format!("Send ({})", marked.len()) };
        rows.push(vec![Button { label, data: data(question, Act::Send) }]);
    }
    rows
}

fn button(question: &Question, place: usize, marked: &[OptionId]) -> Button {
    let option = &question.options[place];
    let shown = text::reveal(&text::one_line(&option.label));
    let label = if text::is_blank(&shown) {
        // Telegram leaves out a button that shows nothing.
        format!("{}.", place + 1)
    } else if shown.chars().count() <= MOST_LABEL {
        shown
    } else {
        format!("{}. {}", place + 1, text::title(&shown, MOST_LABEL))
    };
    let (mark, act) = match question.multi {
        true if marked.contains(&option.id) => (MARKED, Act::Toggle(place)),
        true => (UNMARKED, Act::Toggle(place)),
        false => ("", Act::Pick(place)),
    };
    let star = if question.recommended.as_ref() == Some(&option.id) { "★ " } else { "" };
    Button { label: format!("{mark}{star}{label}"), data: data(question, act) }
}

fn data(question: &Question, act: Act) -> String {
    CallbackData { incarnation: question.incarnation.clone(), act }.to_string()
}
