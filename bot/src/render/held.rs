//! Words that look like a secret: what is said of them, and the button that saves them all the same. Never the words.

use super::{Button, Message};
use crate::callback::HeldButton;

/// For how many minutes the button is good.
pub const MINUTES: i64 = 10;

/// In reply to the words. `looks` is what they look like: `a GitHub token`.
pub fn held_back(looks: &str, button: &HeldButton) -> Message {
    let text = format!(
        "Not saved: that looks like {looks}, and answers are kept in a git repository. The question stays open. If you mean it, \
         press the button within {MINUTES} minutes; else delete your message, and write another answer."
    );
    let button = Button { label: "Send anyway".to_owned(), data: button.to_string() };
    Message { keyboard: vec![vec![button]], ..Message::plain(text) }
}

/// To a press after that time, or after the words were edited.
pub fn too_late() -> String {
    format!("Too late: this button was good for {MINUTES} minutes and for the words as they stood. Please write them again.")
}

/// To a press by another owner than the one who wrote the words.
pub fn not_your_words() -> String {
    "Only whoever wrote these words can send them.".to_owned()
}

#[cfg(test)]
mod tests {
    use pager_questions::Incarnation;

    use super::*;
    use crate::render::toasts;

    #[test]
    fn toasts_fit_and_the_reply_says_what_to_do() {
        for toast in [too_late(), not_your_words()] {
            assert!(toast.encode_utf16().count() <= toasts::MOST_UNITS, "{toast}");
        }
        let button = HeldButton { incarnation: Incarnation::from_random([1; 8]), update: 7 };
        let message = held_back("a GitHub token", &button);
        insta::assert_snapshot!(message.text, @"Not saved: that looks like a GitHub token, and answers are kept in a git repository. The question stays open. If you mean it, press the button within 10 minutes; else delete your message, and write another answer.");
        assert_eq!(message.keyboard[0][0].data, "h:0101010101010101:7");
    }
}
