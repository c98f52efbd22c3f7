//! What the bot's menu lists, in each kind of chat.

use crate::chat::ChatKind;

/// Name and line of each command.
pub type Menu = &'static [(&'static str, &'static str)];

const WITH_TOPICS: Menu = &[
    ("decline", "In a question's topic: leave it to the agent"),
    ("cancel", "In a question's topic: call the question off"),
    ("open", "What waits for you"),
    ("status", "What waits, and what you asked that nobody answered"),
    ("mute", "No new questions but approvals for a while, as in /mute 2h"),
    ("login", "A link to the page, in a private chat with the bot"),
    ("help", "How to answer"),
];

const FLAT: Menu = &[
    ("answer", "Answer in your own words: /answer KEY words"),
    ("decline", "Leave it to the agent: /decline KEY"),
    ("cancel", "Call it off: /cancel KEY"),
    ("open", "What waits for you"),
    ("status", "What waits, and what you asked that nobody answered"),
    ("mute", "No new questions but approvals for a while, as in /mute 2h"),
    ("login", "A link to the page, in a private chat with the bot"),
    ("help", "How to answer"),
];

/// In the chat that questions are shown in.
pub fn menu(kind: ChatKind) -> Menu {
    if kind.has_topics() { WITH_TOPICS } else { FLAT }
}

/// In an owner's private chat with the bot, when questions are shown elsewhere.
pub const PRIVATE: Menu = &[
    ("login", "A link to the page"),
    ("open", "What waits for you"),
    ("status", "What waits, and what you asked that nobody answered"),
    ("mute", "No new questions but approvals for a while, as in /mute 2h"),
    ("help", "What the bot does"),
];

/// Everywhere else.
pub const ELSEWHERE: Menu = &[("help", "What the bot does")];

#[cfg(test)]
mod tests {
    use super::super::Command;
    use super::*;

    #[test]
    fn every_entry_is_a_command_that_telegram_takes() {
        for menu in [WITH_TOPICS, FLAT, PRIVATE, ELSEWHERE] {
            for (name, line) in menu {
                assert!(Command::named(name).is_some(), "{name}");
                assert!(name.len() <= 32 && (1..=256).contains(&line.chars().count()), "{name}");
            }
        }
    }
}
