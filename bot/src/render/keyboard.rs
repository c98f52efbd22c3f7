//! The buttons of a question: one row each.

use pager_questions::{Question, text};

use super::Button;
use crate::callback::CallbackData;

/// The most characters of a label that a button shows whole.
const MOST_LABEL: usize = 40;

pub(super) fn keyboard(question: &Question) -> Vec<Vec<Button>> {
    (0..question.options.len()).map(|place| vec![button(question, place)]).collect()
}

fn button(question: &Question, place: usize) -> Button {
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
    let star = if question.recommended.as_ref() == Some(&option.id) { "★ " } else { "" };
    let data = CallbackData { incarnation: question.incarnation.clone(), option: place };
    Button { label: format!("{star}{label}"), data: data.to_string() }
}
