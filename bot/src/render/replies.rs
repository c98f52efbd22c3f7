//! What the bot says to a text that does not become an answer, and its help. Plain text.

use pager_questions::text::{one_line, reveal, title};
use pager_questions::words::MOST_CHARACTERS;

/// The most characters of a reason that is passed on.
const MOST_REASON: usize = 500;

/// To a text that is too long to be an answer.
pub fn too_long(characters: usize) -> String {
    format!(
        "Not saved: that is too long for an answer. It has {characters} characters; at most {MOST_CHARACTERS} are taken. \
         The question stays open: please write it shorter."
    )
}

/// To a text that shows nothing.
pub fn blank() -> String {
    "Not saved: there is nothing to see in that text. The question stays open: please write your answer in words.".to_owned()
}

/// To an answer that the answers repository refused.
pub fn not_saved(reason: &str) -> String {
    let reason = title(&reveal(&one_line(reason)), MOST_REASON);
    format!("Could not be saved: {reason}\nThe question is open again: please answer once more.")
}

/// To an answer to a question that is being settled by another one.
pub fn being_saved() -> String {
    "Not taken: another answer to this question is being saved.".to_owned()
}

/// To a photo, a voice message, a sticker, … in the topic of an open question.
pub fn only_text() -> String {
    "Only a text counts as an answer. Please type it, or press a button. The question stays open.".to_owned()
}

/// To a picture or file whose caption was taken as the answer's text.
pub fn only_the_caption() -> String {
    "The caption is taken as your text; the picture or file itself is not passed on.".to_owned()
}

/// To `/decline` or `/cancel` where there is no open question.
pub fn no_question_here() -> String {
    "There is no open question in this topic. Write the command in the topic of the question that you mean.".to_owned()
}

/// To `/help` and `/start`.
pub fn help() -> String {
    "Each question has a topic of its own.\n\n\
     • Press a button to answer, or write your answer as a text in the topic: the first one counts.\n\
     • A text gets 👍 once it is saved. Until then it does not count.\n\
     • Only a text of at most 1000 characters counts. An edit never changes a saved answer.\n\
     • A question about the question would be its answer, too: ask in General instead.\n\
     • /decline in a question's topic leaves it to the agent's own judgement.\n\
     • /cancel in a question's topic calls it off.\n\
     • Any other text that begins with a slash is text."
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::MOST_UNITS;

    #[test]
    fn every_reply_fits_a_message() {
        let hostile = "\u{202e}👍\n".repeat(5000);
        let replies = [
            too_long(usize::MAX),
            blank(),
            not_saved(&hostile),
            being_saved(),
            only_text(),
            only_the_caption(),
            no_question_here(),
            help(),
        ];
        for reply in replies {
            assert!(!reply.is_empty() && reply.encode_utf16().count() <= MOST_UNITS, "{reply}");
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_told_both_numbers() {
        insta::assert_snapshot!(too_long(1234), @"Not saved: that is too long for an answer. It has 1234 characters; at most 1000 are taken. The question stays open: please write it shorter.");
    }

    #[test]
    fn what_could_not_be_saved_says_why_and_that_it_is_open_again() {
        insta::assert_snapshot!(not_saved("refused by a rule:\nanswers/ is protected"), @"
        Could not be saved: refused by a rule: answers/ is protected
        The question is open again: please answer once more.
        ");
    }
}
